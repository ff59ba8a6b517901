"use client";
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from "react";
import type { AnswerState, InboxApproval } from "@/components/approvals/inbox-approval";
import { refreshPage } from "@/components/live/connection-and-refresh";
import type { ListStore } from "@/components/triage/use-list-store";
import type { InboxProps } from "./inbox-props";
import { nextAfter, waitingIn } from "./question-queue";
import { type Arrangement, arrange, asideOf, inOrder, sectionsOf, undivided } from "./rows/arrange-sections";
import { useInboxRows } from "./use-inbox-rows";
import { isWide } from "./use-open-approval";
import { useCounts } from "./use-question-counts";

type ArrangedRowsInput = Pick<
  InboxProps,
  "listed" | "aside" | "extra" | "endings" | "total" | "folds" | "view" | "divided" | "now" | "everyApp"
> & {
  store: ListStore;
  answers: ReadonlyMap<string, AnswerState>;
  /** The selected questions that are not on this page of the list. */
  beyond: readonly InboxApproval[];
  isOpen: (approval: InboxApproval) => boolean;
};

/** The inbox's rows, the pending questions among them, and the open question. */
export function useArrangedRows({ listed, aside, extra, endings, store, answers, isOpen, ...list }: ArrangedRowsInput) {
  const { view, divided, now, folds } = list;
  const { named, resting } = store.state;
  const all = useMemo(() => [...listed, ...aside], [listed, aside]);
  const { rows, hidden, hide, save, restore } = useInboxRows(all, endings, resting, answers);
  const arrangement = useArrangement(rows, { now, counts: folds, named });
  const sections = divided ? sectionsOf(rows, arrangement, store.state.folds) : undivided(rows);
  const ordered = inOrder(sections);
  const waiting = waitingIn({ ordered, view, isOpen });

  // Without a decision in the URL, the first pending question is open next to the list. It stays
  // open if it is resolved elsewhere, and briefly after its answer.
  const stayed = named ? undefined : ordered.find(({ _id }) => _id === resting && staysInView(answers.get(_id)));
  const unread = [...answers.values()].flatMap((it) => (it.phase === "beaten" && !it.read ? [it.item] : []));
  const known = [...(extra ? [extra] : []), ...rows, ...[...answers.values()].map(({ item }) => item)];
  const chosen = known.find(({ _id }) => _id === named);
  // A URL that names a decision opens only that decision. If this page lacks the decision, a
  // refresh loads it.
  const current = named ? chosen : (stayed ?? (view === "passed" ? ordered : waiting)[0] ?? unread[0]);
  const lacks = chosen ? undefined : named;
  useEffect(() => {
    if (lacks) refreshPage();
  }, [lacks]);
  if (current?._id !== resting) store.dispatch({ type: "rested", id: current?._id });
  const next = nextAfter(current, waiting) ?? unread.find((it) => it._id !== current?._id);
  const counts = useCounts({ all, answers, hidden, isOpen, ...list });
  const { dispatch } = store;
  /** Closes the answered question that stayed open. */
  const dismiss = useCallback(() => dispatch({ type: "rested", id: undefined }), [dispatch]);
  return { rows, sections, ordered, waiting, unread, known, current, next, ...counts, hide, save, restore, dismiss };
}

const staysInView = (state: AnswerState | undefined) =>
  state?.leaveAt !== undefined || !["sending", "held", "done"].includes(state?.phase ?? "");

type ArrangementInput = { now: number; counts: Record<string, number>; named: string | undefined };

/**
 * The rows' positions. They are decided again when the page becomes visible, when a question hides
 * the list, or when all rows are new.
 */
function useArrangement(rows: InboxApproval[], { now, counts, named }: ArrangementInput): Arrangement {
  const [arrangement, setArrangement] = useState(() => arrange(rows, now, counts));
  const again = useEffectEvent(() => {
    if (!document.hidden) setArrangement(arrange(rows, Date.now(), counts));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the open question changes
  useEffect(() => {
    const look = () => again();
    // On a narrow screen, the open question hides the list.
    if (!isWide()) look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [named]);
  const divisible = rows.filter((it) => !asideOf(it));
  if (divisible.length === 0 || divisible.some(({ _id }) => arrangement.sections.has(_id))) return arrangement;
  const next = arrange(rows, now, counts);
  setArrangement(next);
  return next;
}
