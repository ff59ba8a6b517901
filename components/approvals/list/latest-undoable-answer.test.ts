import { describe, expect, test } from "vitest";
import type { AnswerState, InboxApproval } from "@/components/approvals/inbox-approval";
import type { Resolution } from "@/lib/approvals/schema";
import { latestHeld } from "./inbox-actions";

const no: Resolution = { kind: "option", optionId: "no", resolvedBy: "api", resolvedAt: 1 };
const asked = (id: string, more: object = {}): InboxApproval =>
  ({ _id: id, triage: { askedBack: false }, ...more }) as unknown as InboxApproval;

describe("answer that undo reverts", () => {
  const now = performance.now();
  const held = (id: string, at: number, leftMs = 30_000): [string, AnswerState] => [
    id,
    { item: asked(id), at: now + at, request: 1, phase: "held", outcome: no, leftMs },
  ];
  const listed = (id: string, commitAt: number) =>
    asked(id, { triage: { askedBack: false, held: { answer: no, commitAt, leftMs: 30_000 } } });

  test("selects the page's latest answer that was not undone", () => {
    expect(latestHeld([], new Map([held("1", 1), held("2", 2)]))?._id).toBe("2");
    expect(latestHeld([], new Map([held("1", 1), ["2", { ...held("2", 2)[1], phase: "undone" }]]))?._id).toBe("1");
  });

  test("selects the list's latest held answer if no answer was given on the page", () => {
    expect(latestHeld([listed("1", 10), listed("2", 20)], new Map())?._id).toBe("2");
    expect(latestHeld([listed("1", 10)], new Map([held("3", 1)]))?._id).toBe("3");
  });

  test("selects no answer after the undo period", () => {
    expect(latestHeld([asked("1")], new Map([held("1", -60_000)]))).toBeUndefined();
  });
});
