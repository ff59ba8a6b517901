"use client";
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { answerStatusOf, type InboxApproval } from "@/components/approvals/inbox-approval";
import { useFocus } from "@/components/triage/fallback-focus";
import { type ListStore, selectionIn, useListStore, useNews } from "@/components/triage/use-list-store";
import { choiceOf, useDialogs } from "./answer-question-or-selection";
import { useAnswers } from "./answers/use-answers";
import { answerActions, navigationActions, triageActions } from "./inbox-actions";
import type { InboxProps } from "./inbox-props";
import { inboxInterceptor, perform } from "./send-inbox-actions";
import { useApprovalTriage } from "./use-approval-triage";
import { useArrangedRows } from "./use-arranged-rows";
import { useUnchanged } from "./use-inbox-rows";
import { addressNow, isWide, rowOf, useGrow, useOpenApproval } from "./use-open-approval";
import { useAdditions, useSeen } from "./use-seen-questions";

/** The inbox's store, its derived state, and the owner's actions. */
export function useInbox({ extra, opened, listAddress, view, rules, endings, ...props }: InboxProps) {
  const store = useListStore(opened);
  // The page waits before it advances from the question that was open when the page loaded.
  const [arrivedAt] = useState(opened);
  const [listed, aside] = [useUnchanged(props.listed), useUnchanged(props.aside)];
  const read = useMemo(() => [...listed, ...aside, ...(extra ? [extra] : [])], [listed, aside, extra]);
  const news = useNews(store);
  const { announce, notify } = news;
  const { select, arm, rest, isArmed } = useOpenApproval(store, props.query, listAddress);
  const { named } = store.state;
  const focusOn = useFocus();
  const { go, dismissed } = useGo(select, focusOn);
  const { lingering, linger } = useLingering(named);
  const answering = useAnswers({
    undoSeconds: rules.undoSeconds,
    listed: read,
    endings,
    overtaken: props.overtaken,
    announce,
    notify,
    // If the question is not open, the failure is shown in the list or a toast.
    onFailure(approval, words) {
      if (current?._id === approval._id) return;
      if (!current && addressNow() === listAddress) return go(approval);
      // A toast, because the open question hides the list and the failure shown there.
      if (named !== undefined && !isWide()) news.show(words, { about: approval, open: () => go(approval) });
    },
    onAnswered: (approval) => actions.goOn(approval),
  });
  const { answers, isOpen } = answering;
  const [beyond, setBeyond] = useState<readonly InboxApproval[]>([]);
  const shown = useArrangedRows({ ...props, listed, aside, extra, endings, view, store, answers, isOpen, beyond });
  const triage = useApprovalTriage({ view, optimistic: props.optimistic, rows: shown, news });
  const { current, known } = shown;
  const place = usePlace({ shown, listed, view, grows: props.grows, isOpen });
  const presses = usePresses(current?.whole && isOpen(current) ? current : undefined, { arm, isArmed });
  dismissed.current = shown.dismiss;
  const inView = named !== undefined || sideBySide();
  useShownAnswer(answering, current, inView);
  useAdditions(current, notify);
  const { seen, mark } = useSeen(store, current, inView);
  const selection = selectionOf(store, { ordered: shown.ordered, beyond, isOpen });
  const dialogs = useDialogs(store);
  const isNamed = named !== undefined;
  const page = { view, rules, arrivedAt, linger, arm, rest, counts: presses.counts, isNamed, select, focusOn, go };
  const inbox = { ...page, shown, answering, triage, news, selection };
  const actions = { ...answerActions(inbox), ...triageActions(inbox), ...navigationActions(inbox) };
  return {
    ...shown,
    ...actions,
    ...presses,
    ...dialogs,
    choice: choiceOf(store, { current, ...selection, ...presses, notify, ...dialogs, ...actions }),
    answers,
    news,
    seen,
    selection,
    isOpen,
    go,
    focusOn,
    setFold: (key: string, open: boolean) => store.dispatch({ type: "folded", key, open }),
    askBack: triage.askBack,
    perform: inboxInterceptor({ known, notify, ...actions }),
    mark: (as: boolean) => mark(selection.selected.length > 0 ? selection.selected : current ? [current] : [], as),
    selectAll: selectAllWith(selection.add, setBeyond, notify),
    /** Advances from an answer before its full display time. */
    finish: answering.seen,
    /** Marks an answer that lost to another answer as read. */
    acknowledge(approval: InboxApproval) {
      answering.seen(approval);
      mark([approval], true);
    },
    place,
    inView,
    /** Whether the page advances a few seconds after the open question's answer. */
    leaves: lingering === current?._id,
    /** Whether the decision fills the screen on a phone. */
    alone: isNamed,
  };
}
export type InboxState = ReturnType<typeof useInbox>;

/**
 * The answered question that stays open for a few seconds before the page advances. Cleared when
 * another question opens.
 */
function useLingering(openId: string | undefined) {
  const [lingering, linger] = useState<string>();
  useEffect(() => linger((id) => (id === openId ? id : undefined)), [openId]);
  return { lingering: lingering ?? null, linger };
}

