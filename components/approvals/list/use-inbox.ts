"use client";
import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from "react";
import {
  type AnswerState,
  areAlike,
  type Ending,
  type InboxApproval,
  type Rules,
  standingOf,
} from "@/components/approvals/types";
import { singleKeysAct } from "@/components/keys/single-keys";
import { lookAgain } from "@/components/live/live-state";
import { useFocus } from "@/components/triage/focus";
import { useNews } from "@/components/triage/use-news";
import { useSelected } from "@/components/triage/use-selected";
import { performer } from "./acts";
import { leftOf, nextAfter, nextPast, waitingIn } from "./queue";
import { useAnswers } from "./use-answers";
import { inOrder, useFolds } from "./use-folds";
import { isWide, useOpenApproval, writtenAddress } from "./use-open-approval";
import { useRows, useUnchanged } from "./use-rows";
import { useAdditions, useSeen } from "./use-seen";
import { useTriage } from "./use-triage";

export type InboxProps = {
  view: "waiting" | "snoozed" | "passed";
  /** Whether the browser says that it is a phone. */
  phone: boolean;
  /** Whether these rows were searched for, so that none of them is to be folded away. */
  searches?: boolean;
  /** The rows of this page of the list, and beside it of what waits for its app, or in muted apps. */
  listed: InboxApproval[];
  aside: InboxApproval[];
  /** The decision that the address names, when it may not be among the rows. */
  extra?: InboxApproval | undefined;
  /** Its id. */
  opened?: string | undefined;
  /** What ended lately, and what of that its app answered while the owner's answer was being held. */
  endings: Ending[];
  overtaken: InboxApproval[];
  /** How many there are in all, at most 100. */
  total: number;
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

/** What the inbox shows, and what the owner can do with it. */
export function useInbox(props: InboxProps) {
  const { extra, opened, endings, total, query, listAddress, view, searches, rules } = props;
  const [listed, aside] = [useUnchanged(props.listed), useUnchanged(props.aside)];
  const [shown, setShown] = useState<string>();
  const news = useNews();
  const { announce, notify } = news;
  const { selected: openId, select, arm, isArmed } = useOpenApproval(opened, query, listAddress);
  const all = useMemo(() => [...listed, ...aside], [listed, aside]);
  const focusOn = useFocus();
  const read = useMemo(() => (extra ? [...all, extra] : all), [all, extra]);
  const answering = useAnswers({
    undoSeconds: rules.undoSeconds,
    listed: read,
    endings,
    announce,
    notify,
    // When the last one fails there is nothing else open: back to it, unless the owner has gone elsewhere.
    onFailure: (approval) => writtenAddress() === listAddress && go(approval),
  });
  const { answers, isOpen } = answering;
  const triage = useTriage(all, news);
  const rows = useRows(all, endings, shown, answers).filter(({ _id }) => !triage.away.has(_id));
  const { blocks, set: setFold } = useFolds(rows, view === "waiting" && !searches, openId);
  const ordered = inOrder(blocks);
  const waiting = waitingIn({ ordered, view, isOpen });

  // Where the address names none, the longest waiting stands beside the list, and stays there when it ends elsewhere.
  const stayed = openId ? undefined : ordered.find(({ _id }) => _id === shown && !answers.has(_id));
  const known = [...(extra ? [extra] : []), ...rows, ...[...answers.values()].map(({ item }) => item)];
  const named = known.find(({ _id }) => _id === openId);
  // One that was chosen never becomes another under its address: what this page does not have is read.
  const current = openId ? named : (stayed ?? (view === "passed" ? ordered : waiting)[0]);
  const lacks = named ? undefined : openId;
  useEffect(() => {
    if (lacks) lookAgain();
  }, [lacks]);
  if (current?._id !== shown) setShown(current?._id);
  // Its buttons come into view with it, once it waits again, or now stand for more than they did.
  const answerable = current?.whole && isOpen(current) ? `${current._id} ${current.additions.length}` : undefined;
  useLayoutEffect(() => {
    if (answerable) arm();
  }, [answerable, arm]);
  useAdditions(current, notify);
  const { seen, mark } = useSeen(current, openId !== undefined || wide());
  // To be answered together they must still be what they were when they were selected.
  const selection = useSelected(ordered.filter(isOpen), ({ _id, contentHash }) => `${_id} ${contentHash}`);
  const { selected } = selection;
  const next = nextAfter(current, waiting);
  const left = leftOf({ listed, total, isOpen, away: triage.away });

  const go = useCallback(
    (approval: InboxApproval | undefined) => {
      select(approval);
      if (approval) focusOn(isWide() ? `[data-row="${approval._id}"]` : "#question");
      else focusOn("[data-empty] h2");
    },
    [select, focusOn],
  );
  const goPast = (these: InboxApproval[]) => go(nextPast(these, waiting, next));

  const undo = (several: InboxApproval[]) => {
    news.hide();
    const [first, ...others] = answering.undo(several);
    if (!first) return notify("Nothing to undo: it is answered already");
    announce(others.length === 0 ? "Taken back: it waits again." : `${others.length + 1} answers taken back.`);
    go(first);
  };
  const sendNow = (several: InboxApproval[]) => {
    news.hide();
    answering.sendNow(several);
  };
  /** Say that an answer was given, and offer to take it back while that is possible. */
  const sayAnswered = (several: InboxApproval[], words: string) => {
    const counted = listed.filter(({ _id, app }) => !app.muted && several.some((it) => it._id === _id));
    const rest = view === "waiting" ? ` ${Math.max(0, left - counted.length)} waiting.` : "";
    const seconds = rules.undoSeconds;
    announce(`${words}.${rest}${seconds > 0 ? ` Undo for ${seconds} seconds${singleKeysAct() ? ": U" : ""}.` : ""}`);
    if (seconds === 0) return news.hide();
    news.show(words, { leftMs: seconds * 1000, undo: () => undo(several), commit: () => sendNow(several) });
  };

  const bringBack = (several: InboxApproval[]) => {
    triage.bringBack(several);
    goPast(several);
  };
  const mute = (approval: InboxApproval, as: boolean) => {
    triage.mute(approval, as);
    if (!as || view !== "waiting") return;
    const others = waiting.filter(({ clientId }) => clientId !== approval.clientId);
    go(others.find((it) => it._creationTime > approval._creationTime) ?? others[0]);
  };
  const performHere = performer({ known, undo, sendNow, bringBack, mute, notify });

  return {
    rows,
    blocks,
    setFold,
    current,
    answers,
    waiting,
    left,
    news,
    seen,
    selection,
    next,
    isOpen,
    isArmed,
    go,
    undo,
    sendNow,
    askBack: triage.askBack,
    place: waiting.findIndex(({ _id }) => _id === current?._id) + 1,
    /** Whether the decision has the page of a phone to itself. */
    alone: openId !== undefined,
    mark: (as: boolean, approval = current) => approval && mark(approval, as),
    open(approval: InboxApproval) {
      const again = approval._id === current?._id;
      select(approval);
      if (again || !isWide()) focusOn("#question");
    },
    move(by: 1 | -1, selects = false) {
      const to = ordered[ordered.findIndex(({ _id }) => _id === current?._id) + by];
      if (selects && current) selection.add([current, ...(to ? [to] : [])].filter(isOpen));
      if (to) go(to);
    },
    answer(approval: InboxApproval, form: FormData) {
      if (!isArmed() || !answering.answer(approval, form)) return;
      sayAnswered([approval], `Answered ‘${short(answerWords(approval, form))}’`);
      go(next === approval ? undefined : next);
    },
    /** The same answer for all that are selected. */
    answerSelected(form: FormData) {
      const [first] = selected;
      if (!first || !areAlike(selected)) return;
      answering.answerTogether(selected, form);
      sayAnswered(selected, `Answered ${selected.length} with ‘${short(answerWords(first, form))}’`);
      selection.clear();
      goPast(selected);
    },
    undoLast() {
      if (news.toast?.undo) return news.toast.undo();
      const held = latestHeld(rows, answers);
      if (held) return undo([held]);
      const [last] = [...answers.values()].sort((a, b) => b.at - a.at);
      notify(
        last && standingOf(last.item, last).kind !== "open"
          ? `Already sent to ${last.item.app.name}: an answer cannot be taken back. Settings offer a few seconds to undo`
          : "Nothing to undo",
      );
    },
    /** Put off what is selected, or else the open one. */
    snooze(choice: string) {
      const several = selected.length > 0 ? selected : current && isOpen(current) ? [current] : [];
      if (several.length === 0) return;
      triage.snooze(several, choice);
      selection.clear();
      goPast(several);
    },
    perform: performHere,
    explain: () => notify(`Approvals leave only when answered. Snooze puts one off${singleKeysAct() ? ": H" : ""}`),
    back() {
      if (document.activeElement instanceof HTMLTextAreaElement) return focusOn("#question");
      if (selected.length > 0) return selection.clear();
      if (!isWide() && !openId) return;
      if (!isWide()) select(undefined);
      focusOn(`[data-row="${current?._id}"]`);
    },
    toList() {
      select(undefined);
      focusOn(`[data-row="${current?._id}"]`);
    },
  };
}

/** Of the answers that can still be taken back the latest: of this page, or else of those that the list shows. */
function latestHeld(rows: InboxApproval[], answers: ReadonlyMap<string, AnswerState>): InboxApproval | undefined {
  const isHeld = (approval: InboxApproval) => {
    const standing = standingOf(approval, answers.get(approval._id));
    return standing.kind === "held" && standing.until > performance.now();
  };
  const [mine] = [...answers.values()].filter(({ item }) => isHeld(item)).sort((a, b) => b.at - a.at);
  const due = ({ desk }: InboxApproval) => desk.held?.commitAt ?? 0;
  return mine?.item ?? rows.filter(isHeld).sort((a, b) => due(b) - due(a))[0];
}

/** Whether list and decision are both in view; unknown on the server. */
const wide = () => typeof window !== "undefined" && isWide();

/** What a form answers, in the words that the owner chose by. */
function answerWords({ options }: InboxApproval, form: FormData): string {
  const optionId = form.get("optionId");
  return options.find(({ id }) => id === optionId)?.label ?? String(form.get("otherText") ?? "");
}

const short = (text: string) => (text.length > 60 ? `${text.slice(0, 59).trimEnd()}…` : text);
