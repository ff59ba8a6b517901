import type { OwnerActor, SessionOwner } from "@/lib/actor";
import { db } from "@/lib/db";
import { AppError, badRequest, notFound } from "@/lib/errors";
import { announce } from "@/lib/events/hub";
import { log } from "@/lib/log";
import { requireFresh } from "@/lib/owners/sessions";
import { countAttempt, forgiveAttempt } from "@/lib/owners/throttle";
import { acceptLink } from "./accept";
import type { MailForm } from "./mail-form";
import { logIn, MailRefused, type MailWorld, mailWorld, type Protocol } from "./mail-login";
import { type MailProvider, providerOfServer } from "./mail-providers";
import { findServers, sendingBeside, type TypedServer, typedServer } from "./mail-servers";
import { whyRefused } from "./mail-words";
import type { MailCredential, MailServer } from "./provider";
import { openCredential } from "./vault";

/** In the database and the API. */
const provider = "mail";

/**
 * Link a mail account, or connect one again: only once its servers have really let us in. The password goes to them and into
 * the vault, and nowhere else.
 * @returns `again` where the account was linked before; it keeps its id
 * @throws {SignInAgain}
 * @throws {AppError} 400 naming the field; 404 where there is no such account to connect again; 429
 * @throws {ServersToConfirm} where the DNS names servers that the owner should look at first
 */
export async function linkMail(
  owner: SessionOwner,
  form: MailForm,
  world: MailWorld = mailWorld,
): Promise<{ id: string; again: boolean }> {
  requireFresh(owner);
  const before = form.account === undefined ? undefined : await accountOf(owner, form.account);
  const user = form.user ?? form.email;
  const subject = user.toLowerCase();
  if (before && before.subject !== subject) throw anotherAccount(form.user === undefined ? "email" : "user");

  const counted = [await count("mail-owner", owner.ownerId, 20)];
  const { imap: readAt, smtp: sendAt, known } = await serversFor(form, world);
  if (before && !readAt.some(({ host }) => host === before.issuer)) throw anotherAccount("imapHost");
  const [{ host } = { host: "" }] = readAt;
  counted.push(await count("mail-box", `${host} ${subject}`, 10));
  // A large provider looks after itself, and one owner's mistakes are not to lock out all the others.
  if (!known) counted.push(await count("mail-host", host, 60));

  const login = { user, password: known?.grouped ? form.password.replace(/\s/g, "") : form.password };
  const imap = await firstThatLetsIn("imap", readAt, login, world, known);
  const smtp = form.kinds === "send" ? await firstThatLetsIn("smtp", sendAt, login, world, known) : undefined;
  await Promise.all(counted.map((forgive) => forgive()));

  const credential: MailCredential = { kind: "mail", ...login, imap, ...(smtp && { smtp }) };
  const linked = await db.$transaction((tx) =>
    acceptLink(tx, {
      ownerId: owner.ownerId,
      provider,
      asked: smtp ? ["mail.read", "mail.write"] : ["mail.read"],
      linked: {
        account: { issuer: imap.host, subject, email: form.email },
        credential,
        scopes: smtp ? ["imap", "smtp"] : ["imap"],
      },
      ...(before && { integrationId: before.id }),
    }),
  );
  announce(owner.ownerId);
  return linked;
}

/** What is known of a mail account to be connected again; never its password. */
export type KnownMailAccount = {
  id: string;
  email: string;
  user?: string;
  imap?: MailServer;
  smtp?: MailServer;
  send: boolean;
};

/** @throws {AppError} 404 when the owner has no such mail account */
export async function knownMailAccount(owner: OwnerActor, id: string): Promise<KnownMailAccount> {
  const { email, subject, asked } = await accountOf(owner, id);
  const kept = await openCredential(db, { id, ownerId: owner.ownerId, provider }).catch(() => undefined);
  const { user = subject, imap, smtp } = kept?.credential.kind === "mail" ? kept.credential : {};
  return {
    ...{ id, email, send: asked.includes("mail.write") },
    ...(user.toLowerCase() !== email.toLowerCase() && { user }),
    ...(imap && { imap }),
    ...(smtp && { smtp }),
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
  badRequest("This is another account than the one to connect again. It can be linked beside it.", field);

/** Counted before it is made: guessing passwords and looking who listens where must not be cheap from here. @returns how to take it back */
async function count(kind: string, what: string, most: number) {
  await countAttempt(
    kind,
    what,
    { most, seconds: 900 },
    "Too many attempts did not work. Try again in a quarter of an hour.",
  );
  return () => forgiveAttempt(kind, what);
}

type Servers = { imap: MailServer[]; smtp: MailServer[]; known: MailProvider | undefined };

async function serversFor(form: MailForm, world: MailWorld): Promise<Servers> {
  const imap = typed("imap", form);
  const smtp = typed("smtp", form);
  if (!imap) {
    const found = await findServers(form.email, { smtp: form.kinds === "send" && !smtp }, world);
    return { imap: found.imap, smtp: smtp ? [smtp] : found.smtp, known: found.provider };
  }
  return { imap: [imap], smtp: smtp ? [smtp] : sendingBeside(imap), known: providerOfServer(imap.host) };
}

function typed(protocol: Protocol, form: MailForm): MailServer | undefined {
  const {
    [`${protocol}Host` as const]: host,
    [`${protocol}Port` as const]: port,
    [`${protocol}Tls` as const]: tls,
  } = form;
  if (host === undefined) return undefined;
  const server: TypedServer = { host, port, tls: tls ? tls === "tls" : undefined };
  return typedServer(protocol, server);
}

/** The next one is tried only where nobody was there: a password is not carried about. */
async function firstThatLetsIn(
  protocol: Protocol,
  servers: MailServer[],
  login: { user: string; password: string },
  world: MailWorld,
  known: MailProvider | undefined,
): Promise<MailServer> {
  let first: MailRefused | undefined;
  for (const server of servers) {
    try {
      await logIn[protocol](server, login, { signal: AbortSignal.timeout(30_000), world });
      return server;
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      first ??= error;
      if (!nobodyThere.has(error.problem)) {
        first = error;
        break;
      }
    }
  }
  if (!first) throw new AppError(500, "no server");
  log.info("a mail account was not linked", { reason: first.message });
  throw whyRefused(first, known);
}
const nobodyThere = new Set(["no_server", "unreachable", "too_slow", "no_tls"]);
