import { expect, it } from "vitest";
import type { ActivityItem } from "@/lib/events/activity-schema";
import { asCsv, asJsonLines, csvHeader } from "./activity-export";

const item = (name: string): ActivityItem => ({
  id: "7",
  at: 0,
  type: "grant.revoked",
  kind: "permissions",
  actor: "you",
  subject: "grt_1",
  app: { appId: "app_1", name },
  sentence: "You revoked all access for {app}",
  facts: ["a", "b"],
  data: { n: 1 },
});

it("exports each event as one line of JSON", () => {
  const lines = asJsonLines([item('Say "hi"\n'), item("$& $1")]).split("\n");
  expect(lines).toHaveLength(3);
  expect(JSON.parse(lines[0] as string)).toMatchObject({
    time: "1970-01-01T00:00:00.000Z",
    what: 'You revoked all access for Say "hi"\n',
  });
  expect(JSON.parse(lines[1] as string)).toMatchObject({ what: "You revoked all access for $& $1", facts: "a b" });
});

it("escapes spreadsheet formulas in the CSV export", () => {
  const csv = asCsv([item('=HYPERLINK("https://evil.example")'), item("Plain")]);
  expect(csv).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
  expect(csv.endsWith("Plain,app_1,grt_1,a b,7\r\n")).toBe(true);
  expect(csvHeader.split(",")).toHaveLength((csv.split("\r\n")[1] ?? "").split(",").length);
});
