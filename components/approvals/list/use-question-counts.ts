"use client";
import { useLayoutEffect, useRef, useState } from "react";
import type { AnswerState, InboxApproval } from "@/components/approvals/inbox-approval";
import { readingBeganAt } from "@/components/live/connection-and-refresh";
import { useInboxCount } from "@/components/live/pending-count";
import type { InboxProps } from "./inbox-props";
import { isCounted, isIncluded, leftOf, type Tally } from "./optimistic-pending-count";
import { countKeyOf } from "./rows/arrange-sections";

type CountsInput = Pick<InboxProps, "view" | "total" | "folds" | "everyApp"> & {
  /** The rows from the server. Each read returns a new array. */
  all: readonly InboxApproval[];
  /** The selected questions that are not on this page of the list. */
  beyond: readonly InboxApproval[];
  answers: ReadonlyMap<string, AnswerState>;
  hidden: ReadonlyMap<string, { savedAt: number }>;
  isOpen: (approval: InboxApproval) => boolean;
};

/**
 * Returns the number of questions in the list and in each group, adjusted for actions on this page.
 */
export function useCounts({ all, view, total, folds, everyApp, answers, hidden, isOpen, beyond }: CountsInput) {
  const [tally, setTally] = useState<Tally>(() => ({ listed: all, total, folds, excluded: new Map() }));
  const here = new Set(tally.listed.map(({ _id }) => _id));
  const acted = [...answers.values()].map(({ item }) => item);
  const others = new Map([...beyond, ...acted].map((it) => [it._id, it]));
  const known = {
    tally,
    beyond: [...others.values()].filter(({ _id }) => !here.has(_id)),
    isGone: (approval: InboxApproval) => !isOpen(approval) || hidden.has(approval._id),
  };
  const read = useRef({ all, beganAt: Number.NEGATIVE_INFINITY });
  useLayoutEffect(() => {
    if (read.current.all !== all) read.current = { all, beganAt: readingBeganAt() };
    const { beganAt } = read.current;
    if (tally.listed === all) return;
    const now = new Set(all.map(({ _id }) => _id));
    const states = [...answers].filter(([id]) => !now.has(id)).map(([, state]) => state);
    const away = [...hidden].filter(([id]) => !now.has(id)).map(([, { savedAt }]) => savedAt);
    if (!states.every((it) => isIncluded(it, beganAt)) || away.some((at) => at > beganAt)) return;
    const unlisted = [...others.values(), ...tally.listed].filter(({ _id }) => !now.has(_id));
    setTally({ listed: all, total, folds, excluded: new Map(unlisted.map((it) => [it._id, known.isGone(it)])) });
  });
  const left = leftOf(tally.total, known, isCounted(view));
  const isShared = view === "waiting" && everyApp;
  const shown = useInboxCount(left, isShared && left !== tally.total);
  return {
    left: isShared ? shown : left,
    /** Returns a group's total, including questions that are not on this page of the list. */
    countOf(key: string) {
      const isInGroup = (approval: InboxApproval) => countKeyOf(approval) === key;
      return leftOf(tally.folds[key] ?? tally.listed.filter(isInGroup).length, known, isInGroup);
    },
  };
}
