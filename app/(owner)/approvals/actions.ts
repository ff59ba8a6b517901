"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { AnswerForm, AskBackForm, Several, TogetherForm } from "@/lib/approvals/answer-form";
import { answerApproval, answerTogether, mustConfirm } from "@/lib/approvals/answering";
import { askBack } from "@/lib/approvals/asking-back";
import { bringBack, markUnexpected, snoozeApprovals } from "@/lib/approvals/desk";
import { sendAnswersNow, undoAnswers } from "@/lib/approvals/held";
import { changeAppChoice } from "@/lib/grants/app-choices";
import { readSettings } from "@/lib/owners/settings";
import { SnoozeChoice } from "@/lib/owners/snooze";
import { ownerAction } from "@/lib/web/owner-action";

type Owner = Parameters<typeof answerApproval>[0];

const Snooze = Several.extend({ choice: SnoozeChoice });
const Mute = z.object({ clientId: z.string().regex(/^app_[0-9a-v]{32}$/), muted: z.enum(["yes", "no"]) });

const snoozeFor = async (owner: Owner, { ids, choice }: z.output<typeof Snooze>) =>
  snoozeApprovals(owner, ids, { choice, timeZone: (await readSettings(owner)).timeZone });
const muteApp = (owner: Owner, { clientId, muted }: z.output<typeof Mute>) =>
  changeAppChoice(owner, clientId, { questionsMuted: muted === "yes" });

export const sendAnswer = ownerAction(AnswerForm, (owner, { id, answer, seen }) =>
  answerApproval(owner, id, answer, seen),
);
export const sendTogether = ownerAction(TogetherForm, (owner, { several, answer }) =>
  answerTogether(owner, several, answer),
);
export const undo = ownerAction(Several, (owner, { ids }) => undoAnswers(owner, ids));
export const sendNow = ownerAction(Several, (owner, { ids }) => sendAnswersNow(owner, ids));
export const snooze = ownerAction(Snooze, snoozeFor);
export const comeBack = ownerAction(Several, (owner, { ids }) => bringBack(owner, ids));
export const mute = ownerAction(Mute, muteApp);
export const askTheApp = ownerAction(AskBackForm, (owner, { id, text }) => askBack(owner, id, text));

/*
 * The same for forms posted without scripts: the decision's own page shows what holds.
 */

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
export const postSnooze = ownerAction(Snooze, thenShow(snoozeFor));
export const postBringBack = ownerAction(
  Several,
  thenShow((owner, { ids }) => bringBack(owner, ids)),
);
export const postMute = ownerAction(Mute.extend({ id: z.string() }), async (owner, { id, ...choice }) => {
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
