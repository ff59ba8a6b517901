import { z } from "zod";
import { allDiffer, foldedId } from "@/lib/text/confusables";
import { extensibleEnum } from "@/lib/text/extensible-enum";
import { text } from "@/lib/text/text-schema";
import { dayFilter, idFilter, optionalParam, wordsFilter } from "@/lib/text/url-filters";
import { epochMillis, moment } from "@/lib/timestamp-schema";
import { defaultProblem, fieldsProblem } from "./content/check-terms";
import { dueAt } from "./content/moved-deadline";
import { ApprovalOption, NewOption, optionId } from "./content/option-schema";
import { Fact, NewFacts } from "./facts";
import { NewFields } from "./fields/schema";
import { AnswerSignature, SignedByOwner } from "./sign/schema";
import { Outcome, ThreadEntry } from "./thread/schema";

const Risk = z.enum(["low", "normal", "high"]);
/** A decision. `resolvedBy` names a role, never an identity. */
export const Resolution = z
  .object({
    kind: z.enum(["option", "other"]).describe("`option`: one of the options. `other`: free text."),
    optionId: z.string().optional().describe("The chosen option's `id`; present when `kind` is `option`."),
    otherText: z.string().optional().describe("The answer in free text; present when `kind` is `other`."),
    values: z
      .looseObject({})
      .optional()
      .describe("The values of the approval's `fields` by name; present if the chosen option takes fields."),
    note: z.string().optional().describe("A note that the owner or app added to the answer."),
    resolvedBy: z
      .enum(["owner", "api"])
      .describe(
        "`owner` if the owner answered while signed in, or from an email link or an alert. `api` if an app answered or the default was recorded.",
      ),
    resolvedAt: epochMillis(),
    signature: AnswerSignature.optional().describe("The signature of the owner’s passkey, if the answer is signed."),
  })
  .meta({ id: "Resolution" });
export type Resolution = z.infer<typeof Resolution>;

export const Approval = z
  .object({
    _id: z.string().describe("The ID of the approval."),
    _creationTime: epochMillis(),
    clientId: z.string().describe("The client ID of the app that submitted the approval."),
    question: z.string().describe("The question that the owner must answer."),
    facts: z.array(Fact).optional().describe("The most important facts for the decision."),
    fields: z
      .looseObject({})
      .optional()
      .describe("The fields that the owner fills in, as a JSON Schema of a flat object."),
    options: z.array(ApprovalOption).describe("The options that the owner can choose."),
    backgroundContext: z.string().optional().describe("Background that helps the owner decide."),
    recommendation: z.string().optional().describe("The recommended option's `id` or `label`, or other text."),
    expiresAt: epochMillis().optional().describe("The deadline for the answer, in epoch milliseconds."),
    dueAt,
    defaultOptionId: z
      .string()
      .optional()
      .describe("The ID of the option recorded if no one answers before the deadline."),
    ownerOnly: z.boolean().optional().describe("`true` if only the owner may answer; otherwise absent."),
    once: z
      .boolean()
      .optional()
      .describe("`true` if the owner can withdraw the answer until it is used; otherwise absent."),
    risk: extensibleEnum(Risk.options).optional().describe("The risk of the decision, as the app declared it."),
    signedByOwner: SignedByOwner.optional().describe(
      "`true` if the owner’s passkey must sign the answer, `in-lens` if also in a lens, `when-possible` if it must while the owner has a passkey; otherwise absent.",
    ),
    deadlinePassed: z
      .boolean()
      .optional()
      .describe("`true` once a pending approval's deadline has passed. The approval can no longer be answered."),
    contentHash: z
      .string()
      .meta({ pattern: "^sha256:[0-9a-f]{64}$" })
      .describe("`sha256:`, followed by the hexadecimal SHA-256 hash of the question's canonical JSON (RFC 8785)."),
    status: z
      .enum(["pending", "resolved"])
      .describe("`pending` until an answer or the default is recorded, then `resolved` permanently."),
    resolution: Resolution.optional().describe("The answer; present once the approval is resolved."),
    additions: z.array(ThreadEntry).optional().describe("Information that the app added, oldest first."),
    questions: z
      .array(ThreadEntry)
      .optional()
      .describe("The questions that the owner asked the app before deciding, oldest first."),
    outcome: Outcome.optional().describe("The latest outcome reported by the app."),
    usedAt: epochMillis().optional().describe("When the owner's answer was used, in epoch milliseconds."),
    withdrawnAt: epochMillis()
      .optional()
      .describe(
        "When the owner withdrew the answer, in epoch milliseconds. The resolution stays, but can no longer be used.",
      ),
  })
  .meta({ id: "Approval" });
