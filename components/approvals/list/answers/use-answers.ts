"use client";
import { useEffect, useEffectEvent } from "react";
import type { FormFields } from "@/components/actions/send-action";
import { isSigned } from "@/components/approvals/answer-signature";
import {
  answerStatusOf,
  type DisplayResolution,
  type InboxApproval,
  type RecentResolution,
} from "@/components/approvals/inbox-approval";
import type { Listed } from "@/components/triage/triage-state-machine";
import { useMachine } from "@/components/triage/use-triage-state-machine";
import { useFormats } from "@/components/ui/time/date-formats-provider";
import { inChunks } from "../send-inbox-actions";
import { reportNotice, updateDraft } from "./announce-answer-results";
import { sendRequest } from "./answer-requests";

type AnswersOptions = {
  undoSeconds: number;
  listed: InboxApproval[];
  endings: RecentResolution[];
  /**
   * Questions that their apps resolved while the owner's answer was held, and that the owner has
   * not seen since.
   */
  overtaken: InboxApproval[];
  announce: (words: string) => void;
  /** Shows a brief message. */
  notify: (words: string) => void;
  /** Reports an answer that was not received or not used. */
  onFailure: (approval: InboxApproval, words: string) => void;
  /** Called when an answer has been displayed for its full time. */
  onAnswered: (approval: InboxApproval) => void;
};

/** How long an answer is displayed before the next question opens, in milliseconds. */
const stayMs = 600;
/**
 * The minimum time that a signed answer is displayed, in milliseconds. The answer stays longer if
 * it can be undone for longer.
 */
const signedStayMs = 3000;

/**
 * Manages the owner's answers. The state machine in `components/triage` sends, holds and undoes
 * them.
 */
export function useAnswers({ undoSeconds, listed, endings, overtaken, announce, notify, ...on }: AnswersOptions) {
  const formats = useFormats();
  const { state, now, dispatch } = useMachine<InboxApproval, DisplayResolution>((effect, happen) => {
    if (effect.type === "request") return sendRequest(effect.request, happen);
    if (effect.type === "goOn") return on.onAnswered(effect.item);
    if (effect.type !== "tell") return updateDraft(effect);
    const stateOf = ({ _id }: InboxApproval) => now().items.get(_id);
    reportNotice(effect, { announce, notify, onFailure: on.onFailure, stateOf, formats });
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

  const isOpen = (approval: InboxApproval) => answerStatusOf(approval, answers.get(approval._id)).kind === "open";
  const give = (several: InboxApproval[], form: FormFields, stayMs = 0) => {
    const outcome = provisional(form);
    const parts = inChunks(several);
    // The state machine sends requests about the same subject one after another.
    const about = (item: InboxApproval) => parts.length > 1 && { about: [item._id, "together"] };
    for (const part of parts) {
      const items = part.map((item) => ({ id: item._id, item, outcome, ...about(item) }));
      dispatch({ type: "send", items, leftMs: undoSeconds * 1000, stayMs });
    }
  };
  /** Reads the current state, because the state in the caller's render may be outdated. */
  const heldOf = (several: InboxApproval[]) =>
    several.flatMap((item) => {
      const standing = answerStatusOf(item, now().items.get(item._id));
      return standing.kind === "held" ? [{ id: item._id, item, outcome: standing.resolution }] : [];
    });
  return {
    answers,
    isOpen,
    /** @returns false if the question is already answered, or an answer is being sent */
    answer(approval: InboxApproval, form: FormFields): boolean {
      if (!isOpen(approval)) return false;
      const stays = isSigned(approval, provisional(form)) ? Math.max(signedStayMs, undoSeconds * 1000) : stayMs;
      give([approval], form, stays);
      return true;
    },
    answerTogether: (several: InboxApproval[], form: FormFields) => give(several, form),
    /** Reports the open question to the state machine. */
    show: (item: InboxApproval | undefined) => dispatch({ type: "shown", id: item?._id, item }),
    seen: ({ _id }: InboxApproval) => dispatch({ type: "seen", ids: [_id] }),
    /** @returns the questions whose answers were held */
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

/** Returns the server's latest state of each question, by ID. */
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

const text = (form: FormFields, name: string) => String(form.get(name) ?? "");

/** Returns the resolution to display for a form's answer until the server responds. */
const provisional = (form: FormFields): DisplayResolution => ({
  ...(form.has("optionId")
    ? { kind: "option" as const, optionId: text(form, "optionId") }
    : { kind: "other" as const, otherText: text(form, "otherText") }),
  ...(text(form, "note").trim() && { note: text(form, "note") }),
  ...(form.has("values") && { values: JSON.parse(text(form, "values")) }),
  ...(form.has("picked") && { picked: text(form, "picked") }),
  ...(form.has("signature") && { passkeySignature: text(form, "signature") }),
  resolvedBy: "owner",
  resolvedAt: Date.now(),
});
