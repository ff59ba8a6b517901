import type { Approval, Resolution } from "@/lib/approvals/schema";

/** An approval as the API returns it. It has only its ID if the app may not read it. */
export type ToolApproval = Partial<Approval> & { id: string };

/**
 * Returns the agent's next step as text. Text from people or apps is attributed to its author and
 * quoted as JSON, so that no text can end its own quotation.
 * @param number the number that the owner has to pick, which the agent must show
 */
export function nextStepFor(approval: ToolApproval, number?: string): string {
  if (approval.resolution) return answered(approval, approval.resolution);
  if (approval.deadlinePassed)
    return `The deadline passed without an answer. Nothing was approved, and the question ${approval.id} can no longer be answered.`;
  const shown =
    number === undefined
      ? ""
      : `Show this number now to the person you act for: ${number}. That person must pick this number before answering. `;
  const question = openQuestion(approval);
  if (question !== undefined)
    return `${shown}Before answering, the owner asks: ${quoted(question)}. Answer the owner with add_context and the id ${approval.id}. Then call check_approval. Do not ask again, and do not act in the meantime.`;
  if (approval.status === "pending")
    return `${shown}The owner has not answered yet. The question is in the owner's inbox. Call check_approval with id ${approval.id} to keep waiting. Do not ask again, and do not act in the meantime.`;
  return `${shown}The question was submitted with the id ${approval.id}. You cannot read the answer, because the owner did not grant the approvals:read scope. Do not ask again, and do not act. Tell the person you act for that you need the approvals:read scope.`;
}

/** Message for a repeated question whose answer another call already received. */
export const answerAlreadyClaimed =
  "This question was answered, and another of your calls received the answer. Ask again only if you need a second answer. Each answer covers one action.";

/** Message added to an answer that the agent has already received. */
export const alreadyAnswered =
  "One of your calls already received this answer. Each answer covers one action. Act only if you have not taken that action yet.";

/** Returns the owner's last question, unless the app has added something since. */
function openQuestion({ questions, additions }: ToolApproval): string | undefined {
  const last = questions?.at(-1);
  return last && last.createdAt > (additions?.at(-1)?.createdAt ?? 0) ? last.text : undefined;
}

function answered(approval: ToolApproval, { kind, optionId, otherText, note, values, resolvedBy }: Resolution): string {
  const label = approval.options?.find(({ id }) => id === optionId)?.label;
  const id = quoted(optionId ?? "");
  // An option that the app gave as a string has the same ID and label. The text then shows only
  // one.
  const optionText = label === undefined ? `option id ${id}` : `option id ${id} (label ${quoted(label)})`;
  const given = values ? ` with the values ${JSON.stringify(values)}` : "";
  const choice = `${label === optionId ? `option ${id}` : optionText}${given}`;
  const noted = note ? ` Note: ${quoted(note)}.` : "";
  if (resolvedBy === "api") {
    const how = kind === "option" ? choice : quoted(otherText ?? "");
    if (note === "Deadline passed")
      return `The deadline passed without an answer, and the default ${how} was recorded. The owner did not decide.`;
    return `The app itself answered through the API: ${how}.${noted} The answer is not the owner's consent.`;
  }
  const act = actOn(approval);
  if (kind === "option")
    return `The owner chose ${choice}.${noted} ${values ? "Use exactly these values, even if you proposed others. " : ""}${act}`;
  return `The owner chose no option and answered in their own words: ${quoted(otherText ?? "")}.${noted} ${act}`;
}

/** Returns whether and how the agent may act on the owner's answer. */
function actOn({ id, once, usedAt, withdrawnAt }: ToolApproval): string {
  if (withdrawnAt !== undefined) return "The owner then withdrew this answer. Do not act on it.";
  const exactly = "Do exactly what the owner decided, and nothing more.";
  if (usedAt !== undefined)
    return `This answer is already used. Act only if your own call of use_answer succeeded and you have not acted yet. ${exactly}`;
  return once
    ? `The owner can withdraw this answer until it is used. Call use_answer with id ${id} immediately before you act, and act only if that call succeeds. ${exactly}`
    : exactly;
}

/** Quotes text so that its beginning and end are clear. */
const quoted = (text: string) => JSON.stringify(text);