export type Approval = z.infer<typeof Approval>;

/**
 * The response to a submission with `wait`. `_id` is also returned but not described, because
 * client generators would give `id` and `_id` the same name.
 */
export const WaitedApproval = Approval.omit({ _id: true })
  .extend({ id: z.string().describe("The ID of the approval.") })
  .meta({ id: "WaitedApproval", description: "The approval at the end of the wait." });

/** The response to a submission: the approval's ID alone, or a WaitedApproval. */
export const SubmittedApproval = WaitedApproval.partial().extend({ id: WaitedApproval.shape.id }).meta({
  id: "SubmittedApproval",
  description: "The approval's `id`. With `wait`, the whole approval at the end of the wait.",
});

const unique = (values: string[]) => new Set(values).size === values.length;

const Options = z
  .array(NewOption)
  .min(1, "Must offer at least one option")
  .max(20, "Must offer at most 20 options")
  .refine((options) => unique(options.map(({ id }) => foldedId(id))), "Option IDs must differ by more than case")
  .refine((options) => allDiffer(options.map(({ label }) => label)), "Option labels must not look alike");

/** The rules for a question's options, as text for the API description. */
export const choices = "1 to 20 options. IDs must differ by more than case. Labels must not look alike.";

export const NewApproval = z
  .strictObject({
    question: text({ max: 2_000, lines: true }).describe("The question that the owner must answer."),
    facts: NewFacts.optional().describe(
      "The most important facts for the decision, such as an amount. Shown above the background. At most 6 facts, each on one line of plain text. Several facts may have the same label.",
    ),
    fields: NewFields.optional().describe(
      "The fields that the owner fills in, as a JSON Schema of a flat object (see `/docs/fields`). At least one option must have `fields: true`.",
    ),
    options: Options.describe(choices),
    backgroundContext: text({ max: 20_000, min: 0, lines: true })
      .optional()
      .describe("Background that helps the owner decide; shown as safe Markdown."),
    recommendation: text({ max: 2_000, min: 0, lines: true })
      .optional()
      .describe(
        "The recommended answer. An option with this `id` or `label` is marked as suggested. Any other recommendation is shown as text.",
      ),
    expiresAt: moment("Must be 10 seconds to 366 days from now")
      .optional()
      .describe("The deadline for the answer in epoch milliseconds, 10 seconds to 366 days from now."),
    defaultOptionId: optionId
      .optional()
      .describe(
        "The ID of the option recorded as the app's own answer if no one answers before `expiresAt`. Also requires the scope `approvals:resolve`.",
      ),
    ownerOnly: z
      .boolean()
      .optional()
      .describe("Whether only the owner may answer. If `true`, no app can answer, even with `approvals:resolve`."),
    once: z
      .boolean()
      .optional()
      .describe(
        "Whether the owner can withdraw the answer until it is used. If `true`, act on the answer only after POST `/api/approvals/{id}/use` succeeds.",
      ),
    risk: Risk.optional().describe(
      "The risk of the decision, which cannot be changed later. The owner answers a question with `high` risk in two steps or by pressing and holding, never in a batch.",
    ),
    signedByOwner: SignedByOwner.optional().describe(
      "Whether the owner’s passkey must sign the answer, so that the resolution has a `signature`. `true` implies `ownerOnly`, and is rejected if the owner has no passkey. `in-lens` does the same, and the owner must sign in the operator’s lens (see `/docs/lens`). `when-possible` requires a signature only while the owner has a passkey.",
    ),
    match: z
      .string()
      .regex(/^[0-9]{2}$/, "Must be two digits, like 47")
      .optional()
      .describe(
        "Two digits that the app shows to the person who started the action. Before answering, the owner picks this number from three choices. A correct pick shows that the owner is looking at the app. Requires `risk: high`. Responses and the content hash do not include the number.",
      ),
  })
  .check(({ value, issues }) => {
    const refuse = (path: string, message: string | undefined | false) =>
      message && issues.push({ code: "custom", message, input: value, path: [path] });
    refuse("defaultOptionId", defaultProblem(value));
    refuse("fields", fieldsProblem(value));
    refuse("match", value.match !== undefined && value.risk !== "high" && 'Requires risk "high"');
  })
  .meta({ id: "ApprovalRequest" });
