import { z } from "zod";
import { Answer } from "./schema";

/** Browsers send line breaks as CR LF; the record has LF. An empty field was not filled in. */
const typed = z
  .string()
  .transform((text) => text.replace(/\r\n?/g, "\n"))
  .transform((text) => (text.trim() === "" ? undefined : text))
  .optional();

/**
 * The owner's form: the button pressed carries `optionId`, or else the answer is in the owner's own words; the note goes
 * with either. `confirmed` is the id of the option that was chosen before; it reads as whether that one is now sent.
 */
export const AnswerForm = z
  .object({
    id: z.string(),
    optionId: z.string().optional(),
    otherText: typed,
    note: typed,
    confirmed: z.string().optional(),
  })
  .transform(({ id, optionId, otherText, note, confirmed }, context) => {
    const said = optionId === undefined ? { kind: "other", otherText: otherText ?? "" } : { kind: "option", optionId };
    const answer = Answer.safeParse({ ...said, ...(note !== undefined && { note }) });
    if (answer.success) return { id, answer: answer.data, confirmed: optionId !== undefined && confirmed === optionId };
    const [issue] = answer.error.issues;
    const field = issue?.path[0];
    const message =
      field === "otherText" && !otherText ? "Write your answer first" : (issue?.message ?? "Not an answer");
    context.addIssue({ code: "custom", path: field === undefined ? [] : [String(field)], message });
    return z.NEVER;
  });
