"use client";
import { useEffect, useEffectEvent } from "react";
import type { FormFields } from "@/components/acts/send";
import { dropDraft, keepDraft } from "@/components/approvals/answer/drafts";
import { tooLate } from "@/components/approvals/decision/resolution";
import { type Ending, heldAs, type InboxApproval, standingOf } from "@/components/approvals/types";
import type { Listed, Reply, Request } from "@/components/triage/machine";
import type { Notice } from "@/components/triage/transitions";
import { useMachine } from "@/components/triage/use-machine";
import type { Answered } from "@/lib/approvals/answering";
import type { Resolution } from "@/lib/approvals/schema";
import { perform, withIds, withSeen } from "./acts";

type Wires = {
  undoSeconds: number;
  listed: InboxApproval[];
  endings: Ending[];
  announce: (words: string) => void;
  /** Something to tell the owner in passing. */
  notify: (words: string) => void;
  onFailure: (approval: InboxApproval) => void;
};
type AnswerRequest = Request<InboxApproval, Resolution>;

/** The owner's answers, by the machine that `components/triage` has: sent, held, taken back, hurried, put right. */
export function useAnswers({ undoSeconds, listed, endings, announce, notify, onFailure }: Wires) {
  const { state, now, happen } = useMachine<InboxApproval, Resolution>((effect, happen) => {
    if (effect.type === "request") return request(effect.request, happen);
    keepOrTell(effect);
  });
  const answers = state.items;

  const reread = useEffectEvent((listed: InboxApproval[], endings: Ending[]) =>
    happen({ type: "listed", list: wordsOf(listed, endings) }),
  );
  useEffect(() => reread(listed, endings), [listed, endings]);

  function request({ number, kind, items }: AnswerRequest, reply: typeof happen) {
    const several = items.map(({ item }) => item);
    const failed = (message: string) => reply({ type: "failed", request: number, message });
    const replied = (replies: [string, Reply<Resolution>][]) =>
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

  function keepOrTell(it: Notice<InboxApproval, Resolution>) {
    if (it.type === "dropWords") return dropDraft(it.id);
    if (it.type === "keepWords") {
      const { otherText, note } = it.outcome;
      if (otherText) keepDraft(it.id, "otherText", otherText);
      if (note) keepDraft(it.id, "note", note);
      return;
    }
    const { news, message } = it;
    for (const { item, outcome } of it.about) {
      if (news === "beaten" && outcome) announce(tooLate(item, outcome));
      if (news === "after all") announce(`Your answer did arrive: ${item.question}`);
      if (news !== "failed") continue;
      announce(`Not answered: ${message}`);
      onFailure(item);
    }
    if (news === "too late") notify(`Already sent to ${it.about[0]?.item.app.name}, so it cannot be undone`);
    if (news === "not undone") notify(`Not undone: ${message}`);
    if (news === "not committed") notify(`Not sent yet: ${message}`);
  }

  const isOpen = (approval: InboxApproval) => standingOf(approval, answers.get(approval._id)).kind === "open";
  const give = (several: InboxApproval[], form: FormFields) => {
    const outcome = provisional(form);
    happen({
      type: "send",
      items: several.map((item) => ({ id: item._id, item, outcome })),
      leftMs: undoSeconds * 1000,
    });
  };
  /** Of these, those whose answers are being held: by what is known now, also where it was asked for from an older frame. */
  const heldOf = (several: InboxApproval[]) =>
    several.flatMap((item) => {
      const standing = standingOf(item, now().items.get(item._id));
      return standing.kind === "held" ? [{ id: item._id, item, outcome: standing.resolution }] : [];
    });
  return {
    answers,
    isOpen,
    /** @returns false where it is answered already, or an answer is under way */
    answer(approval: InboxApproval, form: FormFields): boolean {
      if (!isOpen(approval)) return false;
      give([approval], form);
      return true;
    },
    answerTogether: give,
    /** @returns those that were held */
    undo(several: InboxApproval[]): InboxApproval[] {
      const items = heldOf(several);
      happen({ type: "undo", items });
      return items.map(({ item }) => item);
    },
    sendNow: (several: InboxApproval[]) => happen({ type: "commit", items: heldOf(several) }),
  };
}

/** What the service said last of each. */
function wordsOf(listed: InboxApproval[], endings: Ending[]): ReadonlyMap<string, Listed<Resolution>> {
  const ended = (outcome: Resolution) => ({
    type: outcome.resolvedBy === "api" ? ("overtaken" as const) : ("ended" as const),
    outcome,
  });
  return new Map<string, Listed<Resolution>>([
    ...listed.map(({ _id, resolution, triage }): [string, Listed<Resolution>] => [
      _id,
      resolution ? ended(resolution) : { type: triage.held ? "listed held" : "listed open" },
    ]),
    ...endings.map(({ id, resolution }): [string, Listed<Resolution>] => [id, ended(resolution)]),
  ]);
}

/** What became of an answer, as the machine has it. */
function replyOf(outcome: Answered | { message: string }): Reply<Resolution> {
  if ("message" in outcome) return { type: "refused", message: outcome.message };
  const { held, won, resolution } = outcome;
  if (held) return { type: "held", outcome: heldAs(held.answer, held.commitAt), leftMs: held.leftMs };
  // Only where this page does not know that its owner wants to be asked first.
  if (!resolution) return { type: "refused", message: "Choose it again to confirm it" };
  return { type: won ? "done" : "beaten", outcome: resolution };
}

/** What an answer says, as the fields of its form. */
const fieldsOf = ({ optionId, otherText, note = "" }: Resolution): Record<string, string> =>
  // This page asked before, where its owner wants that.
  optionId === undefined ? { otherText: otherText ?? "", note } : { optionId, confirmed: optionId, note };

/** The form of one answer, with what was shown when it was given. */
const answerForm = ({ id, item, outcome }: AnswerRequest["items"][number]) =>
  new URLSearchParams({ id, seen: item.contentHash, ...fieldsOf(outcome) });

const text = (form: FormFields, name: string) => String(form.get(name) ?? "");

/** What the answer will be once the service has it; its time is the browser's guess until then. */
const provisional = (form: FormFields): Resolution => ({
  ...(form.has("optionId")
    ? { kind: "option" as const, optionId: text(form, "optionId") }
    : { kind: "other" as const, otherText: text(form, "otherText") }),
  ...(text(form, "note").trim() && { note: text(form, "note") }),
  resolvedBy: "owner",
  resolvedAt: Date.now(),
});
