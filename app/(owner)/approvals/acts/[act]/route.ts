import { AnswerForm, AskBackForm, Several, TogetherForm } from "@/lib/approvals/answer-form";
import { answerApproval, answerTogether } from "@/lib/approvals/answering";
import { askBack } from "@/lib/approvals/asking-back";
import { bringBack } from "@/lib/approvals/desk";
import { sendAnswersNow, undoAnswers } from "@/lib/approvals/held";
import { ownerRoute } from "@/lib/web/owner-action";
import { MuteForm, muteApp, SnoozeForm, snooze } from "../../desk";

/** What the inbox has done for its owner, by the names of `InboxActs`. */
const acts = new Map([
  ["send", ownerRoute(AnswerForm, (owner, { id, answer, seen }) => answerApproval(owner, id, answer, seen))],
  ["sendTogether", ownerRoute(TogetherForm, (owner, { several, answer }) => answerTogether(owner, several, answer))],
  ["undo", ownerRoute(Several, (owner, { ids }) => undoAnswers(owner, ids))],
  ["sendNow", ownerRoute(Several, (owner, { ids }) => sendAnswersNow(owner, ids))],
  ["snooze", ownerRoute(SnoozeForm, snooze)],
  ["bringBack", ownerRoute(Several, (owner, { ids }) => bringBack(owner, ids))],
  ["mute", ownerRoute(MuteForm, muteApp)],
  ["ask", ownerRoute(AskBackForm, (owner, { id, text }) => askBack(owner, id, text))],
]);

export async function POST(request: Request, { params }: { params: Promise<{ act: string }> }): Promise<Response> {
  const act = acts.get((await params).act);
  return act ? act(request) : new Response(null, { status: 404 });
}
