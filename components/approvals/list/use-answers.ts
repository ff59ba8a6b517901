"use client";
import { useEffect, useEffectEvent } from "react";
import type { FormFields } from "@/components/actions/send";
import { dropDraft, keepDraft } from "@/components/approvals/answer/drafts";
import { lostRaceMessage } from "@/components/approvals/decision/lost-race";
import {
  answerStatusOf,
  type DisplayResolution,
  heldAs,
  type InboxApproval,
  type RecentResolution,
} from "@/components/approvals/types";
import type { Notice } from "@/components/triage/item-state";
import type { Listed, Reply, Request } from "@/components/triage/machine";
import { useMachine } from "@/components/triage/use-machine";
import { useFormats } from "@/components/ui/time/formats";
import { momentInWords } from "@/components/ui/time/relative-time";
import type { AnswerResult } from "@/lib/approvals/answer";
import type { Resolution } from "@/lib/approvals/schema";
import { inChunks, perform, withIds, withSeen } from "./requests";

type Wires = {
  undoSeconds: number;
  listed: InboxApproval[];
  endings: RecentResolution[];
  /** Questions that their apps answered while the owner's answer was held, not seen since. */
  overtaken: InboxApproval[];
  announce: (words: string) => void;
  /** Shows a brief message. */
  notify: (words: string) => void;
  /** An answer did not arrive, or was not used. */
  onFailure: (approval: InboxApproval, words: string) => void;
  /** An answer has been in view for long enough. */
  onAnswered: (approval: InboxApproval) => void;
};
type AnswerRequest = Request<InboxApproval, DisplayResolution>;

/** How long an answer stays in view before the next question opens. */
const stayMs = 600;

/**
 * The owner's answers, run by the state machine in `components/triage`: sent, held, undone, sent
 * now and corrected.
 */
export function useAnswers({ undoSeconds, listed, endings, overtaken, announce, notify, ...on }: Wires) {
  const formats = useFormats();
  const { state, now, dispatch } = useMachine<InboxApproval, DisplayResolution>((effect, happen) => {
    if (effect.type === "request") return request(effect.request, happen);
    if (effect.type === "goOn") return on.onAnswered(effect.item);
    keepOrTell(effect);
  });
  const answers = state.items;

  const reread = useEffectEvent((listed: InboxApproval[], endings: RecentResolution[]) =>
    dispatch({ type: "listed", list: wordsOf(listed, endings) }),
  );
  useEffect(() => reread(listed, endings), [listed, endings]);
  useEffect(() => {
    const items = overtaken.flatMap((item) =>
      item.resolution ? [{ id: item._id, item, outcome: item.resolution }] : [],
    );
    dispatch({ type: "missed", items });
  }, [overtaken, dispatch]);

  function request({ number, kind, items }: AnswerRequest, reply: typeof dispatch) {
    const several = items.map(({ item }) => item);
    const failed = (message: string) => reply({ type: "failed", request: number, message });
    const replied = (replies: [string, Reply<DisplayResolution>][]) =>
      reply({ type: "replied", request: number, replies: new Map(replies) });
    const [first] = items;
    if (kind === "undo")
      perform(
        "approval.undo",
        withIds(several),
        ({ sent }) => reply({ type: "undone", request: number, late: sent }),
        failed,
      );
    else if (kind === "commit")
      perform("approval.send-now", withIds(several), () => reply({ type: "committed", request: number }), failed);
    else if (first && items.length > 1)
      perform(
        "approval.answer-together",
        withSeen(several, fieldsOf(first.outcome)),
        (outcomes) => replied(outcomes.map((outcome) => [outcome.id, replyOf(outcome)])),
        failed,
      );
    else if (first)
      perform("approval.answer", answerForm(first), (outcome) => replied([[first.id, replyOf(outcome)]]), failed);
  }

  function keepOrTell(it: Exclude<Notice<InboxApproval, DisplayResolution>, { type: "goOn" }>) {
    if (it.type === "dropWords") return dropDraft(it.id);
    if (it.type === "keepWords") {
      const { otherText, note } = it.outcome;
      if (otherText) keepDraft(it.id, "otherText", otherText);
      if (note) keepDraft(it.id, "note", note);
      return;
    }
    const { news, message } = it;
    for (const { item, outcome } of it.about) {
      if (news === "beaten" && outcome) {
        const local = now().items.get(item._id);
        const sent = local?.phase === "beaten" && local.sent;
        const late = lostRaceMessage(item, outcome, sent, momentInWords(outcome.resolvedAt, Date.now(), formats));
        announce(late);
        if (sent) on.onFailure(item, late);
      }
      if (news === "after all") announce(`Your answer was received after all: ${item.question}`);
      if (news !== "failed") continue;
      announce(`Not answered: ${message}`);
      on.onFailure(item, `Not answered: ${message}`);
    }
    if (news === "too late") notify(`Already sent to ${it.about[0]?.item.app.name}, so it can't be undone`);
    if (news === "not undone") notify(`Couldn't undo: ${message}`);
    if (news === "not committed") notify(`Not sent yet: ${message}`);
  }

  const isOpen = (approval: InboxApproval) => answerStatusOf(approval, answers.get(approval._id)).kind === "open";
  const give = (several: InboxApproval[], form: FormFields, stayMs = 0) => {
    const outcome = provisional(form);
    const parts = inChunks(several);
    // Chunks are sent one after another.
    const about = (item: InboxApproval) => parts.length > 1 && { about: [item._id, "together"] };
    for (const part of parts) {
      const items = part.map((item) => ({ id: item._id, item, outcome, ...about(item) }));
      dispatch({ type: "send", items, leftMs: undoSeconds * 1000, stayMs });
    }
  };
  /**
   * The held answers among these, from the current state, because the caller's frame may be
   * older.
   */
  const heldOf = (several: InboxApproval[]) =>
    several.flatMap((item) => {
      const standing = answerStatusOf(item, now().items.get(item._id));
      return standing.kind === "held" ? [{ id: item._id, item, outcome: standing.resolution }] : [];
    });
  return {
    answers,
    isOpen,
    /** @returns false if it is answered already, or an answer is being sent */
    answer(approval: InboxApproval, form: FormFields): boolean {
      if (!isOpen(approval)) return false;
      give([approval], form, stayMs);
      return true;
    },
    answerTogether: (several: InboxApproval[], form: FormFields) => give(several, form),
    /** Sets the open question, if it is pending or its answer was just lost. */
    show: (item: InboxApproval | undefined) => dispatch({ type: "shown", id: item?._id, item }),
    seen: ({ _id }: InboxApproval) => dispatch({ type: "seen", ids: [_id] }),
    /** @returns those that were held */
    undo(several: InboxApproval[]): InboxApproval[] {
      const items = heldOf(several);
      for (const part of inChunks(items)) dispatch({ type: "undo", items: part });
      return items.map(({ item }) => item);
    },
    sendNow(several: InboxApproval[]) {
      for (const part of inChunks(heldOf(several))) dispatch({ type: "commit", items: part });
    },
  };
}

