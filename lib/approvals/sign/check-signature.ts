import { z } from "zod";
import type { OwnerActor } from "@/lib/actor";
import { env } from "@/lib/config/env";
import { sql } from "@/lib/database/sql";
import { notFound } from "@/lib/errors";
import { answerOrigins } from "@/lib/owners/passkeys/answer-origins";
import { acceptSignature } from "@/lib/owners/passkeys/sign-with-passkey";
import type { AnswerSignature } from "./schema";
import { invalidSignature } from "./signing-errors";
import { signingOf } from "./signing-sql";
import { type AnswerToSign, canonicalText, challengeOf, statementOf } from "./statement";

/** The statement that the owner's page signed, and the browser's response as JSON. */
export type SentSignature = { statement: string; response: Record<string, unknown> };

const OfferTime = z.object({ offeredAt: z.int().min(0) });

/**
 * Verifies that the owner's passkey signed exactly these answers, and consumes the offer. Builds the
 * statement again from what would be recorded, so a page can't get a signature for something else.
 * An offer lasts five minutes. If one of the questions requires a lens, a signature of this service's
 * own pages is invalid.
 * @param answers the answers to questions of one app, in the order of the offer
 * @returns the signature to record with each of the answers
 * @throws {AppError} 404; 400 if the signature is invalid, too old, or for other answers
 */
export async function checkSignature(
  owner: OwnerActor,
  { statement, response }: SentSignature,
  answers: readonly AnswerToSign[],
): Promise<AnswerSignature> {
  const { ownerId } = owner;
  const offer = OfferTime.safeParse(parsed(statement));
  if (!offer.success) throw invalidSignature();
  const asked = await sql<{ app: string; lens: boolean }>`
    SELECT min(a.app_id) AS app, bool_or(${signingOf(sql`a`)} = 'lens') IS TRUE AS lens
    FROM approval a
    WHERE a.owner_id = ${ownerId} AND a.id = ANY (${answers.map(({ id }) => id)})
    HAVING count(*) > 0`.row();
  if (!asked) throw notFound();
  const { offeredAt } = offer.data;
  if (canonicalText(statementOf({ owner: ownerId, app: asked.app, offeredAt }, answers)) !== statement)
    throw invalidSignature();
  const expected = { challenge: challengeOf(statement), origins: asked.lens ? env().lensOrigins : answerOrigins() };
  const signed = await acceptSignature(owner, response, expected, invalidSignature());
  return { statement, ...signed };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