type Several = readonly InboxApproval[];

/**
 * Selects the app's questions for which `fits` returns true, including those that are not on this
 * page of the list.
 */
const selectAllWith =
  (
    add: (several: Several) => void,
    setBeyond: (next: (before: Several) => Several) => void,
    notify: (words: string) => void,
  ) =>
  (clientId: string, fits: (approval: InboxApproval) => boolean = () => true, then = () => {}): void =>
    perform(
      "approval.all-of",
      new URLSearchParams({ clientId }),
      (found) => {
        const all = found.map((it) => ({ ...it, whole: false, impersonates: false }));
        const ids = new Set(all.map(({ _id }) => _id));
        setBeyond((before) => [...before.filter(({ _id }) => !ids.has(_id)), ...all]);
        add(all.filter(fits));
        then();
      },
      (message) => notify(`Couldn’t select the questions. ${message}`),
    );

type Selectable = {
  ordered: readonly InboxApproval[];
  /** Selected questions that are not on this page of the list. */
  beyond: readonly InboxApproval[];
  /** Whether the question can still be answered. Other questions are deselected. */
  isOpen: (approval: InboxApproval) => boolean;
};

function selectionOf(store: ListStore, { ordered, beyond, isOpen }: Selectable) {
  const here = new Set(ordered.map(({ _id }) => _id));
  const all = [...ordered, ...beyond.filter(({ _id }) => !here.has(_id))];
  // The key includes the content hash, so a changed question is deselected.
  const selection = selectionIn(store, all.filter(isOpen), ({ _id, contentHash }) => `${_id} ${contentHash}`);
  return { ...selection, picking: store.state.picking, pick: () => store.dispatch({ type: "picked" }) };
}

type Select = (approval: InboxApproval | undefined) => void;

/** Opens a question or the list, and moves the focus there. */
function useGo(select: Select, focusOn: (selector: string) => void) {
  const dismissed = useRef(() => {});
  const go = useCallback<Select>(
    (approval) => {
      if (!approval) dismissed.current();
      select(approval);
      if (approval) focusOn(isWide() ? rowOf(approval) : "#question");
      else focusOn("[data-empty] h2");
    },
    [select, focusOn],
  );
  return { go, dismissed };
}

type Visible = Pick<InboxProps, "listed" | "view" | "grows"> & {
  shown: ReturnType<typeof useArrangedRows>;
  isOpen: (approval: InboxApproval) => boolean;
};

/**
 * The open question's position among the pending questions, from 1, or 0 if it is not pending.
 * Loads more near the end of the list.
 */
function usePlace({ shown: { ordered, waiting, current }, listed, view, grows, isOpen }: Visible): number {
  const line = view === "waiting" ? waiting : ordered;
  const index = line.findIndex(({ _id }) => _id === current?._id);
  // New pending rows may have no position yet. They count as well, so that more is not loaded too
  // early.
  const near = listed.filter((it) => view !== "waiting" || isOpen(it)).length;
  const endsSoon = grows && Math.max(line.length, near) - Math.max(0, index) < 5;
  const { growing, grow } = useGrow();
  useEffect(() => {
    if (endsSoon && !growing) grow();
  }, [endsSoon, growing, grow]);
  return waiting.findIndex(({ _id }) => _id === current?._id) + 1;
}

type Arming = { arm: () => void; isArmed: () => boolean };

/**
 * Presses count only after the question has been in view for a moment. @param open whether the open
 * question can be answered
 */
function usePresses(open: InboxApproval | undefined, { arm, isArmed }: Arming) {
  // The delay restarts when the question can be answered again, and when an addition may change
  // what the options mean.
  const answerable = open && `${open._id} ${open.additions.length}`;
  const [tooSoon, setTooSoon] = useState(false);
  useLayoutEffect(() => {
    if (!answerable) return;
    setTooSoon(false);
    arm();
  }, [answerable, arm]);
  useEffect(() => {
    if (!tooSoon) return;
    // The message covers buttons, so it is hidden again after a few seconds.
    const read = setTimeout(() => setTooSoon(false), 6000);
    return () => clearTimeout(read);
  }, [tooSoon]);
  /** Whether a press counts. Shows a message for a press that came too soon. */
  const counts = () => {
    const armed = isArmed();
    setTooSoon(!armed && answerable !== undefined);
    return armed;
  };
  return {
    tooSoon,
    counts,
    holdBack() {
      const counted = counts();
      if (counted) arm();
      return counted;
    },
  };
}

/**
 * Tells the state machine which question is in view, if it can be answered or this page acted on
 * it.
 */
function useShownAnswer(answering: ReturnType<typeof useAnswers>, current: InboxApproval | undefined, inView: boolean) {
  const phase = current && answering.answers.get(current._id)?.phase;
  const show = useEffectEvent(() =>
    answering.show(
      inView && current && (phase || answerStatusOf(current, undefined).kind === "open") ? current : undefined,
    ),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the open item or its phase changes
  useEffect(() => show(), [inView, current?._id, phase]);
}

/** Whether the list and the decision are side by side. False on the server. */
const sideBySide = () => typeof window !== "undefined" && isWide();
