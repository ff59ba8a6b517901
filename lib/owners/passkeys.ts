import { isIP } from "node:net";
import * as webauthn from "@simplewebauthn/server";
import type { OwnerActor } from "@/lib/actor";
import { env } from "@/lib/config/env";
import { db } from "@/lib/database/db";
import { epochMs, omitNulls, sql } from "@/lib/database/sql";
import { AppError, asAppError, badRequest, notFound } from "@/lib/errors";
import { change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import type { Passkey } from "@/lib/generated/prisma/client";
import { hashSecret } from "@/lib/keys/secret-tokens";
import { ipPrefix } from "@/lib/net/ip-prefix";
import { validate } from "@/lib/text/validate";
import { recordFailedSignIn } from "./failed-sign-ins";
import { consumeAttempt } from "./fixed-window-limiter";
import { consumeAll } from "./rate-limiter";
import { type Entrance, NewPasskey, type PasskeySummary } from "./schema";
import type { SignInOrigin } from "./sign-in-limits";

/** The maximum number of passkeys per owner. */
const maxPasskeys = 20;
/**
 * How long the owner may take to use a passkey, in milliseconds. Also the lifetime of a challenge.
 */
const timeout = 300_000;
/** Returns the relying party: our public host, whatever the request's host is. */
const party = () => ({ rpName: "Countersign", rpID: new URL(env().publicUrl).hostname });

/**
 * Whether browsers can create passkeys for our URL, which must have a host name and, except for
 * localhost, https.
 */
export function passkeysWork(): boolean {
  const { protocol, hostname } = new URL(env().publicUrl);
  return hostname === "localhost" || (protocol === "https:" && isIP(hostname.replace(/^\[|\]$/g, "")) === 0);
}

/**
 * Returns the options for creating a passkey in the owner's browser.
 * @throws {AppError} 409 if there are too many passkeys; 429
 */
export async function beginPasskey(owner: OwnerActor): Promise<webauthn.PublicKeyCredentialCreationOptionsJSON> {
  await consumeAttempt("passkey-new", owner.ownerId, { max: 60, seconds: 900 }, "Too many attempts. Try again later.");
  const { email, name, passkeys } = await db.owner.findUniqueOrThrow({
    where: { id: owner.ownerId },
    include: { passkeys: { select: { id: true, transports: true } } },
  });
  if (passkeys.length >= maxPasskeys)
    throw new AppError(409, `You have ${maxPasskeys} passkeys, which is the limit. Remove a passkey first.`);
  const options = await webauthn.generateRegistrationOptions({
    ...party(),
    timeout,
    userName: email,
    userDisplayName: name,
    attestationType: "none",
    userID: new TextEncoder().encode(owner.ownerId),
    excludeCredentials: passkeys,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  await keepChallenge(options.challenge, "register", owner.ownerId);
  return options;
}

/**
 * Stores a passkey that the browser created.
 * @throws {AppError} 400 if the browser's response fails verification; 409 if the passkey is
 * already stored
 */
export async function addPasskey(owner: OwnerActor, input: NewPasskey): Promise<{ id: string }> {
  const { name, response } = validate(NewPasskey, input);
  const { ownerId } = owner;
  const { verified, registrationInfo: made } = await checked(
    () =>
      webauthn.verifyRegistrationResponse({
        response: JSON.parse(response),
        expectedChallenge: (challenge) => spendChallenge(challenge, "register", ownerId),
        expectedOrigin: env().publicUrl,
        expectedRPID: party().rpID,
      }),
    badRequest("Couldn’t verify the passkey. Try again."),
  );
  if (!verified) throw badRequest("Couldn’t verify the passkey. Try again.");
  const { id, publicKey, counter, transports = [] } = made.credential;
  await change(owner, async (tx) => {
    const added = await sql`
      INSERT INTO passkey (id, owner_id, name, public_key, counter, transports)
      VALUES (
        ${id}, ${ownerId}, ${name}, ${Buffer.from(publicKey)}, ${counter},
        ${transports.slice(0, 10)}
      )
      ON CONFLICT DO NOTHING`.run(tx);
    if (added === 0) throw new AppError(409, "You have already added this passkey");
    await record(tx, { ownerId, type: "owner.passkey_added", subject: ownerId, data: { passkey: id, name } });
  });
  return { id };
}

/** Lists the owner's passkeys, newest first. */
export async function listPasskeys({ ownerId }: OwnerActor): Promise<PasskeySummary[]> {
  const rows = sql<PasskeySummary>`
    SELECT id, name, ${epochMs("created_at")} AS "createdAt",
      ${epochMs("last_used_at")} AS "lastUsedAt"
    FROM passkey
    WHERE owner_id = ${ownerId}
    ORDER BY created_at DESC, id DESC`.rows();
  return (await rows).map(omitNulls);
}

/**
 * Deletes one of the owner's passkeys.
 * @throws {AppError} 404 if the owner has no such passkey
 */
export async function removePasskey(owner: OwnerActor, id: string): Promise<void> {
  const { ownerId } = owner;
  await change(owner, async (tx) => {
    const removed = await sql<{ name: string }>`
      DELETE FROM passkey
      WHERE id = ${id} AND owner_id = ${ownerId}
      RETURNING name`.row(tx);
    if (!removed) throw notFound();
    const data = { passkey: id, name: removed.name };
    await record(tx, { ownerId, type: "owner.passkey_removed", subject: ownerId, data });
  });
}

/**
 * Returns the options for a sign-in with any passkey for this service or, if `owner` is given, with
 * one of the owner's. Allows 60 calls, and then one every 15 seconds, per session of the owner or
 * otherwise per address.
 * @throws {AppError} 429
 */
export async function askForPasskey(
  { address }: Pick<SignInOrigin, "address">,
  owner: (OwnerActor & { session: string }) | null = null,
): Promise<webauthn.PublicKeyCredentialRequestOptionsJSON> {
  const who = owner
    ? { kind: "passkey-session", what: owner.session }
    : { kind: "passkey-address", what: ipPrefix(address) };
  await consumeAll([{ ...who, pace: { burst: 60, seconds: 15 } }]);
  const allowCredentials = owner
    ? await db.passkey.findMany({ where: { ownerId: owner.ownerId }, select: { id: true, transports: true } })
    : [];
  const options = await webauthn.generateAuthenticationOptions({
    rpID: party().rpID,
    timeout,
    allowCredentials,
    userVerification: "required",
  });
  await keepChallenge(options.challenge, "sign_in", owner?.ownerId ?? null);
  return options;
}

/**
 * Returns the owner of the passkey that signed this response. Records a failed sign-in of the
 * passkey's owner if the check fails.
 * @param response the browser's response as JSON
 * @param owner the signed-in owner, if this sign-in confirms their identity; only their passkeys
 * are accepted
 * @throws {AppError} 401 if the response is invalid, the passkey is unknown, or its counter didn't
 * increase (a sign of a cloned passkey)
 */
export async function signInWithPasskey(
  response: string,
  { address }: Pick<SignInOrigin, "address">,
  owner: OwnerActor | null = null,
): Promise<Entrance> {
  const credential = await checked(async () => JSON.parse(response), refused);
  const known =
    typeof credential?.id === "string" && credential.id.length <= 1400
      ? await db.passkey.findUnique({ where: { id: credential.id }, include: { owner: true } })
      : null;
  if (!known || (owner && known.ownerId !== owner.ownerId)) {
    throw new AppError(401, "This passkey isn’t registered on this service. Sign in another way.");
  }
  try {
    return await verify(credential, known, owner);
  } catch (error) {
    const { email } = known.owner;
    if (error instanceof AppError) recordFailedSignIn({ door: owner ? "again" : "passkey", email, address });
    throw error;
  }
}

const refused = new AppError(401, "Couldn’t accept the passkey. Try again, or use your password.");

async function verify(
  credential: webauthn.AuthenticationResponseJSON,
  known: Passkey & { owner: { sessionVersion: number } },
  owner: OwnerActor | null,
): Promise<Entrance> {
  const { verified, authenticationInfo } = await checked(
    () =>
      webauthn.verifyAuthenticationResponse({
        response: credential,
        expectedChallenge: (challenge) => spendChallenge(challenge, "sign_in", owner?.ownerId ?? null),
        expectedOrigin: env().publicUrl,
        expectedRPID: party().rpID,
        credential: { id: known.id, publicKey: new Uint8Array(known.publicKey), counter: Number(known.counter) },
      }),
    refused,
  );
  const handle = credential.response?.userHandle;
  if (!verified || (handle && Buffer.from(String(handle), "base64url").toString() !== known.ownerId)) throw refused;
  // Authenticators without a counter always report 0. Otherwise, of two responses with the same
  // count, only one is accepted.
  const used = await sql`
    UPDATE passkey
    SET counter = ${authenticationInfo.newCounter}, last_used_at = now()
    WHERE id = ${known.id}
      AND (
        counter < ${authenticationInfo.newCounter} OR ${authenticationInfo.newCounter} = 0
      )`.run();
  if (used === 0) throw refused;
  return { ownerId: known.ownerId, sessionVersion: known.owner.sessionVersion };
}

type Purpose = "register" | "sign_in";

const keepChallenge = (challenge: string, purpose: Purpose, ownerId: string | null) =>
  sql`
    INSERT INTO passkey_challenge (hash, purpose, owner_id, expires_at)
    VALUES (
      ${hashSecret(challenge)}, ${purpose}, ${ownerId},
      now() + make_interval(secs => ${timeout / 1000})
    )`.run();

/** Consumes a challenge. Returns whether it was valid for this owner and purpose. */
async function spendChallenge(challenge: string, purpose: Purpose, ownerId: string | null): Promise<boolean> {
  const spent = await sql`
    DELETE FROM passkey_challenge
    WHERE hash = ${hashSecret(challenge)}
      AND purpose = ${purpose}
      AND owner_id IS NOT DISTINCT FROM ${ownerId}
      AND expires_at > now()`.run();
  return spent > 0;
}

/**
 * Runs a check of a browser's response. Rethrows an `AppError`, converts the error of an outage to
 * one, and replaces any other error with `refusal`, because unreadable input caused it.
 */
async function checked<T>(check: () => Promise<T>, refusal: AppError): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw asAppError(error) ?? refusal;
  }
}
