import type { InboxApproval } from "@/components/approvals/inbox-approval";

type QueueInput = {
  /** The questions in the list, in order. */
  ordered: readonly InboxApproval[];
  view: "waiting" | "snoozed" | "passed";
  /** Whether an approval is still pending, after this page's answers. */
  isOpen: (approval: InboxApproval) => boolean;
};

/**
 * The questions that the owner can answer, in the list's order. The pending list leaves out
 * questions that wait for their app's reply.
 */
export const waitingIn = ({ ordered, view, isOpen }: QueueInput): InboxApproval[] =>
  ordered.filter((approval) => isOpen(approval) && (view !== "waiting" || !approval.triage.askedBack));

/**
 * The question after `current` in the list. At the list's end, it is the first question newer than
 * `current` or, without one, the first other question.
 */
export function nextAfter(
  current: InboxApproval | undefined,
  waiting: readonly InboxApproval[],
): InboxApproval | undefined {
  const index = waiting.findIndex(({ _id }) => _id === current?._id);
  const later = current && waiting.find((it) => it._creationTime > current._creationTime);
  const next = waiting[index + 1] ?? later ?? waiting.find((it) => it !== current);
  return next === current ? undefined : next;
}

/** `next` or, if that is one of `these`, the first other question. */
export function nextPast(
  these: readonly InboxApproval[],
  waiting: readonly InboxApproval[],
  next: InboxApproval | undefined,
): InboxApproval | undefined {
  const gone = new Set(these.map(({ _id }) => _id));
  return next && !gone.has(next._id) ? next : waiting.find(({ _id }) => !gone.has(_id));
}
