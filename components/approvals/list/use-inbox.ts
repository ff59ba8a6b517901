"use client";
import { useCallback, useLayoutEffect, useMemo } from "react";
import type { InboxApproval } from "@/components/approvals/types";
import { useFocus } from "@/components/triage/focus";
import { useNews } from "@/components/triage/use-news";
import { useSelected } from "@/components/triage/use-selected";
import { performer } from "./acts";
import { answerActs, moveActs, triageActs } from "./inbox-acts";
import { useUnchanged } from "./inbox-rows";
import { useAnswers } from "./use-answers";
import { addressNow, isWide, useOpenApproval } from "./use-open-approval";
import { useAdditions, useSeen } from "./use-seen";
import { type InboxProps, useShown } from "./use-shown";
import { useTriage } from "./use-triage";

/** What the inbox shows, and what the owner can do with it. */
export function useInbox({ extra, opened, query, listAddress, view, rules, endings, ...props }: InboxProps) {
  const [listed, aside] = [useUnchanged(props.listed), useUnchanged(props.aside)];
  const read = useMemo(() => [...listed, ...aside, ...(extra ? [extra] : [])], [listed, aside, extra]);
  const news = useNews();
  const { announce, notify } = news;
  const { selected: openId, select, arm, isArmed } = useOpenApproval(opened, query, listAddress);
  const focusOn = useFocus();
  const go = useCallback(
    (approval: InboxApproval | undefined) => {
      select(approval);
      if (approval) focusOn(isWide() ? `[data-row="${approval._id}"]` : "#question");
      else focusOn("[data-empty] h2");
    },
    [select, focusOn],
  );
  const answering = useAnswers({
    undoSeconds: rules.undoSeconds,
    listed: read,
    endings,
    announce,
    notify,
    // When the last one fails there is nothing else open: back to it, unless the owner has gone elsewhere.
    onFailure: (approval) => addressNow() === listAddress && go(approval),
  });
  const { answers, isOpen } = answering;
  const shown = useShown({ ...props, listed, aside, extra, endings, view, openId, answers, isOpen });
  const triage = useTriage({ view, rows: shown, news });
  const { ordered, waiting, current, known } = shown;
  // Its buttons come into view with it, once it waits again, or now stand for more than they did.
  const answerable = current?.whole && isOpen(current) ? `${current._id} ${current.additions.length}` : undefined;
  useLayoutEffect(() => {
    if (answerable) arm();
  }, [answerable, arm]);
  useAdditions(current, notify);
  const { seen, mark } = useSeen(current, openId !== undefined || sideBySide());
  // To be answered together they must still be what they were when they were selected.
  const selection = useSelected(ordered.filter(isOpen), ({ _id, contentHash }) => `${_id} ${contentHash}`);

  const isNamed = openId !== undefined;
  const page = { view, rules, listed, isArmed, isNamed, select, focusOn, go };
  const inbox = { ...page, shown, answering, triage, news, selection };
  const acts = { ...answerActs(inbox), ...triageActs(inbox), ...moveActs(inbox) };
  return {
    ...shown,
    ...acts,
    answers,
    news,
    seen,
    selection,
    isOpen,
    isArmed,
    holdBack() {
      const counts = isArmed();
      if (counts) arm();
      return counts;
    },
    go,
    askBack: triage.askBack,
    perform: performer({ known, notify, ...acts }),
    mark: (as: boolean, approval = current) => approval && mark(approval, as),
    place: waiting.findIndex(({ _id }) => _id === current?._id) + 1,
    /** Whether the decision has the page of a phone to itself. */
    alone: isNamed,
  };
}

/** Whether list and decision are both in view; unknown on the server. */
const sideBySide = () => typeof window !== "undefined" && isWide();
