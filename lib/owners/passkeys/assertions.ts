import * as webauthn from "@simplewebauthn/server";
import { env } from "@/lib/config/env";
import { sql } from "@/lib/database/sql";
import { type AppError, asAppError } from "@/lib/errors";
import type { Passkey } from "@/lib/generated/prisma/client";
import { type Purpose, party, spendChallenge } from "./challenges";

/** A browser's response to a challenge, with the passkey that must have signed it. */
type Assertion = {
  response: webauthn.AuthenticationResponseJSON;
  passkey: Passkey;
  /** What the challenge is for, and the owner for whom it was stored. */
  purpose: Purpose;
  ownerId: string | null;
  /** The only accepted challenge. By default, any that is stored for the purpose and owner. */
  challenge?: string;
  /** The origins of the pages that may have asked for it; by default, only ours. */
  origins?: string[];
};

/**
 * Verifies a browser's response: challenge, origin, relying party, user verification, counter and
 * signature (WebAuthn level 3, section 7.2). Consumes the challenge, and counts the passkey's use.
 * @param refusal the error for a response that fails
 * @returns what the authenticator reported
 */
export async function acceptAssertion(
  { response, passkey, purpose, ownerId, challenge, origins = [env().publicUrl] }: Assertion,
  refusal: AppError,
): Promise<webauthn.VerifiedAuthenticationResponse["authenticationInfo"]> {
  const { verified, authenticationInfo } = await checked(
    () =>
      webauthn.verifyAuthenticationResponse({
        response,
        expectedChallenge: async (given) =>
          (challenge === undefined || given === challenge) && (await spendChallenge(given, purpose, ownerId)),
        expectedOrigin: origins,
        expectedRPID: party().rpID,
        credential: { id: passkey.id, publicKey: new Uint8Array(passkey.publicKey), counter: Number(passkey.counter) },
      }),
    refusal,
  );
  const handle = response.response?.userHandle;
  if (!verified || (handle && Buffer.from(String(handle), "base64url").toString() !== passkey.ownerId)) throw refusal;
  // Authenticators without a counter always report 0. Otherwise, of two responses with the same
  // count, only one is accepted.
  const { newCounter, credentialDeviceType } = authenticationInfo;
  const used = await sql`
    UPDATE passkey
    SET counter = ${newCounter}, last_used_at = now(),
      synced = ${credentialDeviceType === "multiDevice"}
    WHERE owner_id = ${passkey.ownerId} AND id = ${passkey.id}
      AND (counter < ${newCounter} OR ${newCounter} = 0)`.run();
  if (used === 0) throw refusal;
  return authenticationInfo;
}

/**
 * Runs a check of a browser's response. Rethrows an `AppError`, converts the error of an outage to
 * one, and replaces any other error with `refusal`, because unreadable input caused it.
 */
export async function checked<T>(check: () => Promise<T>, refusal: AppError): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw asAppError(error) ?? refusal;
  }
}
