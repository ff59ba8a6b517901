import { env } from "@/lib/config/env";
import { sql } from "@/lib/database/sql";
import { hashSecret } from "@/lib/keys/secret-tokens";

/**
 * How long the owner may take to use a passkey, in milliseconds. Also the lifetime of a challenge.
 */
export const timeout = 300_000;
/** Returns the relying party: our public host, whatever the request's host is. */
export const party = () => ({ rpName: "Countersign", rpID: new URL(env().publicUrl).hostname });

/** What a challenge is for: a new passkey, a sign-in, or the signature of an answer. */
export type Purpose = "register" | "sign_in" | "answer";

/** Stores a challenge. Two equal challenges for a purpose and owner count as one. */
export const keepChallenge = (challenge: string, purpose: Purpose, ownerId: string | null) =>
  sql`
    INSERT INTO passkey_challenge (hash, purpose, owner_id, expires_at)
    VALUES (
      ${hashSecret(challenge)}, ${purpose}, ${ownerId},
      now() + make_interval(secs => ${timeout / 1000})
    )
    ON CONFLICT (hash) DO NOTHING`.run();

/** Consumes a challenge. Returns whether it was valid for this owner and purpose. */
export async function spendChallenge(challenge: string, purpose: Purpose, ownerId: string | null): Promise<boolean> {
  const spent = await sql`
    DELETE FROM passkey_challenge
    WHERE hash = ${hashSecret(challenge)}
      AND purpose = ${purpose}
      AND owner_id IS NOT DISTINCT FROM ${ownerId}
      AND expires_at > now()`.run();
  return spent > 0;
}
