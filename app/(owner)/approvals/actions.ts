"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { AnswerForm } from "@/lib/approvals/answer-form";
import { answerApproval, answerTogether, mostTogether, mustConfirm } from "@/lib/approvals/answering";
import { bringBack, markUnexpected, snoozeApprovals } from "@/lib/approvals/desk";
import { sendAnswersNow, undoAnswers } from "@/lib/approvals/held";
import { changeAppChoice } from "@/lib/grants/app-choices";
import { readSettings } from "@/lib/owners/settings";
import { SnoozeChoice } from "@/lib/owners/snooze";
import { ownerAction } from "@/lib/web/owner-action";

type Owner = Parameters<typeof answerApproval>[0];

const Ids = z.object({ ids: z.array(z.string()).min(1, "Select a question first").max(mostTogether) });
const Snooze = Ids.extend({ choice: SnoozeChoice });
const Mute = z.object({ clientId: z.string().regex(/^app_[0-9a-v]{32}$/), muted: z.enum(["yes", "no"]) });
const Together = Ids.extend({ optionId: z.string(), note: z.string().max(2_000).optional() });

const snoozeFor = async (owner: Owner, { ids, choice }: z.output<typeof Snooze>) =>
  snoozeApprovals(owner, ids, { choice, timeZone: (await readSettings(owner)).timeZone });
const muteApp = (owner: Owner, { clientId, muted }: z.output<typeof Mute>) =>
  changeAppChoice(owner, clientId, { questionsMuted: muted === "yes" });

export const sendAnswer = ownerAction(AnswerForm, (owner, { id, answer }) => answerApproval(owner, id, answer));
export const sendTogether = ownerAction(Together, (owner, { ids, optionId, note }) =>
  answerTogether(owner, ids, { kind: "option", optionId, ...(note?.trim() && { note }) }),
);
export const undo = ownerAction(Ids, (owner, { ids }) => undoAnswers(owner, ids));
export const sendNow = ownerAction(Ids, (owner, { ids }) => sendAnswersNow(owner, ids));
export const snooze = ownerAction(Snooze, snoozeFor);
export const comeBack = ownerAction(Ids, (owner, { ids }) => bringBack(owner, ids));
export const mute = ownerAction(Mute, muteApp);

/*
 * The same for forms posted without scripts: the decision's own page shows what holds.
 */

/** Where a choice has to be confirmed, one that is not is shown again, chosen. */
export const postAnswer = ownerAction(AnswerForm, async (owner, { id, answer, confirmed }) => {
  if (answer.optionId !== undefined && !confirmed && (await mustConfirm(owner, id)))
    return { chosen: answer.optionId, note: answer.note };
  await answerApproval(owner, id, answer);
  redirect(`/approvals/${id}`);
});

const thenShow =
  <Input extends { ids: string[] }>(run: (owner: Owner, input: Input) => Promise<unknown>) =>
  async (owner: Owner, input: Input): Promise<undefined> => {
    await run(owner, input);
    redirect(`/approvals/${input.ids[0]}`);
  };

export const postUndo = ownerAction(
  Ids,
  thenShow((owner, { ids }) => undoAnswers(owner, ids)),
);
export const postSendNow = ownerAction(
  Ids,
  thenShow((owner, { ids }) => sendAnswersNow(owner, ids)),
);
export const postSnooze = ownerAction(Snooze, thenShow(snoozeFor));
export const postBringBack = ownerAction(
  Ids,
  thenShow((owner, { ids }) => bringBack(owner, ids)),
);
export const postMute = ownerAction(Mute.extend({ id: z.string() }), async (owner, { id, ...choice }) => {
  await muteApp(owner, choice);
  redirect(`/approvals/${id}`);
});

/** To what the app may do, so that it can be narrowed or revoked. */
export const postUnexpected = ownerAction(z.object({ id: z.string() }), async (owner, { id }) => {
  const { appId, live } = await markUnexpected(owner, id);
  redirect(live ? `/apps/${appId}` : "/apps");
});
