import { describe, expect, test } from "vitest";
import type { InboxApproval } from "@/components/approvals/types";
import { leftOf, nextAfter, nextPast, waitingIn } from "./queue";

/** An approval by its place in time, as far as going from one to the next needs it. */
const asked = (at: number, triage: Partial<InboxApproval["triage"]> = {}) =>
  ({ _id: `apr_${at}`, _creationTime: at, triage }) as InboxApproval;
const held = { answer: { kind: "option" as const, optionId: "yes" }, commitAt: 0, leftMs: 5000 };
const [first, second, third] = [asked(1), asked(2), asked(3)];
const all = [first, second, third];
const but =
  (...answered: InboxApproval[]) =>
  (it: InboxApproval) =>
    !answered.includes(it);

test("of what waits for its app nothing is asked of the owner, except in a list of its own", () => {
  const away = asked(4, { askedBack: true });
  const ordered = [first, away];
  expect(waitingIn({ ordered, view: "waiting", isOpen: but() })).toEqual([first]);
  expect(waitingIn({ ordered, view: "snoozed", isOpen: but(first) })).toEqual([away]);
});

describe("how many are left", () => {
  const left = (more: Partial<Parameters<typeof leftOf>[0]>) =>
    leftOf({ listed: all, total: 3, isOpen: but(), away: new Set(), ...more });
  test("what this page answered, put off or muted counts no more, before the service says so", () => {
    expect(left({})).toBe(3);
    expect(left({ isOpen: but(first) })).toBe(2);
    expect(left({ isOpen: but(first), away: new Set(["apr_1", "apr_2"]) })).toBe(1);
    expect(left({ isOpen: but(...all), total: 1 })).toBe(0);
  });
  test("what the service holds is not counted, and taken back counts again", () => {
    const listed = [asked(1, { held }), second];
    expect(left({ listed, total: 1, isOpen: but(...listed.slice(0, 1)) })).toBe(1);
    expect(left({ listed, total: 1 })).toBe(2);
  });
});

describe("where to go on", () => {
  test("the next in the list", () => {
    expect(nextAfter(first, all)).toBe(second);
    expect(nextAfter(undefined, all)).toBe(first);
  });
  test("from the last to what is left, from what waits no more to what was asked after it", () => {
    expect(nextAfter(third, all)).toBe(first);
    expect(nextAfter(second, [first, third])).toBe(first);
    expect(nextAfter(third, [third])).toBeUndefined();
    expect(nextAfter(first, [])).toBeUndefined();
  });
  test("past several at once", () => {
    expect(nextPast([first], all, second)).toBe(second);
    expect(nextPast([first, second], all, second)).toBe(third);
    expect(nextPast(all, all, second)).toBeUndefined();
  });
});
