import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dumpDatabase } from "@/e2e/dump-database";
import { resetEnv } from "@/lib/config/env";
import { db } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { listIntegrations } from "@/lib/integrations/list-integrations";
import { configure } from "@/lib/testing/change-settings";
import { type Dovecot, findDovecot, noDovecot, startDovecot } from "@/lib/testing/dovecot";
import { anAppWith, anOwner } from "@/lib/testing/factories";
import { aMailbox } from "@/lib/testing/fake-mail-server";
import { leaked } from "@/lib/testing/find-secrets-in-text";
import { keepAlive } from "./account-check-worker";
import { linkMail, typedBefore } from "./link-mail-account";
import { mailWorld } from "./mail/login";
import { MailForm } from "./mail/mail-form";
import { clientFor } from "./provider-catalog";
import type { ProviderFault } from "./providers/provider";
import { openCredential } from "./vault";

const there = findDovecot() !== undefined;
if (!there) console.warn(noDovecot);

/** A unique password, so that the test can search for it in all stored data. */
const password = "canary-sesame-4711";
const user = "robin@example.com";

describe.skipIf(!there)("mail accounts at a real server", () => {
  let dovecot: Dovecot;
  let sender: Awaited<ReturnType<typeof aMailbox>>;
  const passwords = new Map<string, string>();
  const untouched = { ...mailWorld };

  beforeAll(async () => {
    dovecot = await startDovecot(["imap.example.com", "smtp.example.com"]);
    sender = await aMailbox({ passwords, certificate: { key: dovecot.key, cert: dovecot.ca } });
    configure({
      ALLOW_PRIVATE_FETCH: [
        `imaps://imap.example.com:${dovecot.imapsPort}`,
        `imap://imap.example.com:${dovecot.imapPort}`,
        `smtp://smtp.example.com:${sender.port}`,
      ].join(" "),
    });
    // Replaces DNS and the trusted certificates for all code that connects to mail servers.
    Object.assign(mailWorld, {
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
      srv: async () => [],
      mx: async () => [],
      ca: dovecot.ca,
    });
  });
  afterAll(async () => {
    Object.assign(mailWorld, { ca: undefined }, untouched);
    configure({ ALLOW_PRIVATE_FETCH: undefined });
    await dovecot?.stop();
    await sender?.close();
  });
  beforeEach(async () => {
    await setPassword(password);
    await db.throttle.deleteMany();
  });

  async function setPassword(it: string) {
    passwords.set(user, it);
    await dovecot.setPassword(user, it);
  }
  const typed = (more: Record<string, string> = {}): MailForm =>
    MailForm.parse({
      email: user,
      password,
      kinds: "read",
      imapHost: "imap.example.com",
      imapPort: String(dovecot.imapsPort),
      imapTls: "tls",
      ...more,
    });
  const sending = () => ({
    kinds: "send",
    smtpHost: "smtp.example.com",
    smtpPort: String(sender.port),
    smtpTls: "starttls",
  });
  const refusal = async (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: AppError) => error.details?.map(({ path }) => path).join() ?? error,
    );
  const accountOf = (id: string) => db.integration.findUniqueOrThrow({ where: { id } });
  /** Runs a check that is due, as the chore of each instance does. */
  const lookAgain = async (id: string) => {
    await db.integration.updateMany({ data: { checkAt: null } });
    await db.integration.update({ where: { id }, data: { checkAt: new Date() } });
    expect(await keepAlive()).toBe(1);
    return accountOf(id);
  };
  const check = async (id: string) => {
    const { ownerId, issuer, subject, email } = await accountOf(id);
    const kept = await openCredential(db, { id, ownerId, provider: "mail" });
    if (!kept) throw new Error("nothing is kept");
    const about = { account: { issuer, subject, email }, renew: false, signal: AbortSignal.timeout(10_000) };
    return clientFor("mail")
      .check(kept.credential, about)
      .then(
        () => "works",
        ({ reason, final }: ProviderFault) => ({ reason, final }),
      );
  };

  it("links an account after the server accepts the login", async () => {
    const { owner, app, clientId } = await anAppWith("approvals:read");
    const { id, again } = await linkMail(owner, typed({ email: "Robin@Example.com" }));
    expect(again).toBe(false);
    expect(await accountOf(id)).toMatchObject({
      provider: "mail",
      issuer: "imap.example.com",
      subject: user,
      email: "Robin@Example.com",
      status: "connected",
      scopes: ["imap"],
      asked: ["mail.read"],
    });
    expect((await accountOf(id)).buckets.sort()).toEqual(["identity", "mail"]);
    expect(await openCredential(db, { id, ownerId: owner.ownerId, provider: "mail" })).toMatchObject({
      credential: {
        kind: "mail",
        user: "Robin@Example.com",
        password,
        imap: { host: "imap.example.com", port: dovecot.imapsPort, tls: true },
      },
    });
    expect(await check(id)).toBe("works");
    const grant = await db.grant.findFirstOrThrow({ where: { ownerId: owner.ownerId, appId: clientId } });
    await db.grantIntegration.create({ data: { ownerId: owner.ownerId, grantId: grant.id, integrationId: id } });
    const { text } = await listIntegrations(app);
    expect(JSON.parse(text).data).toEqual([
      { id, provider: "mail", status: "connected", email: "Robin@Example.com", buckets: ["identity", "mail"] },
    ]);
  });

  it("links an account whose server sends mail through STARTTLS", async () => {
    const owner = await anOwner();
    const startTls = { imapPort: String(dovecot.imapPort), imapTls: "starttls" };
    const { id } = await linkMail(owner, typed({ ...startTls, ...sending() }));
    expect(await accountOf(id)).toMatchObject({ scopes: ["imap", "smtp"], asked: ["mail.read", "mail.write"] });
    expect(await check(id)).toBe("works");
    expect(dovecot.output()).toMatch(/Login: user=<robin@example.com>.* TLS/);
    passwords.set(user, "sending only by another");
    expect(await check(id)).toEqual({ reason: "password_rejected", final: true });
  });

  it("discovers the mail servers from the email address", async () => {
    const owner = await anOwner();
    const srv = async (name: string) => {
      const port = { "_imaps._tcp.example.com": dovecot.imapsPort, "_submission._tcp.example.com": sender.port }[name];
      const host = name.startsWith("_imap") ? "imap.example.com" : "smtp.example.com";
      return port ? [{ name: host, port, priority: 0, weight: 0 }] : [];
    };
    const found = MailForm.parse({ email: user, password, kinds: "send" });
    const { id } = await linkMail(owner, found, { ...mailWorld, srv });
    expect(await check(id)).toBe("works");
  });

  it.each<[what: string, change: () => Record<string, string>, field: string]>([
    ["a wrong password", () => ({ password: "not this one" }), "password"],
    ["an unknown login name", () => ({ user: "nobody" }), "password"],
    ["TLS on a STARTTLS port", () => ({ imapPort: String(dovecot.imapPort), imapTls: "tls" }), "imapHost"],
    ["a port that is not mail's", () => ({ imapPort: "22" }), "imapPort"],
    ["a server of another name", () => ({ imapHost: "other.example.com", imapPort: "993" }), "imapHost"],
    ["an invalid name", () => ({ imapHost: "imap example" }), "imapHost"],
    ["a provider that accepts no passwords", () => ({ imapHost: "", email: "robin@outlook.com" }), "email"],
    ["a missing sending server", () => ({ ...sending(), smtpPort: "587" }), "smtpHost"],
  ])("rejects %s with an error at the matching field", async (_, change, field) => {
    process.env.ALLOW_PRIVATE_FETCH += ` imaps://imap.example.com:${dovecot.imapPort}`;
    resetEnv();
    const owner = await anOwner();
    const form = { ...typed(), ...change() };
    const input = MailForm.parse(
      Object.fromEntries(Object.entries(form).flatMap(([k, v]) => (v ? [[k, String(v)]] : []))),
    );
    expect(await refusal(linkMail(owner, input))).toBe(field);
    expect(await db.integration.count({ where: { ownerId: owner.ownerId } })).toBe(0);
  });

  it("rejects an untrusted certificate before sending the password", async () => {
    const owner = await anOwner();
    const before = dovecot.output().split("auth failed").length;
    const { ca: _, ...unbelieving } = mailWorld;
    expect(await refusal(linkMail(owner, typed({ password: "x" }), unbelieving))).toBe("imapHost");
    expect(dovecot.output().split("auth failed").length).toBe(before);
  });

  it("detects that the mailbox's password has changed", async () => {
    const owner = await anOwner();
    const { id } = await linkMail(owner, typed(sending()));
    expect(await lookAgain(id)).toMatchObject({ status: "connected", statusReason: null });
    await setPassword("another-canary-0815");
    expect(await check(id)).toEqual({ reason: "password_rejected", final: true });
    expect(await lookAgain(id)).toMatchObject({
      status: "needs_reauth",
      statusReason: "password_rejected",
      checkAt: null,
    });
    // The owner is notified once. The account is not checked again until the owner acts.
    expect(await db.notification.count({ where: { ownerId: owner.ownerId } })).toBe(1);
    expect(await keepAlive()).toBe(0);
    const before = await typedBefore(owner, id);
    expect(before).toEqual({
      account: id,
      email: user,
      kinds: "send",
      imapHost: "imap.example.com",
      imapPort: String(dovecot.imapsPort),
      imapTls: "tls",
      smtpHost: "smtp.example.com",
      smtpPort: String(sender.port),
      smtpTls: "starttls",
    });
    const form = MailForm.parse({ ...before, password: "another-canary-0815" });
    expect(await linkMail(owner, form)).toEqual({ id, again: true });
    expect(await accountOf(id)).toMatchObject({ status: "connected", statusReason: null });
    expect(await lookAgain(id)).toMatchObject({ status: "connected" });
    // Without an ID, the server and the username still identify the same account.
    expect(await linkMail(owner, typed({ password: "another-canary-0815" }))).toEqual({ id, again: true });
    expect((await accountOf(id)).asked).toEqual(["mail.read"]);
  });

  it("rejects a different account on reconnection", async () => {
    const owner = await anOwner();
    const { id } = await linkMail(owner, typed());
    await dovecot.setPassword("kim@example.com", password);
    const other = typed({ account: id, email: "kim@example.com" });
    expect(await refusal(linkMail(owner, other))).toBe("email");
    expect(await refusal(linkMail(owner, typed({ account: id, user: "kim@example.com" })))).toBe("user");
    const { account: _, ...second } = other;
    expect((await linkMail(owner, second)).id).not.toBe(id);
    expect((await accountOf(id)).subject).toBe(user);
    const stranger = await anOwner();
    await expect(linkMail(stranger, typed({ account: id }))).rejects.toMatchObject({ status: 404 });
    await expect(typedBefore(stranger, id)).rejects.toMatchObject({ status: 404 });
  });

  it("reports an unreachable mail server as a temporary failure of the provider", async () => {
    const owner = await anOwner();
    const { id } = await linkMail(owner, typed());
    const { resolve } = mailWorld;
    Object.assign(mailWorld, { resolve: async () => Promise.reject(new Error("ENOTFOUND")) });
    expect(await check(id)).toEqual({ reason: "provider_down", final: false });
    expect(await lookAgain(id)).toMatchObject({ status: "connected", failures: 1 });
    Object.assign(mailWorld, { resolve });
    expect(await check(id)).toBe("works");
  });

  it("limits failed logins by owner, mailbox and host", async () => {
    const owner = await anOwner();
    for (let time = 0; time < 12; time++) await linkMail(owner, typed());
    for (let time = 0; time < 10; time++) {
      expect(await refusal(linkMail(await anOwner(), typed({ password: `guess ${time}` })))).toBe("password");
    }
    const stopped = await linkMail(await anOwner(), typed()).catch((error) => error);
    expect(stopped).toBeInstanceOf(AppError);
    expect(stopped.status).toBe(429);

    const scanner = await anOwner();
    for (let time = 0; time < 20; time++) {
      const somewhere = typed({ imapHost: `host${time}.example.net`, imapPort: "993" });
      expect(await refusal(linkMail(scanner, somewhere))).toBe("imapHost");
    }
    await expect(linkMail(scanner, typed())).rejects.toMatchObject({ status: 429 });
  });

  it("stores the password only in the vault", async () => {
    const owner = await anOwner();
    await linkMail(owner, typed());
    await linkMail(owner, typed({ password: `${password}?` })).catch(() => {});
    const dump = await dumpDatabase();
    expect(dump).toContain("imap.example.com");
    expect(leaked(dump, [password])).toEqual([]);
  });
});
