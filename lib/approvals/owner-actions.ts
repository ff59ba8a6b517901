import { z } from "zod";
import { type Optimistic, ownerAction, yesNo } from "@/lib/form-action";
import { updateAppPreferences } from "@/lib/grants/app-preferences";
import { Settings } from "@/lib/owners/schema";
import { readSettings } from "@/lib/owners/settings";
import { snoozeChoices } from "@/lib/text/snooze-times";
import { answerApproval, answerBatch } from "./answer";
import {
  AnswerForm,
  ApprovalIds,
  BatchAnswerForm,
  ClarificationForm,
  SignatureOfferForm,
  typedIn,
} from "./answer-form";
import { sendAnswersNow, undoAnswers } from "./held-answers";
import { waitingFromApp } from "./search";
import { sendTestApproval } from "./service-questions/test-approval";
import { offerSignature } from "./sign/offer-signature";
import { askClarification } from "./thread/clarifications";
import { markSeen, markUnexpected, Reaction, snoozeApprovals, unsnoozeApprovals } from "./triage";
import { withdrawAnswer } from "./use/withdraw-answer";

/** Returns the path of an approval's page. */
const pageOf = (id: string | undefined) => `/approvals/${id}`;
const pageOfFirst = ({ ids }: { ids: string[] }) => pageOf(ids[0]);

/**
 * Answers a question. If the owner has to confirm first, the result has the chosen option and note.
 * `mismatched`: the owner picked a wrong number.
 */
export const answer = ownerAction({
  name: "approval.answer",
  input: AnswerForm,
  run: async (owner, { id, answer, seen, confirmed, picked, typed, signature }) => {
    const answered = await answerApproval(owner, id, answer, seen, { confirmed, picked, typed, signature });
    return "unconfirmed" in answered ? { ...answered, chosen: answer.optionId, note: answer.note, typed } : answered;
  },
  restoreForm: (_, form) => ({
    typed: typedIn(Object.fromEntries(form)),
    page: pageOf(String(form.get("id") ?? "")),
  }),
  next: ({ id }) => pageOf(id),
  flash: (answered) => ("unconfirmed" in answered || "mismatched" in answered ? answered : undefined),
});

export const answerBatchAction = ownerAction({
  name: "approval.answer-together",
  input: BatchAnswerForm,
  run: (owner, { several, answer, signature }) => answerBatch(owner, several, answer, signature),
});

/** Returns what the owner's passkey has to sign, before the answer is sent. */
export const offerSignatureAction = ownerAction({
  name: "approval.offer-signature",
  input: SignatureOfferForm,
  run: (owner, { several, answer }) => offerSignature(owner, several, answer),
});

export const undo = ownerAction({
  name: "approval.undo",
  input: ApprovalIds,
  run: (owner, { ids }) => undoAnswers(owner, ids),
  next: pageOfFirst,
});

/** Withdraws an answer that was not used yet. */
export const withdraw = ownerAction({
  name: "approval.withdraw",
  input: z.object({ id: z.string() }),
  run: (owner, { id }) => withdrawAnswer(owner, id),
  next: ({ id }) => `${pageOf(id)}?status=resolved`,
});

export const sendNow = ownerAction({
  name: "approval.send-now",
  input: ApprovalIds,
  run: (owner, { ids }) => sendAnswersNow(owner, ids),
  next: pageOfFirst,
});

/**
 * Snoozes questions. Returns the end of the snooze in epoch milliseconds. `timeZone` is the
 * browser's time zone. Without scripts, the owner's time zone applies.
 */
export const snooze = ownerAction({
  name: "approval.snooze",
  input: ApprovalIds.extend({
    choice: z.enum(snoozeChoices),
    timeZone: Settings.shape.timeZone.optional().catch(undefined),
  }),
  run: async (owner, { ids, choice, timeZone }) =>
    snoozeApprovals(owner, ids, { choice, timeZone: timeZone ?? (await readSettings(owner)).timeZone }),
  next: pageOfFirst,
  optimistic: [
    {
      leaves: "waiting",
      opens: "another",
      done: { one: "Snoozed until {until}", other: "# questions snoozed until {until}" },
      failed: "Couldn’t snooze",
      undo: { act: "approval.bring-back" },
    },
  ],
});

export const unsnooze = ownerAction({
  name: "approval.bring-back",
  input: ApprovalIds,
  run: (owner, { ids }) => unsnoozeApprovals(owner, ids),
  next: pageOfFirst,
  optimistic: [
    {
      leaves: "snoozed",
      opens: "another",
      done: { one: "Back in the inbox", other: "# questions back in the inbox" },
      failed: "Couldn’t end the snooze",
    },
  ],
});

/** Returns the feedback for muting or unmuting, with its undo action. */
const muting = (muted: "yes" | "no", done: string): Optimistic => ({
  when: { muted },
  done: { one: done, other: done },
  failed: "Couldn’t change the mute setting",
  undo: { act: "approval.mute", fields: { muted: muted === "yes" ? "no" : "yes" } },
});

/** Mutes or unmutes an app's questions. `id` is the question whose page opens next. */
export const mute = ownerAction({
  name: "approval.mute",
  input: z.object({ id: z.string().optional(), clientId: z.string().regex(/^app_[0-9a-v]{32}$/), muted: yesNo }),
  run: (owner, { clientId, muted }) => updateAppPreferences(owner, clientId, { questionsMuted: muted }),
  next: ({ id }) => id && pageOf(id),
  optimistic: [{ ...muting("yes", "Muted {app}"), opens: "another app" }, muting("no", "Unmuted {app}")],
});

export const clarify = ownerAction({
  name: "approval.ask",
  input: ClarificationForm,
  run: (owner, { id, text }) => askClarification(owner, id, text),
  next: ({ id }) => pageOf(id),
});

export const unexpected = ownerAction({
  name: "approval.unexpected",
  input: z.object({ id: z.string(), reaction: Reaction }),
  run: async (owner, { id, reaction }) => ({ reaction, ...(await markUnexpected(owner, id, reaction)) }),
  flash: (done) => done,
});

export const markSeenAction = ownerAction({
  name: "approval.see",
  input: z.object({ ids: z.array(z.string()).max(100), seen: yesNo }),
  run: (owner, { ids, seen }) => markSeen(owner, ids, seen),
});

/** Reads one app's pending approvals, for actions on all of them. */
export const listFromApp = ownerAction({
  name: "approval.all-of",
  input: z.object({ clientId: z.string() }),
  run: (owner, { clientId }) => waitingFromApp(owner, clientId),
});

/** Sends a test question in the same way as an app's question. */
export const tryOut = ownerAction({
  name: "approval.try",
  input: z.object({}),
  run: sendTestApproval,
  next: (_, { id }) => pageOf(id),
});
