"use client";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { AnswerState, InboxApproval, RecentResolution, Rules } from "@/components/approvals/types";
import { refreshPage } from "@/components/live/live-state";
import type { OptimisticParts } from "@/lib/action";
import { useInboxRows } from "./inbox-rows";
import { leftOf, nextAfter, waitingIn } from "./queue";
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
  "listed" | "aside" | "extra" | "endings" | "total" | "folds" | "view" | "searches"
> & {
  openId: string | undefined;
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
  const left = leftOf({ listed, total: counted.total, isOpen, away: hidden });
  /** The total of a group, on this page of the list and beyond it. */
  const countOf = (key: string) => {
    const of = all.filter((approval) => foldOf(approval) === key);
    return leftOf({ listed: of, total: counted.folds[key] ?? of.length, isOpen, away: hidden });
  };
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

const staysInView = (state: AnswerState | undefined) =>
  state?.leaveAt !== undefined || !["sending", "held", "done"].includes(state?.phase ?? "");
