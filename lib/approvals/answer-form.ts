import { z } from "zod";
import { validationMessage } from "@/lib/text/validation-messages";
import { maxBatchAnswers } from "./answer";
import { isFieldControl } from "./fields/form-values";
import { Answer } from "./schema";
import { askedBack } from "./thread/schema";

/** Normalizes CR LF, which browsers send for line breaks, to LF. */
const withLf = (text: string) => text.replace(/\r\n?/g, "\n");

/** A text without CR LF. An empty field counts as absent. */
const typed = z
  .string()
  .transform(withLf)
  .transform((text) => (text.trim() === "" ? undefined : text))
  .optional();

/** The IDs of the questions that an action applies to. */
export const ApprovalIds = z.object({
  ids: z.array(z.string()).min(1, "Select a question first").max(maxBatchAnswers),
});

/**
 * The hash of the question as the form showed it. Forms that older versions rendered have no hash.
 */
const seen = z
  .string("This page is out of date. Open the question again, then answer.")
  .min(1, "This page is out of date. Open the question again, then answer.");

/** The number that the owner picked from three on the page. Only its format is checked here. */
const picked = typed.refine((text) => text === undefined || /^[0-9]{2}$/.test(text), "Pick one of the three numbers");

/**
 * The owner's answer form. The pressed button carries `optionId`; without it, the answer is in the
 * owner's own words. `confirmed` is sent as the ID of the option chosen in the first step, and
 * parsed as whether the second step chose the same option. `picked` is the number that the owner
 * picked for a question with `match`.
 */
export const AnswerForm = z
  .object({
    id: z.string(),
    seen,
    optionId: z.string().optional(),
    otherText: typed,
    note: typed,
    confirmed: z.string().optional(),
    picked,
    values: z.string().optional(),
  })
  // Without scripts, the fields' controls are sent under their own names.
  .catchall(z.unknown())
  .transform(({ id, seen, optionId, otherText, note, confirmed, picked, values, ...others }, context) => {
    const choice: Partial<Answer> =
      optionId === undefined
        ? { kind: "other", otherText: otherText ?? "" }
        : { kind: "option", optionId, ...(values !== undefined && { values: readValues(values) }) };
    const answer = readAnswer({ ...choice, ...(note !== undefined && { note }) }, context);
    const isConfirmed = optionId !== undefined && confirmed === optionId;
    const typed = typedIn(others);
    const texts = Object.keys(typed).length > 0 && { typed };
    return answer ? { id, seen, answer, confirmed: isConfirmed, picked, ...texts } : z.NEVER;
  });

/** Returns the texts of the fields' controls by name, without CR LF. */
export const typedIn = (form: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, text]) =>
      isFieldControl(name) && typeof text === "string" ? [[name, withLf(text)] as const] : [],
    ),
  );

/** Parses the values that a script sent as JSON. Anything else fails the check of the values. */
function readValues(text: string): Record<string, unknown> {
  try {
    const values: unknown = JSON.parse(text);
    if (typeof values === "object" && values !== null && !Array.isArray(values)) return { ...values };
  } catch {
    // The check below rejects the values.
  }
  return { values: text };
}

/**
 * The form that answers several questions with one option and a note. `seen` has one hash for each
 * ID in `ids`, in the same order.
 */
export const BatchAnswerForm = ApprovalIds.extend({ seen: z.array(seen), optionId: z.string(), note: typed })
  .refine(({ ids, seen }) => seen.length === ids.length, "This page is out of date. Reload the page, then answer.")
  .transform(({ ids, seen, optionId, note }, context) => {
    const answer = readAnswer({ kind: "option", optionId, ...(note !== undefined && { note }) }, context);
    return answer ? { several: ids.map((id, index) => ({ id, seen: seen[index] ?? "" })), answer } : z.NEVER;
  });

/**
 * Parses the fields as an answer. For an invalid answer, reports the first issue at its field and
 * returns undefined.
 */
function readAnswer(given: Partial<Answer>, context: z.RefinementCtx): Answer | undefined {
  const answer = Answer.safeParse(given, { error: validationMessage });
  if (answer.success) return answer.data;
  const [issue] = answer.error.issues;
  const field = issue?.path[0];
  const message =
    field === "otherText" && !given.otherText
      ? "Write your answer first"
      : (issue?.message ?? "This answer is invalid");
  context.addIssue({ code: "custom", path: field === undefined ? [] : [String(field)], message });
  return undefined;
}

/** The form in which the owner asks the app for clarification. */
export const ClarificationForm = z
  .object({ id: z.string(), question: typed })
  .transform(({ id, question }, context) => {
    const read = askedBack.safeParse(question ?? "", { error: validationMessage });
    if (read.success) return { id, text: read.data };
    const message =
      question === undefined
        ? "Write your question first"
        : (read.error.issues[0]?.message ?? "This question is invalid");
    context.addIssue({ code: "custom", path: ["question"], message });
    return z.NEVER;
  });
