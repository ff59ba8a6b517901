import type { SignInMethod } from "@/lib/actor";
import { clock } from "@/lib/clock";
import { env } from "@/lib/config/env";
import { sql } from "@/lib/database/sql";
import { asAppError } from "@/lib/errors";
import { withWhat } from "@/lib/events/event-descriptions";
import { log } from "@/lib/log";
import { sendMail } from "@/lib/mail";
import { consumeAttempt, refundAttempt } from "./fixed-window-limiter";
import { mailOwner } from "./mail-owner";

/**
 * The number of failed sign-ins in a day at which the owner gets an email. Fewer are probably the
 * owner's own mistakes.
 */
const worthMail = 5;
const oneADay = { max: 1, seconds: 86_400 };
/** The maximum number of emails about new devices, and of those about passkeys, per owner and day. */
const devicesADay = { max: 20, seconds: 86_400 };

type Due = { owner_id: string; email: string; count: number; from: Date; to: Date };

/**
 * Emails owners about repeated failed sign-ins, at most once a day each. Every instance calls this
 * function regularly, so the next call retries emails that were rejected.
 * @returns the number of emails that the mail server accepted
 */
export async function mailRefusals(): Promise<number> {
  if (!env().mail) return 0;
  const found = await sql<Due>`
    SELECT r.owner_id, o.email, r.count, r.from, r.to
    FROM (
      SELECT owner_id, sum(count)::int AS count, min(minute) AS from, max(minute) AS to
      FROM failed_sign_in
      WHERE minute > now() - interval '1 day' AND mailed_at IS NULL
      GROUP BY owner_id
      HAVING sum(count) >= ${worthMail}
    ) AS r
      JOIN owner o ON o.id = r.owner_id AND o.confirmed_email = o.email`.rows();
  let sent = 0;
  for (const due of found) {
    if (!(await claimed("refusals-mail", due.owner_id, oneADay))) continue;
    try {
      await sendMail({ to: due.email, ...refusalsMail(due) });
      await sql`
        UPDATE failed_sign_in
        SET mailed_at = now()
        WHERE owner_id = ${due.owner_id} AND minute <= ${due.to} AND mailed_at IS NULL`.run();
      sent++;
    } catch (error) {
      await refundAttempt("refusals-mail", due.owner_id);
      log.warn("could not send an email about failed sign-ins", { reason: String(error) });
    }
  }
  return sent;
}

const refusalsMail = ({ count, from, to }: Due) => ({
  subject: `${count} failed sign-ins to your Countersign account`,
  text: [
    `${count} attempts to sign in to your account at ${env().publicUrl} failed.`,
    from.getTime() === to.getTime() ? `Time: ${utc(from)}` : `First attempt: ${utc(from)}\nLast attempt: ${utc(to)}`,
    `If the attempts weren’t yours, make sure that no one else knows your password. You can change your password here:\n${env().publicUrl}/settings/security`,
    `See the attempts and their IP addresses:\n${env().publicUrl}/activity?kind=refusals`,
    "We send this email at most once a day.",
  ].join("\n\n"),
});

const utc = (date: Date) => `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;

export type NewDevice = { ownerId: string; device: string; address: string; method: SignInMethod };

/** Returns the notification about a sign-in in a browser that is new for the owner. */
export const newDeviceNote = ({ device, address, method }: NewDevice) => ({
  title: `New sign-in on ${device}`,
  body: `${from(address, method)}If this wasn’t you, sign the new device out in Settings and change your password.`,
  type: "security",
});

const from = (address: string, method: SignInMethod) =>
  address ? `Someone signed in from ${address}${withWhat(method)}. ` : "";

/**
 * Emails the owner about a sign-in in a new browser, if a mail server is configured. Never throws,
 * because the owner also gets a notification.
 */
export async function mailNewDevice({ ownerId, device, address, method }: NewDevice): Promise<void> {
  try {
    if (!env().mail || !(await claimed("new-device-mail", ownerId, devicesADay))) return;
    await mailOwner(ownerId, {
      subject: `New sign-in on ${device}`,
      text: [
        `Someone signed in to your account at ${env().publicUrl}.`,
        [
          `Device: ${device}`,
          `Time: ${utc(new Date(clock.now()))}`,
          ...(address ? [`${address.includes("/") ? "Network" : "IP address"}: ${address}`] : []),
          `Sign-in method: ${withWhat(method).replace(" with ", "") || "a password"}`,
        ].join("\n"),
        "If this was you, you don’t need to do anything.",
        `If this wasn’t you, sign the device out and change your password immediately:\n${env().publicUrl}/settings/security`,
      ].join("\n\n"),
    });
  } catch (error) {
    log.error("could not send an email about a new device", undefined, { reason: String(error) });
  }
}

/**
 * Emails the account's former address, which had been confirmed, about the change. Never throws.
 */
export async function mailFormerAddress(before: string, now: string): Promise<void> {
  try {
    await sendMail({
      to: before,
      subject: "Your Countersign email was changed",
      text: [
        `Your account at ${env().publicUrl} now uses the email ${now}. We’ll send all future email to that address.`,
        "If this wasn’t you, ask your operator to reset your account.",
      ].join("\n\n"),
    });
  } catch (error) {
    log.error("could not send an email about a changed address", undefined, { reason: String(error) });
  }
}

/** An added or removed passkey, by the name that the owner gave it. */
type KeyChange = { ownerId: string; name: string; change: "added" | "removed" };

/** Emails the owner about an added or removed passkey, if a mail server is configured. Never throws. */
export async function mailKeyChange({ ownerId, name, change }: KeyChange): Promise<void> {
  try {
    if (!env().mail || !(await claimed("key-mail", ownerId, devicesADay))) return;
    const added = change === "added";
    await mailOwner(ownerId, {
      subject: added ? "A passkey was added to your account" : "A passkey was removed from your account",
      text: [
        `The passkey “${name}” was ${added ? "added to" : "removed from"} your account at ${env().publicUrl}.`,
        `Time: ${utc(new Date(clock.now()))}`,
        "A passkey can sign you in, and can sign your answers.",
        "If this was you, you don’t need to do anything.",
        `If this wasn’t you, check your passkeys and change your password immediately:\n${env().publicUrl}/settings/security`,
      ].join("\n\n"),
    });
  } catch (error) {
    log.error("could not send an email about a passkey", undefined, { reason: String(error) });
  }
}

/**
 * Counts an email against the owner's limit.
 * @returns whether the limit allows the email
 */
const claimed = (kind: string, ownerId: string, limit: { max: number; seconds: number }) =>
  consumeAttempt(kind, ownerId, limit, "").then(
    () => true,
    (error) => {
      if (asAppError(error)?.status !== 429) throw error;
      return false;
    },
  );
