import { describe, expect, test } from "vitest";
import { everything } from "@/components/triage/item-state";
import { aboutOf, leavingRows, markedIds } from "./affected-rows";

const row = (id: string, { appId = "app_a", type = "build", read = false } = {}) => ({
  id,
  app: { appId, name: appId, hue: 0, ours: false },
  type,
  read,
});
const one = row("1");
const sameType = row("2", { read: true });
const otherType = row("3", { type: "deploy" });
const otherApp = row("4", { appId: "app_b" });
const all = [one, sameType, otherType, otherApp];
const leaving = (act: string, view: Parameters<typeof leavingRows>[3] = { place: "inbox" }) =>
  leavingRows(act, [one], all, view).map(({ id }) => id);

describe("rows that leave the view", () => {
  test.each(["done", "snooze-60", "wake", "back"])("removes only the selected row after the action “%s”", (act) =>
    expect(leaving(act)).toEqual(["1"]),
  );
  test.each(["read", "unread", "read-all"])("removes no row after the action “%s”", (act) =>
    expect(leaving(act)).toEqual([]),
  );

  test("keeps a row in Snoozed when the owner snoozes it again", () => {
    expect(leaving("snooze-240", { place: "snoozed" })).toEqual([]);
  });

  test("removes all rows of a muted app or type from the inbox", () => {
    expect(leaving("mute-app")).toEqual(["1", "2", "3"]);
    expect(leaving("mute-type")).toEqual(["1", "2"]);
  });

  test("keeps a muted app's rows in Snoozed, Done and Muted", () => {
    for (const place of ["snoozed", "done"] as const) expect(leaving("mute-app", { place })).toEqual([]);
    expect(leaving("mute-app", { place: "inbox", muted: true })).toEqual([]);
    expect(leaving("unmute-app", { place: "inbox", muted: true })).toEqual(["1", "2", "3"]);
    expect(leaving("unmute-app")).toEqual([]);
  });
});

test("returns the IDs of only the rows whose read state an action changes", () => {
  expect(markedIds("read", all)).toEqual(["1", "3", "4"]);
  expect(markedIds("read-all", all)).toEqual(["1", "3", "4"]);
  expect(markedIds("unread", all)).toEqual(["2"]);
  expect(markedIds("done", all)).toEqual([]);
});

test("returns the rows, app or whole list that an action concerns", () => {
  expect(aboutOf("done", [one, sameType])).toEqual(["1", "2"]);
  expect(aboutOf("mute-type", [otherApp])).toEqual(["app_b"]);
  expect(aboutOf("unmute-app", [otherApp])).toEqual(["app_b"]);
  expect(aboutOf("read-all", all)).toEqual([everything]);
});
