"use client";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { AnswerState, InboxApproval, RecentResolution, Rules } from "@/components/approvals/types";
import { readingBeganAt, refreshPage } from "@/components/live/live-state";
import { useInboxCount } from "@/components/live/pending-count";
import type { OptimisticParts } from "@/lib/action";
import { isCounted, isIncluded, leftOf, type Tally } from "./count";
import { useInboxRows } from "./inbox-rows";
import { nextAfter, waitingIn } from "./queue";
import { foldOf, inOrder, useGroups } from "./use-groups";

export type InboxProps = {
  view: "waiting" | "snoozed" | "passed";
  phone: boolean;
  /** Whether the rows are search results, which are not grouped. */
  searches?: boolean;
  /**
   * The rows of this page of the list, and the asides: questions that wait for their app, or of
   * muted apps.
   */
  listed: InboxApproval[];
  aside: InboxApproval[];
  /** The decision in the URL, which may not be among the rows. */
  extra?: InboxApproval | undefined;
  opened?: string | undefined;
  /** Recent endings, and those by the app while the owner's answer was held. */
  endings: RecentResolution[];
  overtaken: InboxApproval[];
  /** Whether more rows can be loaded. */
  grows: boolean;
  /** Whether the list has the questions of every app. */
  everyApp: boolean;
  /** The total, at most 10,000, and the total of each group. */
  total: number;
  folds: Record<string, number>;
  /** The immediate feedback of actions, by name. */
  optimistic: OptimisticParts;
  title: string;
  /** The list's query in a decision's URL: "" or "?app=…". */
  query: string;
  listAddress: string;
  /** Tabs and filters above the rows, paging below them, and the empty state. */
  top: React.ReactNode;
  bottom: React.ReactNode;
  empty: React.ReactNode;
  rules: Rules;
};

type VisibleRowsInput = Pick<
  InboxProps,
  "listed" | "aside" | "extra" | "endings" | "total" | "folds" | "view" | "searches" | "everyApp"
> & {
  openId: string | undefined;
  /** Questions beyond this page of the list that the owner has selected. */
  beyond: readonly InboxApproval[];
  answers: ReadonlyMap<string, AnswerState>;
  isOpen: (approval: InboxApproval) => boolean;
};

/** The inbox's rows, the pending ones among them, and the open question. */
export function useVisibleRows({
  listed,
  aside,
  extra,
  endings,
  view,
  searches,
  openId,
  answers,
  isOpen,
  beyond,
  everyApp,
  ...counted
}: VisibleRowsInput) {
  const [shownId, setShown] = useState<string>();
  const all = useMemo(() => [...listed, ...aside], [listed, aside]);
  const { rows, hidden, hide, save, restore } = useInboxRows(all, endings, shownId, answers);
  const { blocks, set: setFold } = useGroups(rows, view === "waiting" && !searches, counted.folds, openId);
  const ordered = inOrder(blocks);
  const waiting = waitingIn({ ordered, view, isOpen });

  // Without a decision in the URL, the oldest pending one is open next to the list. It stays there
  // when it ends elsewhere, and for a moment after its answer.
  const stayed = openId ? undefined : ordered.find(({ _id }) => _id === shownId && staysInView(answers.get(_id)));
  const unread = [...answers.values()].flatMap((it) => (it.phase === "beaten" && !it.read ? [it.item] : []));
  const known = [...(extra ? [extra] : []), ...rows, ...[...answers.values()].map(({ item }) => item)];
  const named = known.find(({ _id }) => _id === openId);
  // A chosen decision never changes under its URL: if this page lacks it, it is loaded.
  const current = openId ? named : (stayed ?? (view === "passed" ? ordered : waiting)[0] ?? unread[0]);
  const lacks = named ? undefined : openId;
  useEffect(() => {
    if (lacks) refreshPage();
  }, [lacks]);
  if (current?._id !== shownId) setShown(current?._id);
  const next = nextAfter(current, waiting) ?? unread.find((it) => it._id !== current?._id);
  const { left, countOf } = useCounts({ listed, all, view, answers, hidden, isOpen, beyond, ...counted });
  useInboxCount(view === "waiting" && everyApp ? left : undefined);
  /** Marks the finished question that stayed open as read. */
  const dismiss = useCallback(() => setShown(undefined), []);
  return {
    rows,
    blocks,
    setFold,
    ordered,
    waiting,
    unread,
    known,
    current,
    next,
    left,
    countOf,
    hide,
    save,
    restore,
    dismiss,
  };
}

type CountsInput = Pick<InboxProps, "listed" | "view" | "total" | "folds"> &
  Pick<VisibleRowsInput, "answers" | "isOpen" | "beyond"> & {
    all: readonly InboxApproval[];
    hidden: ReadonlyMap<string, { savedAt: number }>;
  };

/** The number of questions in the list, and of each group, with this page's own actions. */
function useCounts({ listed, all, view, total, folds, answers, hidden, isOpen, beyond }: CountsInput) {
  const [tally, setTally] = useState<Tally>(() => ({ listed: all, total, folds, excluded: new Map() }));
  const here = new Set(tally.listed.map(({ _id }) => _id));
  const acted = [...answers.values()].map(({ item }) => item);
  const others = new Map([...beyond, ...acted].map((it) => [it._id, it]));
  const known = {
    tally,
    beyond: [...others.values()].filter(({ _id }) => !here.has(_id)),
    isGone: (approval: InboxApproval) => !isOpen(approval) || hidden.has(approval._id),
  };
  const read = useRef({ listed: all, beganAt: Number.NEGATIVE_INFINITY });
  useLayoutEffect(() => {
    if (read.current.listed !== all) read.current = { listed: all, beganAt: readingBeganAt() };
    const { beganAt } = read.current;
    if (tally.listed === all) return;
    const now = new Set(all.map(({ _id }) => _id));
    const states = [...answers].filter(([id]) => !now.has(id)).map(([, state]) => state);
    const away = [...hidden].filter(([id]) => !now.has(id)).map(([, { savedAt }]) => savedAt);
    if (!states.every((it) => isIncluded(it, beganAt)) || away.some((at) => at > beganAt)) return;
    const unlisted = [...others.values(), ...tally.listed].filter(({ _id }) => !now.has(_id));
    const excluded = new Map(unlisted.map((it) => [it._id, known.isGone(it)]));
    setTally({ listed: all, total, folds, excluded });
  });
  return {
    left: leftOf(tally.total, known, isCounted(view)),
    /** The total of a group, on this page of the list and beyond it. */
    countOf(key: string) {
      const isInGroup = (approval: InboxApproval) => foldOf(approval) === key;
      return leftOf(tally.folds[key] ?? listed.filter(isInGroup).length, known, isInGroup);
    },
  };
}

const staysInView = (state: AnswerState | undefined) =>
  state?.leaveAt !== undefined || !["sending", "held", "done"].includes(state?.phase ?? "");
