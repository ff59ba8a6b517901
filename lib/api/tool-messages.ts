import type { Approval, Resolution } from "@/lib/approvals/schema";

/** An approval as the wire has it, or only its id where the app may not read it. */
export type ToolApproval = Partial<Approval> & { id: string };

/**
 * What an agent should know and do next. Whatever people or apps wrote stands in JSON's quotation marks, out of which no text
 * can get, and is said to be theirs.
 */
export function nextStepFor(it: ToolApproval): string {
  if (it.resolution) return answered(it, it.resolution);
  if (it.deadlinePassed)
    return `The deadline passed without an answer. Nothing was approved, and ${it.id} cannot be answered any more.`;
  const question = openQuestion(it);
  if (question !== undefined)
    return `The owner asks before answering: ${quoted(question)}. Tell them with add_context, id ${it.id}, then call check_approval; do not ask again, and do not do it in the meantime.`;
  if (it.status === "pending")
    return `Not answered yet. The question is in the owner's inbox. Call check_approval with id ${it.id} to keep waiting; do not ask again, and do not do it in the meantime.`;
  return `Asked: the id is ${it.id}. You may not read the answer (the owner did not allow approvals:read). Do not ask again.`;
}

/** What a call hears that asked the same as another, which was told the answer. */
export const answerAlreadyClaimed =
  "This question was answered, and another of your calls was told: ask again if you mean a second one. One answer is for one action.";

/** What is said beside an answer that is read again. */
export const alreadyAnswered =
  "You or another of your calls were told before, and one answer is for one action: do it only if it has not been done yet.";

/** What the owner asked back, as long as the app has added nothing since. */
function openQuestion({ questions, additions }: ToolApproval): string | undefined {
  const last = questions?.at(-1);
  return last && last.createdAt > (additions?.at(-1)?.createdAt ?? 0) ? last.text : undefined;
}

function answered(it: ToolApproval, { kind, optionId, otherText, note, resolvedBy }: Resolution): string {
  const label = it.options?.find(({ id }) => id === optionId)?.label;
  const id = quoted(optionId ?? "");
  // An option that was a plain text is both.
  const told = label === undefined ? `option id ${id}` : `option id ${id} (label ${quoted(label)})`;
  const choice = label === optionId ? `option ${id}` : told;
  const noted = note ? ` With this note: ${quoted(note)}.` : "";
  if (resolvedBy === "api") {
    const how = kind === "option" ? choice : quoted(otherText ?? "");
    if (note === "Deadline passed")
      return `The deadline passed without an answer, and the default ${how} was recorded. The owner did not decide this.`;
    return `This was answered by the app itself, through the API: ${how}.${noted} It is not the owner's consent.`;
  }
  if (kind === "option") return `The owner chose ${choice}.${noted} Do that, and nothing more.`;
  return `The owner chose no option and answered in their own words: ${quoted(otherText ?? "")}.${noted} Do that, and nothing more.`;
}

/** Somebody's words, so that they are seen to begin and to end. */
const quoted = (text: string) => JSON.stringify(text);
