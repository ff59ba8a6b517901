"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { AnswerForm, AskBackForm, Several } from "@/lib/approvals/answer-form";
import { answerApproval, mustConfirm } from "@/lib/approvals/answering";
import { askBack } from "@/lib/approvals/asking-back";
import { bringBack, markUnexpected } from "@/lib/approvals/desk";
import { sendAnswersNow, undoAnswers } from "@/lib/approvals/held";
import { ownerAction } from "@/lib/web/owner-action";
import { MuteForm, muteApp, SnoozeForm, snooze } from "./desk";

/*
 * The forms of a decision, posted without scripts: its own page shows what holds. With scripts see ./acts.
 */

type Owner = Parameters<typeof answerApproval>[0];

/** Where a choice has to be confirmed, one that is not is shown again, chosen. */
export const postAnswer = ownerAction(AnswerForm, async (owner, { id, answer, seen, confirmed }) => {
  if (answer.optionId !== undefined && !confirmed && (await mustConfirm(owner, id)))
    return { chosen: answer.optionId, note: answer.note };
  await answerApproval(owner, id, answer, seen);
  redirect(`/approvals/${id}`);
});

const thenShow =
  <Input extends { ids: string[] }>(run: (owner: Owner, input: Input) => Promise<unknown>) =>
  async (owner: Owner, input: Input): Promise<undefined> => {
    await run(owner, input);
    redirect(`/approvals/${input.ids[0]}`);
  };

export const postUndo = ownerAction(
  Several,
  thenShow((owner, { ids }) => undoAnswers(owner, ids)),
);
export const postSendNow = ownerAction(
  Several,
  thenShow((owner, { ids }) => sendAnswersNow(owner, ids)),
);
export const postSnooze = ownerAction(SnoozeForm, thenShow(snooze));
export const postBringBack = ownerAction(
  Several,
  thenShow((owner, { ids }) => bringBack(owner, ids)),
);
export const postMute = ownerAction(MuteForm.extend({ id: z.string() }), async (owner, { id, ...choice }) => {
  await muteApp(owner, choice);
  redirect(`/approvals/${id}`);
});

export const postAsk = ownerAction(AskBackForm, async (owner, { id, text }) => {
  await askBack(owner, id, text);
  redirect(`/approvals/${id}`);
});

/** To what the app may do, so that it can be narrowed or revoked. */
export const postUnexpected = ownerAction(z.object({ id: z.string() }), async (owner, { id }) => {
  const { appId, live } = await markUnexpected(owner, id);
  redirect(live ? `/apps/${appId}` : "/apps");
});
