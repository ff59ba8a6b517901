"use client";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { areAlike, type InboxApproval, type Sent, standingOf } from "@/components/approvals/types";
import { singleKeysAct } from "@/components/keys/single-keys";
import { lookAgain } from "@/components/live/live-state";
import { firstSeen } from "@/components/triage/keeps-focus";
import { usePicked } from "@/components/triage/use-picked";
import { useToast } from "@/components/triage/use-toast";
import type { InboxProps } from "./inbox";
import { useAdditions } from "./use-additions";
import { useAnswers } from "./use-answers";
import { useDesk } from "./use-desk";
import { inOrder, useFolds } from "./use-folds";
import { useRows } from "./use-rows";
import { useSame } from "./use-same";
import { useSeen } from "./use-seen";
import { isWide, useSelection, writtenAddress } from "./use-selection";

/** What the inbox shows, and what the owner can do with it. */
export function useInbox(props: InboxProps) {
  const { extra, opened, endings, total, query, listAddress, view, searches, rules } = props;
  const [listed, aside] = [useSame(props.listed), useSame(props.aside)];
  const [said, say] = useState("");
  const [shown, setShown] = useState<string>();
  const { toast, show: showToast, hide: hideToast } = useToast();
  const tell = (words: string) => {
    say(words);
    showToast(words);
  };
  const { selected, select, arm, isArmed } = useSelection(opened, query, listAddress);
  const all = useMemo(() => [...listed, ...aside], [listed, aside]);
  const focusOn = useFocus();
  const read = useMemo(() => (extra ? [...all, extra] : all), [all, extra]);
  const answers = useAnswers({
    undoSeconds: rules.undoSeconds,
    listed: read,
    endings,
    say,
    tell,
    // When the last one fails there is nothing else open: back to it, unless the owner has gone elsewhere.
    onFailure: (approval) => writtenAddress() === listAddress && go(approval),
  });
  const { sent, isOpen } = answers;
  const desk = useDesk({ listed: all, say, tell, show: showToast });
  const rows = useRows(all, endings, shown, sent).filter(({ _id }) => !desk.away.has(_id));
  const { blocks, set: setFold } = useFolds(rows, view === "waiting" && !searches, selected);
  const ordered = inOrder(blocks);

  const open = ordered.filter(isOpen);
  // Of what waits for its app, nothing is asked of the owner now.
  const waiting = view === "waiting" ? open.filter(({ desk }) => !desk.askedBack) : open;
  // Where the address names none, the longest waiting stands beside the list, and stays there when it ends elsewhere.
  const stayed = selected ? undefined : ordered.find(({ _id }) => _id === shown && !sent.has(_id));
  const known = [...(extra ? [extra] : []), ...rows, ...[...sent.values()].map(({ approval }) => approval)];
  const named = known.find(({ _id }) => _id === selected);
  // One that was chosen never becomes another under its address: what this page does not have is read.
  const current = selected ? named : (stayed ?? (view === "passed" ? ordered : waiting)[0]);
  const lacks = named ? undefined : selected;
  useEffect(() => {
    if (lacks) lookAgain();
  }, [lacks]);
  if (current?._id !== shown) setShown(current?._id);
  // Its buttons come into view with it, once it waits again, or now stand for more than they did.
  const answerable = current?.whole && isOpen(current) ? `${current._id} ${current.additions.length}` : undefined;
  useLayoutEffect(() => {
    if (answerable) arm();
  }, [answerable, arm]);
  useAdditions(current, tell);
  const { seen, mark } = useSeen(current, selected !== undefined || wide());
  const { picked, ...picking } = usePicked(open);

  const at = waiting.findIndex(({ _id }) => _id === current?._id);
  const after = current && waiting.find((approval) => approval._creationTime > current._creationTime);
  const next = waiting[at + 1] ?? after ?? waiting.find((approval) => approval !== current);
  const done = listed.filter(
    (approval) => !approval.desk.held && (!isOpen(approval) || desk.away.has(approval._id)),
  ).length;
  const back = listed.filter((approval) => approval.desk.held && isOpen(approval)).length;
  const left = Math.max(0, total - done + back);

  const go = useCallback(
    (approval: InboxApproval | undefined) => {
      select(approval);
      if (approval) focusOn(isWide() ? `[data-row="${approval._id}"]` : "#question");
      else focusOn("[data-empty] h2");
    },
    [select, focusOn],
  );
  /** The first that still waits after these are done with. */
  const past = (several: InboxApproval[]) => {
    const gone = new Set(several.map(({ _id }) => _id));
    return next && !gone.has(next._id) ? next : waiting.find(({ _id }) => !gone.has(_id));
  };

  const seconds = rules.undoSeconds;
  /** Say that an answer was given, and offer to take it back while that is possible. */
  const given = (several: InboxApproval[], words: string) => {
    const counted = listed.filter(({ _id, app }) => !app.muted && several.some((it) => it._id === _id));
    const rest = view === "waiting" ? ` ${Math.max(0, left - counted.length)} waiting.` : "";
    say(`${words}.${rest}${seconds > 0 ? ` Undo for ${seconds} seconds${singleKeysAct() ? ": U" : ""}.` : ""}`);
    if (seconds === 0) return hideToast();
    showToast(words, { leftMs: seconds * 1000, held: several });
  };
  const takeBack = (several: InboxApproval[]) => {
    hideToast();
    const mine = several.filter((approval) => standingOf(approval, sent.get(approval._id)).kind === "held");
    if (mine.length === 0) return tell("Nothing to undo: it is answered already");
    answers.undo(mine);
    say(mine.length === 1 ? "Taken back: it waits again." : `${mine.length} answers taken back.`);
    go(mine[0]);
  };

  const acting = current && isOpen(current) ? current : undefined;
  return {
    rows,
    blocks,
    setFold,
    current,
    sent,
    said,
    waiting,
    left,
    toast,
    hideToast,
    seen,
    picked,
    picking,
    next: next === current ? undefined : next,
    place: at + 1,
    /** Whether the decision has the page of a phone to itself. */
    alone: selected !== undefined,
    isOpen,
    isArmed,
    go,
    mark: (as: boolean, approval = current) => approval && mark(approval, as),
    open(approval: InboxApproval) {
      const again = approval._id === current?._id;
      select(approval);
      if (again || !isWide()) focusOn("#question");
    },
    move(by: 1 | -1, picks = false) {
      const to = ordered[ordered.findIndex(({ _id }) => _id === current?._id) + by];
      if (picks && current) picking.add([current, ...(to ? [to] : [])].filter(isOpen));
      if (to) go(to);
    },
    give(approval: InboxApproval, form: FormData) {
      if (!isArmed() || !answers.answer(approval, form)) return;
      given([approval], `Answered ‘${short(answerWords(approval, form))}’`);
      go(next === approval ? undefined : next);
    },
    /** The same answer for all that are picked. */
    giveAll(form: FormData) {
      const several = picked.filter(isOpen);
      const [first] = several;
      if (!first || !areAlike(several)) return;
      answers.answerTogether(several, form);
      given(several, `Answered ${several.length} with ‘${short(answerWords(first, form))}’`);
      picking.clear();
      go(past(several));
    },
    takeBack,
    sendNow(several: InboxApproval[]) {
      hideToast();
      answers.sendNow(several);
    },
    undoLast() {
      if (toast?.held) return takeBack(toast.held);
      if (toast?.undo) return toast.undo();
      const held = latestHeld(rows, sent);
      if (held) return takeBack([held]);
      const [last] = [...sent.values()].sort((a, b) => b.at - a.at);
      tell(
        last && standingOf(last.approval, last).kind !== "open"
          ? `Already sent to ${last.approval.app.name}: an answer cannot be taken back. Settings offer a few seconds to undo`
          : "Nothing to undo",
      );
    },
    /** Put off what is picked, or else the open one. */
    snooze(choice: string) {
      const several = picked.length > 0 ? picked.filter(isOpen) : acting ? [acting] : [];
      if (several.length === 0) return;
      desk.snooze(several, choice);
      picking.clear();
      go(past(several));
    },
    askBack: desk.askBack,
    bringBack(several: InboxApproval[]) {
      desk.bringBack(several);
      go(past(several));
    },
    mute(approval: InboxApproval, as: boolean) {
      desk.mute(approval, as);
      if (as && view === "waiting") {
        const others = waiting.filter(({ clientId }) => clientId !== approval.clientId);
        go(others.find((it) => it._creationTime > approval._creationTime) ?? others[0]);
      }
    },
    explain: () => tell(`Approvals leave only when answered. Snooze puts one off${singleKeysAct() ? ": H" : ""}`),
    back() {
      if (document.activeElement instanceof HTMLTextAreaElement) return focusOn("#question");
      if (picked.length > 0) return picking.clear();
      if (!isWide() && !selected) return;
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
function latestHeld(rows: InboxApproval[], sent: ReadonlyMap<string, Sent>): InboxApproval | undefined {
  const isHeld = (approval: InboxApproval) => {
    const standing = standingOf(approval, sent.get(approval._id));
    return standing.kind === "held" && standing.until > performance.now();
  };
  const [mine] = [...sent.values()].filter(({ approval }) => isHeld(approval)).sort((a, b) => b.at - a.at);
  const due = ({ desk }: InboxApproval) => desk.held?.commitAt ?? 0;
  return mine?.approval ?? rows.filter(isHeld).sort((a, b) => due(b) - due(a))[0];
}

/** Whether list and decision are both in view; unknown on the server. */
const wide = () => typeof window !== "undefined" && isWide();

/** What a form answers, in the words that the owner chose by. */
function answerWords({ options }: InboxApproval, form: FormData): string {
  const optionId = form.get("optionId");
  return options.find(({ id }) => id === optionId)?.label ?? String(form.get("otherText") ?? "");
}

const short = (text: string) => (text.length > 60 ? `${text.slice(0, 59).trimEnd()}…` : text);

/** Move the focus once the next frame is there. Of several elements, to the first that can be seen. */
function useFocus() {
  const wanted = useRef<string>(undefined);
  const [, again] = useState(0);
  useEffect(() => {
    if (!wanted.current) return;
    const seen = firstSeen(wanted.current);
    wanted.current = undefined;
    seen?.focus();
    seen?.scrollIntoView({ block: "nearest" });
  });
  return useCallback((selector: string) => {
    wanted.current = selector;
    again((count) => count + 1);
  }, []);
}
