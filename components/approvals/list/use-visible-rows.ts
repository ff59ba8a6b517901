"use client";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { AnswerState, InboxApproval, RecentResolution, Rules } from "@/components/approvals/types";
import { refreshPage } from "@/components/live/live-state";
import { useInboxRows } from "./inbox-rows";
import { leftOf, nextAfter, waitingIn } from "./queue";
import { foldOf, inOrder, useGroups } from "./use-groups";

export type InboxProps = {
  view: "waiting" | "snoozed" | "passed";
  phone: boolean;
  /** Whether these rows were searched for, so that none of them is to be folded away. */
  searches?: boolean;
  /** The rows of this page of the list, and beside it of what waits for its app, or in muted apps. */
  listed: InboxApproval[];
  aside: InboxApproval[];
  /** The decision that the address names, when it may not be among the rows. */
  extra?: InboxApproval | undefined;
  opened?: string | undefined;
  /** What ended lately, and what of that its app answered while the owner's answer was being held. */
  endings: RecentResolution[];
  overtaken: InboxApproval[];
  /** Whether there is more of it than these rows, which comes when it is looked for. */
  grows: boolean;
  /** How many there are in all, at most 10,000, and how many by fold. */
  total: number;
  folds: Record<string, number>;
  title: string;
  /** What the address of a decision keeps of the list's: "" or "?app=…". */
  query: string;
  listAddress: string;
  /** Tabs and filters above the rows, paging below them, and what to show where there is nothing. */
  top: React.ReactNode;
  bottom: React.ReactNode;
  empty: React.ReactNode;
  rules: Rules;
};

type Known = Pick<InboxProps, "listed" | "aside" | "extra" | "endings" | "total" | "folds" | "view" | "searches"> & {
  openId: string | undefined;
  answers: ReadonlyMap<string, AnswerState>;
  isOpen: (approval: InboxApproval) => boolean;
};

/** What the inbox shows: its rows, which of them wait, and the question that is open. */
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
}: Known) {
  const [shownId, setShown] = useState<string>();
  const all = useMemo(() => [...listed, ...aside], [listed, aside]);
  const { rows, hidden, hide, restore } = useInboxRows(all, endings, shownId, answers);
  const { blocks, set: setFold } = useGroups(rows, view === "waiting" && !searches, counted.folds, openId);
  const ordered = inOrder(blocks);
  const waiting = waitingIn({ ordered, view, isOpen });

  // Where the address names none, the longest waiting stands beside the list. It stays there when it ends elsewhere, and for a
  // moment when it was answered.
  const stayed = openId ? undefined : ordered.find(({ _id }) => _id === shownId && staysInView(answers.get(_id)));
  const unread = [...answers.values()].flatMap((it) => (it.phase === "beaten" && !it.read ? [it.item] : []));
  const known = [...(extra ? [extra] : []), ...rows, ...[...answers.values()].map(({ item }) => item)];
  const named = known.find(({ _id }) => _id === openId);
  // One that was chosen never becomes another under its address: what this page does not have is read.
  const current = openId ? named : (stayed ?? (view === "passed" ? ordered : waiting)[0] ?? unread[0]);
  const lacks = named ? undefined : openId;
  useEffect(() => {
    if (lacks) refreshPage();
  }, [lacks]);
  if (current?._id !== shownId) setShown(current?._id);
  const next = nextAfter(current, waiting) ?? unread.find((it) => it._id !== current?._id);
  const left = leftOf({ listed, total: counted.total, isOpen, away: hidden });
  /** How many there are of a fold, on this page of the list and beyond it. */
  const countOf = (key: string) => {
    const of = all.filter((approval) => foldOf(approval) === key);
    return leftOf({ listed: of, total: counted.folds[key] ?? of.length, isOpen, away: hidden });
  };
  /** What is open, and stayed though it is done with, has been read. */
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
    restore,
    dismiss,
  };
}

const staysInView = (it: AnswerState | undefined) =>
  it?.leaveAt !== undefined || !["sending", "held", "done"].includes(it?.phase ?? "");
