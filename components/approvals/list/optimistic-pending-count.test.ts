import { describe, expect, test } from "vitest";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { isCounted, isIncluded, leftOf, type Tally } from "./optimistic-pending-count";

const held = { answer: { kind: "option" as const, optionId: "yes" }, commitAt: 0, leftMs: 5000 };
const asked = (id: string, triage: object = {}, muted = false) =>
  ({ _id: id, app: { muted }, triage: { askedBack: false, ...triage } }) as InboxApproval;
const [first, second, far] = [asked("1"), asked("2"), asked("far")];

type Given = Partial<Tally> & { beyond?: InboxApproval[]; gone?: InboxApproval[] };
const left = (total: number, { beyond = [], gone = [], ...tally }: Given = {}) =>
  leftOf(
    total,
    {
      tally: { listed: [first, second], total, folds: {}, excluded: new Map(), ...tally },
      beyond,
      isGone: (it) => gone.includes(it),
    },
    isCounted("waiting"),
  );

describe("count of remaining questions", () => {
  test("subtracts removed questions from the count before the server confirms their removal", () => {
    expect(left(3)).toBe(3);
    expect(left(3, { gone: [first] })).toBe(2);
    expect(left(1, { gone: [first, second] })).toBe(0);
  });

  test("includes a question in the count again after an undo", () => {
    const waits = asked("1", { held });
    expect(left(1, { listed: [waits, second], gone: [waits] })).toBe(1);
    expect(left(1, { listed: [waits, second] })).toBe(2);
  });

  test("subtracts each answered question outside the loaded list exactly once", () => {
    expect(left(60, { beyond: [far], gone: [far] })).toBe(59);
    const excluded = new Map([["far", true]]);
    expect(left(59, { beyond: [far], gone: [far], excluded })).toBe(59);
    expect(left(59, { beyond: [far], excluded })).toBe(60);
    expect(left(60, { beyond: [far], excluded: new Map([["far", false]]) })).toBe(60);
  });

  test("keeps the server's count when frozen questions are in the list", () => {
    const frozen = { ...first, frozen: true } as InboxApproval;
    expect(left(3, { listed: [frozen, second], gone: [frozen] })).toBe(3);
    expect(left(3, { listed: [frozen, second], gone: [frozen, second] })).toBe(2);
  });

  test("does not count muted questions, snoozed questions, or questions awaiting clarification as waiting", () => {
    const others = [asked("muted", {}, true), asked("asked", { askedBack: true }), asked("later", { snoozedUntil: 1 })];
    expect(left(3, { listed: [first, second, ...others], gone: others })).toBe(3);
    expect(others.map(isCounted("snoozed"))).toEqual([false, false, true]);
  });
});

test("treats an answer as counted only if the count was read after the reply", () => {
  const included = (phase: "reading" | "sending" | "undoing" | "held" | "done", at: number) =>
    isIncluded({ phase, at }, 10);
  expect(included("sending", 1)).toBe(false);
  expect(included("undoing", 1)).toBe(false);
  expect(included("held", 11)).toBe(false);
  expect(included("held", 10)).toBe(true);
  expect(included("done", 1)).toBe(true);
  expect(included("reading", 11)).toBe(true);
});
