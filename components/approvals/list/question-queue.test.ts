import { describe, expect, test } from "vitest";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { nextAfter, nextPast, waitingIn } from "./question-queue";

/** A minimal approval, created at time `at`. */
const asked = (at: number, triage: Partial<InboxApproval["triage"]> = {}) =>
  ({ _id: `apr_${at}`, _creationTime: at, triage }) as InboxApproval;
const [first, second, third] = [asked(1), asked(2), asked(3)];
const all = [first, second, third];
const but =
  (...answered: InboxApproval[]) =>
  (it: InboxApproval) =>
    !answered.includes(it);

test("lists questions awaiting clarification only under Snoozed", () => {
  const away = asked(4, { askedBack: true });
  const ordered = [first, away];
  expect(waitingIn({ ordered, view: "waiting", isOpen: but() })).toEqual([first]);
  expect(waitingIn({ ordered, view: "snoozed", isOpen: but(first) })).toEqual([away]);
});

describe("next question", () => {
  test("selects the next question in list order", () => {
    expect(nextAfter(first, all)).toBe(second);
    expect(nextAfter(undefined, all)).toBe(first);
  });
  test("wraps around from the last question to the first pending question", () => {
    expect(nextAfter(third, all)).toBe(first);
    expect(nextAfter(second, [first, third])).toBe(first);
    expect(nextAfter(third, [third])).toBeUndefined();
    expect(nextAfter(first, [])).toBeUndefined();
  });
  test("selects the first other question if the next question is excluded", () => {
    expect(nextPast([first], all, second)).toBe(second);
    expect(nextPast([first, second], all, second)).toBe(third);
    expect(nextPast(all, all, second)).toBeUndefined();
  });
});
