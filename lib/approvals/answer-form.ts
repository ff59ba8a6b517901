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

/** The signature from the owner's passkey, as JSON that a script sent. */
const sentSignature = z
  .string()
  .max(200_000)
  .transform((text, context) => {
    const read = SentSignature.safeParse(parsed(text));
    if (!read.success) context.addIssue({ code: "custom", message: "The signature must be JSON" });
    return read.success ? read.data : z.NEVER;
  })
  .optional();

const SentSignature = z.object({ statement: z.string(), response: z.looseObject({}) });

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
    signature: sentSignature,
  })
  // Without scripts, the fields' controls are sent under their own names.
  .catchall(z.unknown())
  .transform(({ id, seen, confirmed, picked, signature, optionId, otherText, note, values, ...others }, context) => {
    const answer = readAnswer(choiceOf({ optionId, otherText, note, values }), context);
    const isConfirmed = optionId !== undefined && confirmed === optionId;
    const typed = typedIn(others);
    const texts = Object.keys(typed).length > 0 && { typed };
    return answer ? { id, seen, answer, confirmed: isConfirmed, picked, signature, ...texts } : z.NEVER;
  });

/** Returns the texts of the fields' controls by name, without CR LF. */
export const typedIn = (form: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, text]) =>
      isFieldControl(name) && typeof text === "string" ? [[name, withLf(text)] as const] : [],
    ),
  );

type Choice = { [name in "optionId" | "otherText" | "note" | "values"]?: string | undefined };

/** Returns the answer in a form's fields: an option, or otherwise the owner's own words. */
function choiceOf({ optionId, otherText, note, values }: Choice): Partial<Answer> {
  const choice: Partial<Answer> =
    optionId === undefined
      ? { kind: "other", otherText: otherText ?? "" }
      : { kind: "option", optionId, ...(values !== undefined && { values: readValues(values) }) };
  return { ...choice, ...(note !== undefined && { note }) };
}

/** Parses the values that a script sent as JSON. Anything else fails the check of the values. */
function readValues(text: string): Record<string, unknown> {
  const values = parsed(text);
  return typeof values === "object" && values !== null && !Array.isArray(values) ? { ...values } : { values: text };
}

/** Returns the value of JSON text; undefined for other text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The questions that the owner saw. `seen` has one hash for each ID in `ids`, in the same order. */
const SeenQuestions = ApprovalIds.extend({ seen: z.array(seen) });
type SeenQuestions = z.output<typeof SeenQuestions>;
const hasAllHashes = ({ ids, seen }: SeenQuestions) => seen.length === ids.length;
const outOfDate = "This page is out of date. Reload the page, then answer.";
const pairsOf = ({ ids, seen }: SeenQuestions) => ids.map((id, index) => ({ id, seen: seen[index] ?? "" }));

/** The form that answers several questions with one option and a note. */
export const BatchAnswerForm = SeenQuestions.extend({ optionId: z.string(), note: typed, signature: sentSignature })
  .refine(hasAllHashes, outOfDate)
  .transform(({ optionId, note, signature, ...questions }, context) => {
    const answer = readAnswer(choiceOf({ optionId, note }), context);
    return answer ? { several: pairsOf(questions), answer, signature } : z.NEVER;
  });

/** The answer that the owner's passkey is about to sign, for one question or several. */
export const SignatureOfferForm = SeenQuestions.extend({
  optionId: z.string().optional(),
  otherText: typed,
  note: typed,
  values: z.string().optional(),
})
  .refine(hasAllHashes, outOfDate)
  .transform(({ optionId, otherText, note, values, ...questions }, context) => {
    const answer = readAnswer(choiceOf({ optionId, otherText, note, values }), context);
    return answer ? { several: pairsOf(questions), answer } : z.NEVER;
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
