import type { InboxApproval } from "@/components/approvals/types";

type Shown = {
  /** All that is in the list, in its order. */
  ordered: readonly InboxApproval[];
  /** What the service lists on this page, and how many there are in all. */
  listed: readonly InboxApproval[];
  total: number;
  view: "waiting" | "snoozed" | "passed";
  /** Whether an approval still waits for an answer, by the service's word or by what this page has sent. */
  isOpen: (approval: InboxApproval) => boolean;
  /** Those that were just put off or brought back, by their ids. */
  away: { has: (id: string) => boolean };
};

/** What waits for the owner, in the order of the list. Of what waits for its app, nothing is asked of them now. */
export const waitingIn = ({ ordered, view, isOpen }: Pick<Shown, "ordered" | "view" | "isOpen">): InboxApproval[] =>
  ordered.filter((approval) => isOpen(approval) && (view !== "waiting" || !approval.triage.askedBack));

/** How many are left of all that the service counts, with what this page has done since. */
export function leftOf({ listed, total, isOpen, away }: Omit<Shown, "ordered" | "view">): number {
  const done = listed.filter((it) => !it.triage.held && (!isOpen(it) || away.has(it._id))).length;
  const back = listed.filter((it) => it.triage.held && isOpen(it)).length;
  return Math.max(0, total - done + back);
}

/** The one to go on to from `current`: the next in the list, else the next that was asked, else any other. */
export function nextAfter(
  current: InboxApproval | undefined,
  waiting: readonly InboxApproval[],
): InboxApproval | undefined {
  const at = waiting.findIndex(({ _id }) => _id === current?._id);
  const later = current && waiting.find((it) => it._creationTime > current._creationTime);
  const next = waiting[at + 1] ?? later ?? waiting.find((it) => it !== current);
  return next === current ? undefined : next;
}

/** The first to go on to once these are done with. */
export function nextPast(
  these: readonly InboxApproval[],
  waiting: readonly InboxApproval[],
  next: InboxApproval | undefined,
): InboxApproval | undefined {
  const gone = new Set(these.map(({ _id }) => _id));
  return next && !gone.has(next._id) ? next : waiting.find(({ _id }) => !gone.has(_id));
}