export type NewApproval = z.infer<typeof NewApproval>;

/** The descriptions of an answer's fields. */
export const inAnswer = {
  kind: "`option`: choose an option. `other`: answer in free text.",
  optionId: "The chosen option's `id`; required with kind `option`.",
  otherText: "The answer in free text; required with kind `other`.",
  values: "The values of the approval's `fields` by name; required if the option takes fields.",
};
export const answerFields = {
  kind: z.enum(["option", "other"]).describe(inAnswer.kind),
  optionId: optionId.optional().describe(inAnswer.optionId),
  otherText: text({ max: 10_000, lines: true }).optional().describe(inAnswer.otherText),
  note: text({ max: 2_000, min: 0, lines: true }).optional().describe("A note to add to the answer, as free text."),
  values: z.looseObject({}).optional().describe(inAnswer.values),
};

type AnswerInput = { kind: "option" | "other"; optionId?: string | undefined; otherText?: string | undefined };

/** Returns whether an answer has only the field that its kind requires. */
const whole = ({ kind, optionId, otherText }: AnswerInput) =>
  kind === "option"
    ? optionId !== undefined && otherText === undefined
    : otherText !== undefined && optionId === undefined;
const rule = "Send optionId if kind is option, or otherText if kind is other";

export const approvalId = z.string().describe("The ID of the approval.");

/** An answer from an owner's form or an API call. */
export const Answer = z.strictObject(answerFields).refine(whole, rule);
export type Answer = z.infer<typeof Answer>;
/** An owner's answer, with its verified signature if the owner's passkey signed it. */
export type SignedAnswer = Answer & { signature?: AnswerSignature };
/** An answer with the approval's ID, as the resolve operation accepts it. */
export const AnswerTo = z.strictObject({ id: approvalId, ...answerFields }).refine(whole, rule);

/** The filter of the owner's inbox. */
export const ApprovalFilter = z.object({
  list: z.enum(["waiting", "snoozed", "answered", "passed"]).default("waiting").catch("waiting"),
  /** The order of unanswered approvals. By default, pending approvals are ordered by urgency. */
  sort: optionalParam(z.enum(["newest"])),
  appId: idFilter("app"),
  /**
   * Words to search for in the question, its facts and option labels, the answer, its note, the
   * thread, or the app's name.
   */
  text: wordsFilter,
  /** For answered approvals: the answering role, and the kind of answer. */
  by: optionalParam(Resolution.shape.resolvedBy),
  kind: optionalParam(Resolution.shape.kind),
  /** For answered approvals, the first and last day of the answer; otherwise, of the question. */
  from: dayFilter,
  to: dayFilter,
  /** The ID of the last approval on the previous page. */
  after: idFilter("apr"),
});
export type ApprovalFilter = z.output<typeof ApprovalFilter>;
