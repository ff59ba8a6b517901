"use server";
import { redirect } from "next/navigation";
import { AnswerForm } from "@/lib/approvals/answer-form";
import { answerApproval } from "@/lib/approvals/answering";
import { ownerAction } from "@/lib/web/owner-action";

export const sendAnswer = ownerAction(AnswerForm, (owner, { id, answer }) => answerApproval(owner, id, answer));

/** The same for a form posted without scripts: the decision's own page shows what holds. */
export const postAnswer = ownerAction(AnswerForm, async (owner, { id, answer }) => {
  await answerApproval(owner, id, answer);
  redirect(`/approvals/${id}`);
});
