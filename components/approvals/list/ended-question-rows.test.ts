import { describe, expect, test } from "vitest";
import type { InboxApproval, RecentResolution } from "@/components/approvals/inbox-approval";
import type { Resolution } from "@/lib/approvals/schema";
import { withEndings } from "./use-inbox-rows";

const no: Resolution = { kind: "option", optionId: "no", resolvedBy: "api", resolvedAt: 1 };
const asked = (id: string, more: object = {}): InboxApproval =>
  ({ _id: id, triage: { askedBack: false }, ...more }) as unknown as InboxApproval;
const ids = (rows: readonly InboxApproval[]) => rows.map(({ _id }) => _id).join(" ");

describe("rows removed from the list", () => {
  const [one, two] = [asked("1"), asked("2")];
  const shown = (endings: RecentResolution[], stays: string[] = []) =>
    withEndings([one, two], [one], { endings, stays: (id) => stays.includes(id) });

  test("shows how a removed row's question ended", () => {
    const held = asked("1", { triage: { held: {} } });
    const [row] = withEndings([held], [held], { endings: [{ id: "1", resolution: no }], stays: () => false });
    expect(row).toMatchObject({ resolution: no, triage: {} });
    expect(row?.triage.held).toBeUndefined();
    expect(shown([{ id: "1", resolution: no, byDefault: true }])[0]).toMatchObject({ byDefault: true });
  });

  test("removes an unanswered row unless the row is in use", () => {
    expect(ids(shown([]))).toBe("2");
    expect(ids(shown([], ["1"]))).toBe("1 2");
  });

  test("marks a removed row as expired after the question's deadline", () => {
    const late = asked("1", { expiresAt: Date.now() - 1 });
    expect(withEndings([late], [late], { endings: [], stays: () => true })[0]?.deadlinePassed).toBe(true);
  });
});
