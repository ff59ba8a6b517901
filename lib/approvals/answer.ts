import type { OwnerActor } from "@/lib/actor";
import { sql } from "@/lib/database/sql";
import { asAppError, badRequest, notFound } from "@/lib/errors";
import { tryResolve } from "./approvals";
import { allowsOneTap } from "./content/allows-one-tap";
import { displayOptions } from "./content/option-order";
import type { ApprovalOption } from "./content/option-schema";
import { checkedValues } from "./fields/checked-values";
import { holdAnswer } from "./held-answers";
import type { HeldAnswer } from "./owner-view";
import type { Answer, Approval, Resolution } from "./schema";
import { checkSignature, type SentSignature } from "./sign/check-signature";
import { withoutSignature } from "./sign/without-signature";
import type { AnswerToHold } from "./statements/hold-answer";
import { pickNumber } from "./statements/number-match";

/**
 * The result of an owner's answer. `held`: this or an earlier answer is held. `won`: whether this
 * answer decided the approval. If not, `resolution` is the earlier decision. `unconfirmed`: the
 * owner has to confirm the answer first. `mismatched`: the owner picked a wrong number, so the
 * question can no longer be answered. Signatures are omitted, because pages don't need them.
 */
export type AnswerResult =
  | { held: HeldAnswer; won?: undefined; resolution?: undefined }
  | { held?: undefined; won: boolean; resolution: Resolution }
  | { held?: undefined; won?: undefined; resolution?: undefined; unconfirmed: true }
  | { held?: undefined; won?: undefined; resolution?: undefined; mismatched: true };

/**
 * `confirmed`: whether the owner confirmed the option in a second step. A setting may require this
 * step, and a high risk always does. `picked`: the number that the owner picked, for a question with
 * `match`. `typed`: the texts of the fields' controls in a form without scripts. `signature`: the
 * signature from the owner's passkey, which also confirms the answer.
 */
type HowAnswered = {
  confirmed?: boolean;
  picked?: string | undefined;
  typed?: Readonly<Record<string, string>>;
  signature?: SentSignature | undefined;
};

/**
 * Answers as the owner. Holds the answer for the undo period in the owner's settings, or resolves
 * the approval immediately if no undo period applies.
 * @param seen the hash of the question as the owner saw it
 * @param how how the owner answered
 * @throws {AppError} 404; 400 for an option that was not offered or an invalid signature; 409 after
 *   the deadline, if the question changed, if its number was not picked, or without a signature that
 *   it needs
 */
export async function answerApproval(
  owner: OwnerActor,
  id: string,
  answer: Answer,
  seen: string,
  { confirmed = false, picked, typed = {}, signature: sent }: HowAnswered = {},
): Promise<AnswerResult> {
  if (picked !== undefined && (await pickNumber(owner, id, picked, seen))) return { mismatched: true };
  const values = await checkedValues(owner, id, answer, typed);
  const checked = { ...answer, ...(values && { values }) };
  const signature = sent && (await checkSignature(owner, sent, [{ id, seen, answer: checked }]));
  return give(owner, { id, answer: { ...checked, ...(signature && { signature }) }, seen, confirmed });
}

/** Holds or records an answer whose values and signature are checked. */
async function give(owner: OwnerActor, { id, answer, seen, confirmed }: AnswerToHold): Promise<AnswerResult> {
  const isConfirmed = confirmed || answer.signature !== undefined;
  const { held, resolution, unconfirmed } = await holdAnswer(owner, { id, answer, seen, confirmed: isConfirmed });
  if (held) return { held: { ...held, answer: withoutSignature(held.answer) } };
  if (resolution) return { won: false, resolution: withoutSignature(resolution) };
  if (unconfirmed) return { unconfirmed };
  const resolved = await tryResolve(owner, id, answer, { contentHash: seen });
  return { ...resolved, resolution: withoutSignature(resolved.resolution) };
}

/** A question, and the hash of the content that the owner saw. */
export type SeenQuestion = { id: string; seen: string };

/** The maximum number of questions that one answer can resolve together. */
export const maxBatchAnswers = 100;

/**
 * Answers several questions of one app that offer the same options. Each is answered separately, so
 * a failure leaves the others unaffected. Results are in the order of `several`.
 * @param sent the signature of all the answers, in the order of `several`
 * @throws {AppError} 404 for an approval that is not the owner's; 400 if the questions differ in
 *   app or options, one has a high risk, there are too many, or the signature is invalid
 */
export async function answerBatch(
  owner: OwnerActor,
  several: SeenQuestion[],
  answer: Answer,
  sent?: SentSignature,
): Promise<({ id: string } & (AnswerResult | { message: string }))[]> {
  const questions = new Map(several.map((it) => [it.id, it]));
  const wanted = [...questions.keys()];
  if (wanted.length > maxBatchAnswers)
    throw badRequest(`You can answer at most ${maxBatchAnswers} questions at a time`, "ids");
  const found = await sql<Alike>`
    SELECT app_id, options, risk, fields IS NOT NULL AS "hasFields"
    FROM approval
    WHERE owner_id = ${owner.ownerId} AND id = ANY (${wanted})`.rows();
  if (found.length < wanted.length) throw notFound();
  if (new Set(found.map(({ app_id, options }) => `${app_id} ${choicesOf(options)}`)).size > 1)
    throw badRequest("Select only questions that come from one app and offer the same options", "ids");
  if (!found.every(allowsOneTap)) throw badRequest("Answer high-risk questions one at a time", "ids");
  if (found.some(({ hasFields }) => hasFields)) throw badRequest("Answer questions with fields one at a time", "ids");
  const answers = [...questions.values()].map(({ id, seen }) => ({ id, seen, answer }));
  const signature = sent && (await checkSignature(owner, sent, answers));
  const signed = { ...answer, ...(signature && { signature }) };
  const outcomes = [];
  for (const [id, { seen }] of questions) {
    const outcome = await give(owner, { id, answer: signed, seen, confirmed: true }).catch((error) => {
      const known = asAppError(error);
      if (!known) throw error;
      return { message: known.details?.[0]?.message ?? known.message };
    });
    outcomes.push({ id, ...outcome });
  }
  return outcomes;
}

type Alike = { app_id: string; hasFields: boolean; options: ApprovalOption[]; risk: Approval["risk"] | null };

/**
 * Returns a string that is equal for questions that may be answered together: those whose options
 * have the same IDs, labels, styles and order.
 */
const choicesOf = (options: ApprovalOption[]) =>
  JSON.stringify(displayOptions(options).map(({ id, label, style = "default" }) => [id, label, style]));
