import type { OwnerActor } from "@/lib/actor";
import { env } from "@/lib/config/env";
import { sql } from "@/lib/database/sql";
import { AppError, badRequest, notFound, sqlState } from "@/lib/errors";
import { type Change, change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { hashSecret, isSecret, newSecret } from "@/lib/keys/secret-tokens";
import { log } from "@/lib/log";
import { sendMail } from "@/lib/mail";
import { isEmailTaken, releaseFormerEmails, reserveNewEmail } from "./find-accounts";
import { consumeAttempt, refundAttempt } from "./fixed-window-limiter";
import type { EmailState } from "./schema";
import { mailFormerAddress } from "./security-mail";

/*
 * Anyone can enter any address, so an unconfirmed address receives only a confirmation link and no
 * text from the user. `owner.confirmed_email` is the last confirmed address. If it differs from
 * `owner.email`, the account's email serves only as a name for signing in.
 */

/** The lifetime of a confirmation link, in hours. */
const linkHours = 24;
const day = 86_400;
/** The limit on email changes per owner. */
const changes = { max: 3, seconds: day };
/** The limits on confirmation emails: per owner, and per address across all owners. */
const ofOwner = { max: 6, seconds: day };
const toAddress = { max: 10, seconds: day };
const tooMany = "Too many confirmation emails today. Try again tomorrow.";

/** Returns the error for an address that belongs to another account. */
export const emailTaken = () => {
  const message = "This email already has an account. Use another email.";
  return new AppError(409, message, { details: [{ path: "email", message }] });
};

/** Returns the owner's address, whether it is confirmed, and the pending new address. */
export async function readEmailState({ ownerId }: OwnerActor): Promise<EmailState> {
  const state = await sql<{ email: string; confirmed: boolean; pending: string | null }>`
    SELECT o.email, coalesce(o.confirmed_email = o.email, false) AS confirmed,
      (
        SELECT l.email
        FROM sign_in_link l
        WHERE l.owner_id = o.id
          AND l.email <> o.email
          AND l.used_at IS NULL
          AND l.expires_at > now()
        ORDER BY l.created_at DESC LIMIT 1
      ) AS pending
    FROM owner o
    WHERE o.id = ${ownerId}`.row();
  if (!state) throw notFound();
  const { pending, ...rest } = state;
  return { ...rest, ...(pending !== null && { pending }) };
}

/**
 * Sends a confirmation link to a new address. The account keeps its current address until the link
 * is used. Links to other new addresses stop working.
 * @throws {AppError} 409 if another account has the address; 429 after three changes a day or too
 *   many confirmation emails; 502 if the email can't be sent
 */
export async function requestEmailChange(owner: OwnerActor, email: string): Promise<void> {
  const { ownerId } = owner;
  await consumeAttempt(
    "email-change",
    ownerId,
    changes,
    "You can change your email three times a day. Try again tomorrow.",
  );
  await countMail(ownerId, email);
  if (await isEmailTaken(email, ownerId)) throw emailTaken();
  const token = await change(owner, async (tx) => {
    await record(tx, { ownerId, type: "owner.email_change_requested", subject: ownerId });
    return makeLink(tx, ownerId, email);
  });
  await deliver(ownerId, email, token).catch(async (error) => {
    await refundAttempt("email-change", ownerId);
    throw error;
  });
}

/**
 * Sends a new link to the pending address or, if there is none, to the account's own address.
 * @throws {AppError} 400 if there is nothing to confirm; 404 without a mail server; 429; 502
 */
export async function resendConfirmation(owner: OwnerActor): Promise<void> {
  if (!env().mail) throw notFound();
  const { email, confirmed, pending } = await readEmailState(owner);
  if (confirmed && pending === undefined) throw badRequest("Your email is already confirmed");
  const to = pending ?? email;
  await countMail(owner.ownerId, to);
  await deliver(owner.ownerId, to, await change(owner, (tx) => makeLink(tx, owner.ownerId, to)));
}

/** Cancels an email change. Links to the new address stop working. */
export async function cancelEmailChange(owner: OwnerActor): Promise<void> {
  await change(owner, async (tx) => {
    await sql`
      DELETE FROM sign_in_link l
      USING owner o
      WHERE o.id = ${owner.ownerId}
        AND l.owner_id = o.id
        AND l.email <> o.email
        AND l.used_at IS NULL`.run(tx);
  });
}

/**
 * Sends a new account's first confirmation link, if there is a mail server. Never throws, because
 * the owner can send another link from Settings.
 */
export async function confirmNewAccount({ ownerId, email }: { ownerId: string; email: string }): Promise<void> {
  if (!env().mail) return;
  try {
    await countMail(ownerId, email);
    await deliver(ownerId, email, await change({ ownerId }, (tx) => makeLink(tx, ownerId, email)));
  } catch (error) {
    log.warn("could not send a new account's confirmation email", { reason: String(error) });
  }
}

/**
 * Returns the address that an unused link confirms, or null for any other link. Does not consume
 * the link.
 */
export async function readConfirmation(token: string): Promise<{ email: string } | null> {
  if (!isSecret(token, ["ec"])) return null;
  const found = await sql<{ email: string }>`
    SELECT email
    FROM sign_in_link
    WHERE hash = ${hashSecret(token)} AND ${isGood}`.row();
  return found ?? null;
}

const isGood = sql`email IS NOT NULL AND used_at IS NULL AND expires_at > now()`;

const badLink = () =>
  new AppError(401, "This link has already been used or has expired. Request a new link in Settings.");

/**
 * Consumes a link and makes its address the account's confirmed address. If the address is new,
 * unused sign-in links stop working. The former address is notified if it was confirmed.
 * @throws {AppError} 401 if the link was used, has expired or is forged; 409 if another account now
 *   has the address
 */
export async function confirmEmail(token: string): Promise<void> {
  if (!isSecret(token, ["ec"])) throw badLink();
  const hash = hashSecret(token);
  const done = await change(null, async (tx) => {
    // Locks the owner first, like every other change that ends links.
    const owner = await sql<{ id: string; email: string; confirmed_email: string | null }>`
      SELECT id, email, confirmed_email
      FROM owner
      WHERE id = (SELECT owner_id FROM sign_in_link WHERE hash = ${hash})
      FOR UPDATE`.row(tx);
    const used = await sql<{ email: string }>`
      UPDATE sign_in_link
      SET used_at = now()
      WHERE hash = ${hash} AND ${isGood}
      RETURNING email`.row(tx);
    if (!owner || !used) throw badLink();
    const { id: ownerId, email: before } = owner;
    const { email } = used;
    const moved = email !== before;
    if (moved && !(await reserveNewEmail(tx, ownerId, email))) throw emailTaken();
    await sql`
      UPDATE owner
      SET email = ${email}, confirmed_email = ${email}
      WHERE id = ${ownerId}`.run(tx);
    await sql`
      DELETE FROM sign_in_link
      WHERE owner_id = ${ownerId} AND used_at IS NULL AND (email IS NOT NULL OR ${moved})`.run(tx);
    await record(
      tx,
      moved
        ? { ownerId, type: "owner.changed", subject: ownerId, data: { changed: ["email"] } }
        : { ownerId, type: "owner.email_confirmed", subject: ownerId },
    );
    return { ownerId, email, moved, former: moved && owner.confirmed_email === before ? before : undefined };
  }).catch((error) => {
    throw sqlState(error) === "23505" ? emailTaken() : error;
  });
  if (done.moved) await releaseFormerEmails(done.ownerId, done.email);
  if (done.former !== undefined) void mailFormerAddress(done.former, done.email);
}

async function countMail(ownerId: string, email: string): Promise<void> {
  await consumeAttempt("confirmation-of", ownerId, ofOwner, tooMany);
  await consumeAttempt("confirmation-to", email, toAddress, tooMany);
}

/**
 * Creates a confirmation link for an address, and deletes unused links for the owner's other
 * addresses.
 * @returns the link's token, of which only a hash is stored
 */
async function makeLink(tx: Change, ownerId: string, email: string): Promise<string> {
  const token = newSecret("ec", { ownerId });
  // Locks the owner, so that concurrent requests leave at most one pending address.
  await sql`SELECT FROM owner WHERE id = ${ownerId} FOR NO KEY UPDATE`.run(tx);
  await sql`
    DELETE FROM sign_in_link
    WHERE owner_id = ${ownerId} AND email <> ${email} AND used_at IS NULL`.run(tx);
  await sql`
    INSERT INTO sign_in_link (hash, owner_id, email, expires_at)
    VALUES (
      ${hashSecret(token)}, ${ownerId}, ${email}, now() + make_interval(hours => ${linkHours})
    )`.run(tx);
  return token;
}

/**
 * Sends the confirmation email. If this fails, deletes the link and refunds the attempt.
 * @throws {AppError} 502 if the email can't be sent
 */
async function deliver(ownerId: string, email: string, token: string): Promise<void> {
  const mail = {
    to: email,
    subject: "Confirm your email for Countersign",
    text: [
      `To confirm this address for an account at ${env().publicUrl}, open the link below and press the button.`,
      `${env().publicUrl}/confirm-email?token=${token}`,
      `The link works once. It expires after ${linkHours} hours.`,
      "If you didn’t request this link, ignore this email. We won’t send other email to this address until you confirm the address.",
    ].join("\n\n"),
  };
  await sendMail(mail).catch(async (error) => {
    log.warn("could not send a confirmation email", { reason: String(error) });
    await change({ ownerId }, async (tx) => {
      await sql`DELETE FROM sign_in_link WHERE hash = ${hashSecret(token)}`.run(tx);
    });
    await refundAttempt("confirmation-of", ownerId);
    await refundAttempt("confirmation-to", email);
    throw new AppError(502, "Couldn’t send the confirmation email. Try again in a few minutes.");
  });
}
