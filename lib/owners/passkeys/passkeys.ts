import { isIP } from "node:net";
import * as webauthn from "@simplewebauthn/server";
import type { OwnerActor } from "@/lib/actor";
import { env } from "@/lib/config/env";
import { db } from "@/lib/database/db";
import { epochMs, omitNulls, sql } from "@/lib/database/sql";
import { AppError, badRequest, notFound } from "@/lib/errors";
import { type Change, change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { validate } from "@/lib/text/validate";
import { lockingPasskey } from "../account-locks";
import { consumeAttempt } from "../fixed-window-limiter";
import { NewPasskey, type PasskeySummary } from "../schema";
import { mailKeyChange } from "../security-mail";
import { checked } from "./assertions";
import { keepChallenge, party, spendChallenge, timeout } from "./challenges";
import { recordKeyChange } from "./owner-keys";

/** The maximum number of passkeys per owner. */
const maxPasskeys = 20;

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
  const taken = () => new AppError(409, "You have already added this passkey");
  const synced = made.credentialDeviceType === "multiDevice";
  const store = async (tx: Change) => {
    const added = await sql`
      INSERT INTO passkey (id, owner_id, name, public_key, counter, transports, synced)
      VALUES (
        ${id}, ${ownerId}, ${name}, ${Buffer.from(publicKey)}, ${counter},
        ${transports.slice(0, 10)}, ${synced}
      )
      ON CONFLICT DO NOTHING`.run(tx);
    if (added === 0) throw taken();
    await record(tx, { ownerId, type: "owner.passkey_added", subject: ownerId, data: { passkey: id, name } });
    await recordKeyChange(tx, ownerId, { credentialId: id, change: "added" });
  };
  await lockingPasskey(id, async (isTaken) => {
    if (isTaken) throw taken();
    await change(owner, store);
  });
  void mailKeyChange({ ownerId, name, change: "added" });
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
 * Deletes one of the owner's passkeys. Its public key stays listed for the answers that it signed.
 * @throws {AppError} 404 if the owner has no such passkey
 */
export async function removePasskey(owner: OwnerActor, id: string): Promise<void> {
  const { ownerId } = owner;
  const name = await change(owner, async (tx) => {
    const removed = await sql<{ name: string }>`
      WITH removed AS (
        DELETE FROM passkey
        WHERE id = ${id} AND owner_id = ${ownerId}
        RETURNING *
      ), kept AS (
        INSERT INTO removed_passkey (id, owner_id, public_key, synced, since)
        SELECT id, owner_id, public_key, synced, created_at FROM removed
      )
      SELECT name FROM removed`.row(tx);
    if (!removed) throw notFound();
    const data = { passkey: id, name: removed.name };
    await record(tx, { ownerId, type: "owner.passkey_removed", subject: ownerId, data });
    await recordKeyChange(tx, ownerId, { credentialId: id, change: "removed" });
    return removed.name;
  });
  void mailKeyChange({ ownerId, name, change: "removed" });
}
