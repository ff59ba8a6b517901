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

/** The inbox's state and the owner's actions on it. */
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
  // An owner who followed a link to one question stays with it.
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
    // A failure is shown with its question. If nothing else is open, return to it.
    onFailure(approval, words) {
      if (current?._id === approval._id) return;
      if (!current && addressNow() === listAddress) return go(approval);
      // The list shows it too, if it is in view.
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
  // Rows without a position do not count as the end of the list.
  const near = listed.filter((it) => view !== "waiting" || isOpen(it)).length;
  const endsSoon = grows && Math.max(line.length, near) - Math.max(0, at) < 5;
  const grow = useGrow();
  useEffect(() => {
    if (endsSoon) grow();
  }, [endsSoon, grow]);
  // Re-arms when the buttons appear, the question is pending again, or an addition changes their
  // meaning.
  const answerable = current?.whole && isOpen(current) ? `${current._id} ${current.additions.length}` : undefined;
  const [tooSoon, setTooSoon] = useState(false);
  useLayoutEffect(() => {
    if (!answerable) return;
    setTooSoon(false);
    arm();
  }, [answerable, arm]);
  useEffect(() => {
    if (!tooSoon) return;
    // The message covers buttons, so it is brief.
    const read = setTimeout(() => setTooSoon(false), 6000);
    return () => clearTimeout(read);
  }, [tooSoon]);
  /** Whether a press counts. Shows a message for a press that came too soon. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the open item or its phase changes
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
    /** Marks the notice about a lost answer as read. */
    acknowledge(approval: InboxApproval) {
      answering.seen(approval);
      mark(approval, true);
    },
    place,
    inView,
    /** Whether the decision fills a phone's page. */
    alone: isNamed,
  };
}

/** Whether list and decision are side by side; false on the server. */
const sideBySide = () => typeof window !== "undefined" && isWide();
