"use client";
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { answerStatusOf, type InboxApproval } from "@/components/approvals/types";
import { useFocus } from "@/components/triage/focus";
import { useToast } from "@/components/triage/use-toast";
import { answerActs, navigationActions, triageActs } from "./inbox-actions";
import { useUnchanged } from "./inbox-rows";
import { inboxInterceptor, perform } from "./requests";
import { useAnswers } from "./use-answers";
import { addressNow, isWide, useGrow, useOpenApproval } from "./use-open-approval";
import { useAdditions, useSeen } from "./use-seen";
import { useSelection } from "./use-selection";
import { useTriage } from "./use-triage";
import { type InboxProps, useVisibleRows } from "./use-visible-rows";

/** What the inbox shows, and what the owner can do with it. */
export function useInbox({
  extra,
  opened,
  query,
  listAddress,
  view,
  grows,
  rules,
  endings,
  overtaken,
  ...props
}: InboxProps) {
  // Whoever was led here for one question is not thrown into another.
  const [arrivedAt] = useState(opened);
  const [listed, aside] = [useUnchanged(props.listed), useUnchanged(props.aside)];
  const read = useMemo(() => [...listed, ...aside, ...(extra ? [extra] : [])], [listed, aside, extra]);
  const news = useToast();
  const { announce, notify } = news;
  const { selected: openId, select, arm, rest, isArmed } = useOpenApproval(opened, query, listAddress);
  const focusOn = useFocus();
  const dismissed = useRef(() => {});
  const go = useCallback(
    (approval: InboxApproval | undefined) => {
      if (!approval) dismissed.current();
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
    overtaken,
    announce,
    notify,
    // It is told with its question. When the last one fails there is nothing else open: back to it.
    onFailure(approval, words) {
      if (current?._id === approval._id) return;
      if (!current && addressNow() === listAddress) return go(approval);
      // The list tells it too, where that is in view.
      if (openId !== undefined && !isWide()) news.show(words, { about: approval, open: () => go(approval) });
    },
    onAnswered: (approval) => acts.goOn(approval),
  });
  const { answers, isOpen } = answering;
  const shown = useVisibleRows({ ...props, listed, aside, extra, endings, view, openId, answers, isOpen });
  const triage = useTriage({ view, rows: shown, news });
  const { ordered, waiting, current, known } = shown;
  const place = waiting.findIndex(({ _id }) => _id === current?._id) + 1;
  const line = view === "waiting" ? waiting : ordered;
  const at = line.findIndex(({ _id }) => _id === current?._id);
  // Rows that were read and are not in their place yet do not end the list.
  const near = listed.filter((it) => view !== "waiting" || isOpen(it)).length;
  const endsSoon = grows && Math.max(line.length, near) - Math.max(0, at) < 5;
  const grow = useGrow();
  useEffect(() => {
    if (endsSoon) grow();
  }, [endsSoon, grow]);
  // Its buttons come into view with it, once it waits again, or now stand for more than they did.
  const answerable = current?.whole && isOpen(current) ? `${current._id} ${current.additions.length}` : undefined;
  const [tooSoon, setTooSoon] = useState(false);
  useLayoutEffect(() => {
    if (!answerable) return;
    setTooSoon(false);
    arm();
  }, [answerable, arm]);
  useEffect(() => {
    if (!tooSoon) return;
    // It lies over buttons.
    const read = setTimeout(() => setTooSoon(false), 6000);
    return () => clearTimeout(read);
  }, [tooSoon]);
  /** Whether a press counts; of one that does not, since the question has only just opened, that is told. */
  const counts = () => {
    const armed = isArmed();
    setTooSoon(!armed && answerable !== undefined);
    return armed;
  };
  dismissed.current = shown.dismiss;
  const inView = openId !== undefined || sideBySide();
  const phase = current && answers.get(current._id)?.phase;
  const show = useEffectEvent(() =>
    answering.show(
      inView && current && (phase || answerStatusOf(current, undefined).kind === "open") ? current : undefined,
    ),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: said anew when another stands there, or the same stands differently
  useEffect(() => show(), [inView, current?._id, phase]);
  useAdditions(current, notify);
  const { seen, mark } = useSeen(current, inView);
  const selection = useSelection(ordered, isOpen);

  const isNamed = openId !== undefined;
  const page = { view, rules, listed, arrivedAt, arm, rest, counts, isNamed, select, focusOn, go };
  const inbox = { ...page, shown, answering, triage, news, selection };
  const acts = { ...answerActs(inbox), ...triageActs(inbox), ...navigationActions(inbox) };
  return {
    ...shown,
    ...acts,
    answers,
    news,
    seen,
    selection,
    isOpen,
    counts,
    tooSoon,
    holdBack() {
      const counted = counts();
      if (counted) arm();
      return counted;
    },
    go,
    askBack: triage.askBack,
    perform: inboxInterceptor({ known, notify, ...acts }),
    mark(as: boolean) {
      for (const it of selection.selected.length > 0 ? selection.selected : current ? [current] : []) mark(it, as);
    },
    selectAll: (clientId: string) =>
      perform(
        "approval.all-of",
        new URLSearchParams({ clientId }),
        (all) => selection.addAll(all.map((it) => ({ ...it, whole: false, impersonates: false }))),
        (message) => notify(`Not selected: ${message}`),
      ),
    /** What became of an answer that was not used has been read. */
    acknowledge(approval: InboxApproval) {
      answering.seen(approval);
      mark(approval, true);
    },
    place,
    inView,
    /** Whether the decision has the page of a phone to itself. */
    alone: isNamed,
  };
}

/** Whether list and decision are both in view; unknown on the server. */
const sideBySide = () => typeof window !== "undefined" && isWide();
