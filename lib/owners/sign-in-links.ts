import type { OwnerActor } from "@/lib/actor";
import { env } from "@/lib/config/env";
import { db } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { AppError, notFound } from "@/lib/errors";
import { change } from "@/lib/events/change";
import { record } from "@/lib/events/events";
import { hashSecret, isSecret, newSecret } from "@/lib/keys/crypto";
import { log } from "@/lib/log";
import { sendMail } from "@/lib/mail";
import { drawQrCode, type QrCode } from "@/lib/text/qr-code";
import { validate } from "@/lib/text/validate";
import { consumeAttempt, ipPrefix } from "./attempt-limiter";
import { knownBrowser } from "./device-cookie";
import { consumeAll, type RateLimit } from "./rate-limiter";
import { type Entrance, LinkRequest, type SignInMethod } from "./schema";
import type { SignInOrigin } from "./sign-in-limits";

/** Mails to one account: three at once, then one in five minutes. Those that a stranger asks for let the owner in too. */
const mails: RateLimit = { burst: 3, seconds: 300 };

/**
 * Send whoever has this account, and confirmed its address, a link to sign in with, good for 15 minutes and once. The answer is the same and takes as
 * long whether anybody has it; the mail goes out afterwards.
 * @returns when the mail is handed over or has failed, which nobody should wait for
 * @throws {AppError} 404 where no mail server is set; 400 for what is no e-mail address; 429
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
    log.error("a sign-in link could not be sent", undefined, { reason: String(error) });
  });
  return { delivered };
}

async function deliver(email: string): Promise<void> {
  const owner = await db.owner.findUnique({ where: { email }, select: { id: true, confirmedEmail: true } });
  if (owner?.confirmedEmail !== email) return;
  const link = await makeLink(owner.id, "email_link");
  await sendMail({
    to: email,
    subject: "Your link to sign in to Countersign",
    text: [
      `Open this page and press the button to sign in at ${env().publicUrl}:`,
      link,
      "The link works once, for 15 minutes.",
      "If you did not ask for it, ignore it: nobody can sign in without the link.",
    ].join("\n\n"),
  });
}

/** What differs between the links: how they begin, for how many minutes they work, and what the owner reads of them. */
const kinds = {
  email_link: { secret: "sl", minutes: 15, type: "owner.sign_in_link_sent" },
  reset_link: { secret: "rl", minutes: 60, type: "owner.reset_link_made" },
  phone_link: { secret: "hl", minutes: 5, type: "owner.phone_link_made" },
} as const;
type LinkKind = keyof typeof kinds & SignInMethod;

/** Which kind of link it is, where it may be one of ours: the hash holds for its beginning too. */
const kindOf = (token: string): LinkKind | undefined =>
  (Object.keys(kinds) as LinkKind[]).find((kind) => isSecret(token, [kinds[kind].secret]));

async function makeLink(ownerId: string, kind: LinkKind): Promise<string> {
  const { secret, minutes, type } = kinds[kind];
  const token = newSecret(secret);
  await change(kind === "email_link" ? null : { ownerId }, async (tx) => {
    await sql`INSERT INTO sign_in_link (hash, owner_id, expires_at)
      VALUES (${hashSecret(token)}, ${ownerId}, now() + make_interval(mins => ${minutes}))`.run(tx);
    await record(tx, { ownerId, type, subject: ownerId });
  });
  return `${env().publicUrl}/sign-in/link/open?token=${token}`;
}

/**
 * For the operator: a link that lets an owner who lost every other way in choose a new password, once and within an hour.
 * The owner reads in their activity that it was made.
 */
export const makeResetLink = ({ ownerId }: OwnerActor): Promise<string> => makeLink(ownerId, "reset_link");

/** What an owner opens on their phone to be signed in there: a link, once and within five minutes, and its drawing. */
export type PhoneLink = { link: string; code: QrCode };

/** @throws {AppError} 429 */
export async function makePhoneLink({ ownerId }: OwnerActor): Promise<PhoneLink> {
  await consumeAttempt("phone-link", ownerId, { most: 30, seconds: 900 }, "Too many links. Try again later.");
  const link = await makeLink(ownerId, "phone_link");
  return { link, code: drawQrCode(link) };
}

/** Whom an unused link lets in, and of which kind it is; or null. Looking does not use it up. */
export async function readSignInLink(token: string): Promise<{ email: string; kind: LinkKind } | null> {
  const kind = kindOf(token);
  if (!kind) return null;
  const found = await sql<{ email: string }>`SELECT o.email FROM sign_in_link l JOIN owner o ON o.id = l.owner_id
    WHERE l.hash = ${hashSecret(token)} AND l.used_at IS NULL AND l.expires_at > now()`.row();
  return found ? { ...found, kind } : null;
}

/**
 * Who has this link, and of which kind it is; it is used up.
 * @throws {AppError} 401 when it was used, is too old or none of ours
 */
export async function signInWithLink(token: string): Promise<Entrance & { kind: LinkKind }> {
  const kind = kindOf(token);
  const used =
    kind &&
    (await sql<Entrance>`UPDATE sign_in_link l SET used_at = now() FROM owner o
      WHERE l.hash = ${hashSecret(token)} AND l.used_at IS NULL AND l.expires_at > now() AND o.id = l.owner_id
      RETURNING l.owner_id AS "ownerId", o.session_version AS "sessionVersion"`.row());
  if (!used) throw new AppError(401, "This link was already used or has expired. Request another");
  return { ...used, kind };
}
