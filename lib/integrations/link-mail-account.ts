import type { OwnerActor } from "@/lib/actor";
import { db } from "@/lib/database/db";
import { badRequest, notFound } from "@/lib/errors";
import { change } from "@/lib/events/change-transaction";
import { log } from "@/lib/log";
import { consumeAttempt, refundAttempt } from "@/lib/owners/fixed-window-limiter";
import { findServers, type MailServers, serversAt, typedServer } from "./mail/find-servers";
import { logIn, MailRefused, type MailWorld, mailWorld, type Protocol } from "./mail/login";
import { loginErrorMessage } from "./mail/login-error-message";
import { type MailForm, type MailFormValues, toFormFields } from "./mail/mail-form";
import { providerOfServer } from "./mail/providers";
import type { MailCredential, MailServer } from "./providers/provider";
import { storeLinkedAccount } from "./store-account";
import { openCredential } from "./vault";

/*
 * Text from a mail server must not reach the owner's page. `mail/login.ts` maps each response to a
 * `MailProblem`. `mail/login-error-message.ts` has the owner's message, and `mail/mail-provider-client.ts`
 * the effect on a linked account. Tests use Dovecot (`lib/testing/dovecot.ts`), and are skipped if
 * it is missing.
 */

/** The provider's ID in the database and the API. */
const provider = "mail";

/**
 * Links or reconnects a mail account after its servers have accepted the login. The password is
 * sent only to them, and stored only in the vault.
 * @returns the account's ID, and whether the account was linked `again`
 * @throws {AppError} 400 naming the field; 404 if there is no such account to reconnect; 429
 * @throws {ServersToConfirm} if the owner must first confirm servers that DNS names
 */
export async function linkMail(
  owner: OwnerActor,
  form: MailForm,
  world: MailWorld = mailWorld,
): Promise<{ id: string; again: boolean }> {
  const before = form.account === undefined ? undefined : await accountOf(owner, form.account);
  const user = form.user ?? form.email;
  const subject = user.toLowerCase();
  if (before && before.subject !== subject) throw anotherAccount(form.user === undefined ? "email" : "user");

  const counted = [await count("mail-owner", owner.ownerId, 20)];
  const servers = await serversFor(form, world);
  // The first server in the list identifies the account, even if a later one accepts the login.
  const [{ host } = { host: "" }] = servers.imap;
  if (before && before.issuer !== host) throw anotherAccount("imapHost");
  for (const each of new Set([...servers.imap, ...servers.smtp].map((server) => server.host))) {
    counted.push(await count("mail-box", `${each} ${subject}`, 10));
    // Known providers protect themselves. A limit for a large provider would let one owner's
    // mistakes lock out all others.
    if (!providerOfServer(each)) counted.push(await count("mail-host", each, 60));
  }

  const { grouped } = servers.provider ?? {};
  const login = { user, password: grouped ? form.password.replace(/\s/g, "") : form.password };
  const imap = await firstThatLetsIn("imap", servers, login, world);
  const smtp = form.kinds === "send" ? await firstThatLetsIn("smtp", servers, login, world) : undefined;
  await Promise.all(counted.map((forgive) => forgive()));

  const credential: MailCredential = { kind: "mail", ...login, imap, ...(smtp && { smtp }) };
  return change(owner, (tx) =>
    storeLinkedAccount(tx, {
      ownerId: owner.ownerId,
      provider,
      asked: smtp ? ["mail.read", "mail.write"] : ["mail.read"],
      linked: {
        account: { issuer: host, subject, email: form.email },
        credential,
        scopes: smtp ? ["imap", "smtp"] : ["imap"],
      },
      integrationId: before?.id,
    }),
  );
}

/**
 * Returns the form's initial values to reconnect a mail account, without the password.
 * @throws {AppError} 404 if the owner has no such mail account
 */
export async function typedBefore(owner: OwnerActor, id: string): Promise<MailFormValues> {
  const { email, subject, issuer, asked } = await accountOf(owner, id);
  // If the stored values can't be decrypted, the owner must enter them again.
  const kept = await openCredential(db, { id, ownerId: owner.ownerId, provider }).catch(() => undefined);
  const { user = subject, imap, smtp } = kept?.credential.kind === "mail" ? kept.credential : {};
  return {
    account: id,
    email,
    kinds: asked.includes("mail.write") ? "send" : "read",
    ...(user.toLowerCase() !== email.toLowerCase() && { user }),
    ...(imap ? toFormFields({ imap, ...(smtp && { smtp }) }) : { imapHost: issuer }),
  };
}

async function accountOf({ ownerId }: OwnerActor, id: string) {
  const account = await db.integration.findFirst({
    where: { id, ownerId, provider },
    select: { id: true, email: true, issuer: true, subject: true, asked: true },
  });
  if (!account) throw notFound();
  return account;
}

const anotherAccount = (field: string) =>
  badRequest(
    "This is a different account from the one you are reconnecting. Enter the original account, or link this account as a second account.",
    field,
  );

/**
 * Counts an attempt against a rate limit before it is made, so that nobody can guess passwords or
 * probe servers through us.
 * @returns a function that refunds the attempt
 */
async function count(kind: string, what: string, max: number) {
  const tooMany = "Too many failed attempts. Try again in 15 minutes.";
  await consumeAttempt(kind, what, { max, seconds: 900 }, tooMany);
  return () => refundAttempt(kind, what);
}

/**
 * Returns the servers to try: those that the owner entered, and discovered ones for the rest. For
 * an account that only reads mail, there are no SMTP servers.
 */
async function serversFor(form: MailForm, world: MailWorld): Promise<MailServers> {
  const imap = typed("imap", form);
  const smtp = typed("smtp", form);
  const sends = form.kinds === "send";
  const found = imap ? serversAt(imap) : await findServers(form.email, { smtp: sends && !smtp }, world);
  return { ...found, smtp: sends ? (smtp ? [smtp] : found.smtp) : [] };
}

function typed(protocol: Protocol, form: MailForm): MailServer | undefined {
  const [host, port, tls] = [form[`${protocol}Host`], form[`${protocol}Port`], form[`${protocol}Tls`]];
  if (host === undefined) return undefined;
  return typedServer(protocol, { host, port, tls: tls ? tls === "tls" : undefined });
}

/**
 * Tries the servers in order. Tries the next one only if a login was not possible, for example
 * without TLS. A rejected password is therefore not sent to another server.
 */
async function firstThatLetsIn(
  protocol: Protocol,
  servers: MailServers,
  login: { user: string; password: string },
  world: MailWorld,
): Promise<MailServer> {
  const refused: MailRefused[] = [];
  for (const server of servers[protocol]) {
    try {
      await logIn[protocol](server, login, { signal: AbortSignal.timeout(30_000), world });
      return server;
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      refused.push(error);
      if (!nobodyThere.has(error.problem)) break;
    }
  }
  const [first, last] = [refused[0], refused.at(-1)];
  if (!first || !last) throw new Error("There is no server to try");
  const why = nobodyThere.has(last.problem) ? first : last;
  log.info("could not link a mail account", { reason: why.message });
  throw loginErrorMessage(why, servers);
}
const nobodyThere = new Set(["no_server", "unreachable", "too_slow", "no_tls"]);
