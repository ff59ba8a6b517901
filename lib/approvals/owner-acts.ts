import { z } from "zod";
import { changeAppChoice } from "@/lib/grants/app-choices";
import { ownerAct } from "@/lib/owner-act";
import { readSettings } from "@/lib/owners/settings";
import { SnoozeChoice } from "@/lib/owners/snooze";
import { AnswerForm, AskBackForm, Several, TogetherForm } from "./answer-form";
import { answerApproval, answerTogether } from "./answering";
import { allOfApp } from "./finding";
import { sendAnswersNow, undoAnswers } from "./held";
import { askBack } from "./thread/asking-back";
import { bringBack, markSeen, markUnexpected, Reaction, snoozeApprovals } from "./triage";
import { sendTestApproval } from "./try-out";

/** A decision's own page, which says what holds now. */
const pageOf = (id: string | undefined) => `/approvals/${id}`;
const pageOfFirst = ({ ids }: { ids: string[] }) => pageOf(ids[0]);

/** An answer that has to be confirmed first is given back: what was chosen, and the note beside it. */
export const answer = ownerAct({
  name: "approval.answer",
  input: AnswerForm,
  run: async (owner, { id, answer, seen, confirmed }) => {
    const answered = await answerApproval(owner, id, answer, seen, confirmed);
    return "unconfirmed" in answered ? { ...answered, chosen: answer.optionId, note: answer.note } : answered;
  },
  next: ({ id }) => pageOf(id),
  tells: (answered) => ("unconfirmed" in answered ? answered : undefined),
});

export const together = ownerAct({
  name: "approval.answer-together",
  input: TogetherForm,
  run: (owner, { several, answer }) => answerTogether(owner, several, answer),
});

export const undo = ownerAct({
  name: "approval.undo",
  input: Several,
  run: (owner, { ids }) => undoAnswers(owner, ids),
  next: pageOfFirst,
});

export const sendNow = ownerAct({
  name: "approval.send-now",
  input: Several,
  run: (owner, { ids }) => sendAnswersNow(owner, ids),
  next: pageOfFirst,
});

/** Answers when it comes back, in epoch milliseconds. */
export const snooze = ownerAct({
  name: "approval.snooze",
  input: Several.extend({ choice: SnoozeChoice }),
  run: async (owner, { ids, choice }) =>
    snoozeApprovals(owner, ids, { choice, timeZone: (await readSettings(owner)).timeZone }),
  next: pageOfFirst,
});

export const unsnooze = ownerAct({
  name: "approval.bring-back",
  input: Several,
  run: (owner, { ids }) => bringBack(owner, ids),
  next: pageOfFirst,
});

/** The app that asks, from one of its questions. */
export const mute = ownerAct({
  name: "approval.mute",
  input: z.object({
    id: z.string().optional(),
    clientId: z.string().regex(/^app_[0-9a-v]{32}$/),
    muted: z.enum(["yes", "no"]),
  }),
  run: (owner, { clientId, muted }) => changeAppChoice(owner, clientId, { questionsMuted: muted === "yes" }),
  next: ({ id }) => id && pageOf(id),
});

export const ask = ownerAct({
  name: "approval.ask",
  input: AskBackForm,
  run: (owner, { id, text }) => askBack(owner, id, text),
  next: ({ id }) => pageOf(id),
});

export const unexpected = ownerAct({
  name: "approval.unexpected",
  input: z.object({ id: z.string(), reaction: Reaction }),
  run: async (owner, { id, reaction }) => ({ reaction, ...(await markUnexpected(owner, id, reaction)) }),
  tells: (done) => done,
});

export const see = ownerAct({
  name: "approval.see",
  input: z.object({ ids: z.array(z.string()).max(100), seen: z.enum(["yes", "no"]) }),
  run: (owner, { ids, seen }) => markSeen(owner, ids, seen === "yes"),
});

/** Reads what waits of one app, for who wants to do one thing with all of it. */
export const allOf = ownerAct({
  name: "approval.all-of",
  input: z.object({ clientId: z.string() }),
  run: (owner, { clientId }) => allOfApp(owner, clientId),
});

/** A question as an app would ask it, from us. */
export const tryOut = ownerAct({
  name: "approval.try",
  input: z.object({}),
  run: sendTestApproval,
  next: (_, { id }) => pageOf(id),
});
