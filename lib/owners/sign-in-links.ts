import type { OwnerActor, SignInMethod } from "@/lib/actor";
import { env } from "@/lib/config/env";
import { sql } from "@/lib/database/sql";
import { AppError, notFound } from "@/lib/errors";
import { change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { hashSecret, isSecret, newSecret } from "@/lib/keys/secret-tokens";
import { log } from "@/lib/log";
import { sendMail } from "@/lib/mail";
import { ipPrefix } from "@/lib/net/ip-prefix";
import { drawQrCode, type QrCode } from "@/lib/text/qr-code";
import { validate } from "@/lib/text/validate";
import { knownBrowser } from "./device-cookie";
import { ownerOfEmail } from "./find-accounts";
import { consumeAttempt } from "./fixed-window-limiter";
import { consumeAll, type RateLimit } from "./rate-limiter";
import { type Entrance, LinkRequest } from "./schema";
import type { SignInOrigin } from "./sign-in-limits";

/**
 * The limit on sign-in emails per account: a burst of three, then one every five minutes. A
 * stranger who uses it up doesn't lock out the owner, who has received these emails.
 */
const mails: RateLimit = { burst: 3, seconds: 300 };

/**
 * Emails a sign-in link to an account's confirmed address. The link works once, within 15 minutes.
 * The email is sent in the background, so that the response doesn't reveal whether the account
 * exists.
 * @returns `delivered`, which settles when the email was sent or failed; don't await it in a
 * request
 * @throws {AppError} 404 without a mail server; 400 for an invalid email address; 429
 */
export async function requestSignInLink(
  input: LinkRequest,
  visitor: SignInOrigin,
): Promise<{ delivered: Promise<void> }> {
  if (!env().mail) throw notFound();
  const { email } = validate(LinkRequest, input);
  const browser = await knownBrowser(visitor.browser ?? "", email);
  await consumeAll(
    browser
      ? [{ kind: "link-browser", what: JSON.stringify([email, browser]), pace: mails }]
      : [
          { kind: "link-address", what: ipPrefix(visitor.address), pace: { burst: 20, seconds: 45 } },
          { kind: "link-account", what: email, pace: mails },
        ],
  );
  const delivered = deliver(email).catch((error) => {
    log.error("could not send a sign-in link", undefined, { reason: String(error) });
  });
  return { delivered };
}

async function deliver(email: string): Promise<void> {
  const owner = await ownerOfEmail(email);
  if (owner?.confirmedEmail !== email) return;
  const link = await makeLink(owner.id, "email_link");
  await sendMail({
    to: email,
    subject: "Your sign-in link for Countersign",
    text: [
      `To sign in to Countersign at ${env().publicUrl}, open the link below and press the button.`,
      link,
      "The link works once. It expires after 15 minutes.",
      "If you didn’t request this link, ignore this email. No one can sign in without the link.",
    ].join("\n\n"),
  });
}

/**
 * How the kinds of links differ: the prefix of the token, the lifetime in minutes, and the event
 * that records the link.
 */
const kinds = {
  email_link: { secret: "sl", minutes: 15, type: "owner.sign_in_link_sent" },
  reset_link: { secret: "rl", minutes: 60, type: "owner.reset_link_made" },
  phone_link: { secret: "hl", minutes: 5, type: "owner.phone_link_made" },
} as const;
type LinkKind = keyof typeof kinds & SignInMethod;

/** Returns a link's kind, from its token's prefix; undefined for an unknown prefix. */
const kindOf = (token: string): LinkKind | undefined =>
  (Object.keys(kinds) as LinkKind[]).find((kind) => isSecret(token, [kinds[kind].secret]));

async function makeLink(ownerId: string, kind: LinkKind): Promise<string> {
  const { secret, minutes, type } = kinds[kind];
  const token = newSecret(secret, { ownerId });
  await change(kind === "email_link" ? null : { ownerId }, async (tx) => {
    await sql`
      INSERT INTO sign_in_link (hash, owner_id, expires_at)
      VALUES (${hashSecret(token)}, ${ownerId}, now() + make_interval(mins => ${minutes}))`.run(tx);
    await record(tx, { ownerId, type, subject: ownerId });
  });
  return `${env().publicUrl}/sign-in/link/open?token=${token}`;
}

/**
 * Creates a link for an owner who can't sign in. The operator gives the link to the owner. It works
 * once, within an hour, lets the owner choose a new password, and appears in the owner's activity.
 */
export const makeResetLink = ({ ownerId }: OwnerActor): Promise<string> => makeLink(ownerId, "reset_link");

export type PhoneLink = { link: string; code: QrCode };

/**
 * Creates a link and its QR code, for signing in on the owner's phone. The link works once, within
 * five minutes.
 * @throws {AppError} 429
 */
export async function makePhoneLink({ ownerId }: OwnerActor): Promise<PhoneLink> {
  await consumeAttempt("phone-link", ownerId, { max: 30, seconds: 900 }, "Too many sign-in links. Try again later.");
  const link = await makeLink(ownerId, "phone_link");
  return { link, code: drawQrCode(link) };
}

/**
 * Returns the kind of an unused link and its owner's email, or null for any other token. Does not
 * consume the link.
 */
export async function readSignInLink(token: string): Promise<{ email: string; kind: LinkKind } | null> {
  const kind = kindOf(token);
  if (!kind) return null;
  const found = await sql<{ email: string }>`
    SELECT o.email
    FROM sign_in_link l JOIN owner o ON o.id = l.owner_id
    WHERE l.hash = ${hashSecret(token)} AND l.used_at IS NULL AND l.expires_at > now()`.row();
  return found ? { ...found, kind } : null;
}

/**
 * Consumes a link, and returns its owner and kind.
 * @throws {AppError} 401 if the link was used, has expired or is forged
 */
export async function signInWithLink(token: string): Promise<Entrance & { kind: LinkKind }> {
  const kind = kindOf(token);
  const used =
    kind &&
    (await sql<Entrance>`
      UPDATE sign_in_link l
      SET used_at = now()
      FROM owner o
      WHERE l.hash = ${hashSecret(token)}
        AND l.used_at IS NULL
        AND l.expires_at > now()
        AND o.id = l.owner_id
      RETURNING l.owner_id AS "ownerId", o.session_version AS "sessionVersion"`.row());
  if (!used) throw new AppError(401, "This link has already been used or has expired. Request a new link.");
  return { ...used, kind };
}
