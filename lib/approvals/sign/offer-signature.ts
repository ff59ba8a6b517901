import type { OwnerActor } from "@/lib/actor";
import { clock } from "@/lib/clock";
import { sql } from "@/lib/database/sql";
import { badRequest, questionChanged } from "@/lib/errors";
import { lensUrl } from "@/lib/owners/passkeys/answer-origins";
import { askToSign } from "@/lib/owners/passkeys/sign-with-passkey";
import type { SeenQuestion } from "../answer";
import { contentHash, coveredContent } from "../content-hash";
import { checkedValues } from "../fields/checked-values";
import { readApproval } from "../inbox-queries";
import type { Answer } from "../schema";
import type { SignatureOffer, SigningRequest } from "./schema";
import { canonicalText, challengeOf, statementOf } from "./statement";

/**
 * Offers an answer to the owner's passkey: returns the statement to sign, with everything that its
 * hashes cover, and stores its challenge for five minutes. Records no answer.
 * @param several questions of one app that get the same answer, in the order in which they are shown
 * @throws {AppError} 404; 400 for an answer that the questions don't offer, or for questions of
 *   several apps; 409 if a question changed or the owner has no passkey; 429
 */
export async function offerSignature(
  owner: OwnerActor,
  several: readonly SeenQuestion[],
  answer: Answer,
): Promise<SignatureOffer> {
  const questions = [];
  for (const { id, seen } of several) {
    const approval = await readApproval(owner, id);
    // Never offers content that differs from the hash that the owner's page shows.
    if (contentHash(approval) !== seen) throw questionChanged();
    if (answer.optionId !== undefined && !approval.options.some((option) => option.id === answer.optionId))
      throw badRequest("Must be the ID of one of this approval's options", "optionId");
    const values = await checkedValues(owner, id, answer);
    questions.push({ approval, id, seen, answer: { ...answer, ...(values && { values }) } });
  }
  const [first] = questions;
  if (!first || questions.some(({ approval }) => approval.clientId !== first.approval.clientId))
    throw badRequest("Select only questions that come from one app", "ids");
  const about = { owner: owner.ownerId, app: first.approval.clientId, offeredAt: await now() };
  const statement = statementOf(about, questions);
  const request: SigningRequest = {
    contents: questions.map(({ approval }) => coveredContent(approval)),
    statement,
    texts: questions.map(({ answer: { otherText, note } }) => ({
      ...(otherText !== undefined && { otherText }),
      ...(note !== undefined && { note }),
    })),
  };
  const text = canonicalText(statement);
  const lens = lensUrl();
  const options = await askToSign(owner, challengeOf(text));
  return { statement: text, request: canonicalText(request), options, ...(lens && { lens }) };
}

/** Returns the database's time in epoch milliseconds. */
async function now(): Promise<number> {
  const found = await sql<{ at: number }>`
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at`.row();
  return found?.at ?? clock.now();
}
