/*
 * The number of pending questions. The server counts them whenever the list is read. This page's
 * own actions adjust the count until a later read includes them.
 */
import type { AnswerState, InboxApproval } from "@/components/approvals/inbox-approval";

/**
 * One read of the list: its rows, the server's counts, and the questions that are not among the
 * rows.
 */
export type Tally = {
  listed: readonly InboxApproval[];
  total: number;
  folds: Readonly<Record<string, number>>;
  /** Questions that are not on this page of the list, and whether the counts exclude them. */
  excluded: ReadonlyMap<string, boolean>;
};

type PageChanges = {
  tally: Tally;
  /** Questions that the owner selected or acted on but that are not on this page of the list. */
  beyond: readonly InboxApproval[];
  /** Whether an action on this page removed the question from the list. */
  isGone: (approval: InboxApproval) => boolean;
};

/**
 * Returns the number of questions that `counts` selects, adjusted for this page's actions. A frozen
 * question can't be acted on, so it never adjusts the number.
 * @param counted the server's number
 */
export function leftOf(
  counted: number,
  { tally, beyond, isGone }: PageChanges,
  counts: (approval: InboxApproval) => boolean,
): number {
  const changeOf = (approval: InboxApproval, wasGone: boolean) =>
    approval.frozen ? 0 : Number(wasGone) - Number(isGone(approval));
  const changes = [
    ...tally.listed.filter(counts).map((it) => changeOf(it, it.triage.held !== undefined)),
    ...beyond.filter(counts).map((it) => changeOf(it, isExcluded(tally, it))),
  ];
  return Math.max(
    0,
    changes.reduce((sum, it) => sum + it, counted),
  );
}

const isExcluded = ({ excluded }: Tally, { _id, triage, resolution }: InboxApproval) =>
  excluded.get(_id) ?? (triage.held !== undefined || resolution !== undefined);

type Action = Pick<AnswerState, "phase" | "at">;

/**
 * Whether a read of the list that began at `beganAt` is certain to include the action's effect. If
 * so, the action no longer adjusts the counts of that read.
 */
export const isIncluded = ({ phase, at }: Action, beganAt: number): boolean =>
  phase === "reading" || (phase !== "sending" && phase !== "undoing" && at <= beganAt);

/** Whether a list's counts include this question. */
export const isCounted =
  (view: "waiting" | "snoozed" | "passed") =>
  ({ app, triage }: InboxApproval): boolean =>
    view === "snoozed"
      ? triage.snoozedUntil !== undefined
      : !app.muted && !triage.askedBack && triage.snoozedUntil === undefined;