/** The server's latest state of each question. */
function wordsOf(listed: InboxApproval[], endings: RecentResolution[]): ReadonlyMap<string, Listed<DisplayResolution>> {
  const ended = (outcome: DisplayResolution) => ({
    type: outcome.resolvedBy === "api" ? ("overtaken" as const) : ("ended" as const),
    outcome,
  });
  return new Map<string, Listed<DisplayResolution>>([
    ...listed.map(({ _id, resolution, triage }): [string, Listed<DisplayResolution>] => [
      _id,
      resolution ? ended(resolution) : { type: triage.held ? "listed held" : "listed open" },
    ]),
    ...endings.map(({ id, resolution, byDefault }): [string, Listed<DisplayResolution>] => [
      id,
      ended({ ...resolution, byDefault }),
    ]),
  ]);
}

/** The server's result as the machine's reply. */
function replyOf(outcome: AnswerResult | { message: string }): Reply<DisplayResolution> {
  if ("message" in outcome) return { type: "refused", message: outcome.message };
  const { held, won, resolution } = outcome;
  if (held) return { type: "held", outcome: heldAs(held.answer, held.commitAt), leftMs: held.leftMs };
  // Only if this page does not know yet that its owner turned on confirmation.
  if (!resolution) return { type: "refused", message: "Choose it again to confirm it" };
  return { type: won ? "done" : "beaten", outcome: resolution };
}

/** An answer as form fields. */
const fieldsOf = ({ optionId, otherText, note = "" }: Resolution): Record<string, string> =>
  // This page has already confirmed, if its owner requires that.
  optionId === undefined ? { otherText: otherText ?? "", note } : { optionId, confirmed: optionId, note };

/** The form of one answer, with the content hash of the displayed question. */
const answerForm = ({ id, item, outcome }: AnswerRequest["items"][number]) =>
  new URLSearchParams({ id, seen: item.contentHash, ...fieldsOf(outcome) });

const text = (form: FormFields, name: string) => String(form.get(name) ?? "");

/** The expected answer; its time is the browser's estimate until the server replies. */
const provisional = (form: FormFields): Resolution => ({
  ...(form.has("optionId")
    ? { kind: "option" as const, optionId: text(form, "optionId") }
    : { kind: "other" as const, otherText: text(form, "otherText") }),
  ...(text(form, "note").trim() && { note: text(form, "note") }),
  resolvedBy: "owner",
  resolvedAt: Date.now(),
});
