import type { MxRecord, SrvRecord } from "node:dns";
import { Resolver } from "node:dns/promises";
import net from "node:net";
import tls from "node:tls";
import { env } from "@/lib/config/env";
import type { Address } from "@/lib/net/dns";
import {
  checkedAddresses,
  type FetchDependencies,
  FetchRefused,
  fetchDependencies,
  lookupOf,
  withTimeout,
} from "@/lib/net/guarded-fetch";
import type { MailServer } from "../providers/provider";

/** What became of an attempt to log in. Only the last four are an answer to the login itself. */
export type MailProblem =
  /** The name is unknown, or leads to what is not public: nobody is to learn which. */
  | "no_server"
  | "unreachable"
  | "too_slow"
  | "no_tls"
  | "certificate"
  | "garbage"
  | "busy"
  | "password"
  | "app_password"
  | "not_by_password";

export type Protocol = "imap" | "smtp";

/** A mail server did not let us in. Nothing of what it said is kept, but for the code of its answer. */
export class MailRefused extends Error {
  constructor(
    readonly protocol: Protocol,
    readonly problem: MailProblem,
    code = "",
  ) {
    super(`${protocol}: ${problem}${code && ` (${code})`}`);
  }
}

/** How mail's names are looked up beside addresses, and who is believed to be who: for tests to stand in for. */
export type MailWorld = FetchDependencies & {
  srv(name: string): Promise<SrvRecord[]>;
  mx(domain: string): Promise<MxRecord[]>;
};
const resolver = new Resolver({ timeout: 2_000, tries: 1 });
export const mailWorld: MailWorld = {
  ...fetchDependencies,
  srv: (name) => resolver.resolveSrv(name),
  mx: (domain) => resolver.resolveMx(domain),
};

type Login = { user: string; password: string };
type Attempt = { signal: AbortSignal; world?: MailWorld };

/** Milliseconds: of silence, and for everything together. Servers hold back their answer to a wrong password. */
const patience = 8_000;
const longest = 20_000;

/**
 * Log in and out again, as a mail program would: to the addresses that were checked, with TLS from the first byte or begun
 * by STARTTLS, which is then required, and a certificate of the server's name. The password is said only after that.
 * @throws {MailRefused} and nothing else that is the server's doing
 */
export const logIn = { imap: attempt("imap", imapLogin), smtp: attempt("smtp", smtpLogin) };

type Way = (server: MailServer, login: Login, at: Address[], deadline: AbortSignal, ca?: string) => Promise<void>;

function attempt(protocol: Protocol, way: Way) {
  return async (server: MailServer, login: Login, { signal, world = mailWorld }: Attempt): Promise<void> => {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(longest)]);
    try {
      const addresses = await withTimeout(
        deadline,
        checkedAddresses(server.host, isNamed(protocol, server), world),
      ).catch(() => {
        throw new MailRefused(protocol, deadline.aborted ? "too_slow" : "no_server");
      });
      await way(server, login, addresses, deadline, world.ca);
    } catch (error) {
      if (error instanceof MailRefused) throw error;
      if (deadline.aborted || error instanceof FetchRefused) throw new MailRefused(protocol, "too_slow");
      throw new MailRefused(protocol, ...judge[protocol](error as Failure));
    }
  };
}

/** Whether the operator named this very server in ALLOW_PRIVATE_FETCH. */
export function isNamed(protocol: Protocol, { host, port, tls }: MailServer): boolean {
  const bracketed = net.isIPv6(host) ? `[${host}]` : host;
  return env().allowPrivateFetch.includes(`${protocol}${tls ? "s" : ""}://${bracketed}:${port}`);
}

async function imapLogin(server: MailServer, login: Login, addresses: Address[], deadline: AbortSignal, ca?: string) {
  const { host, port } = server;
  // Loaded when first used: few commands and few starts of the service come to it.
  const { ImapFlow } = await import("imapflow");
  const client = new ImapFlow({
    host,
    port,
    secure: server.tls,
    doSTARTTLS: !server.tls,
    auth: { user: login.user, pass: login.password },
    tls: { lookup: lookupOf(addresses), ...(ca && { ca }) },
    clientInfo: { name: "Countersign" },
    logger: false,
    disableAutoIdle: true,
    disableAutoEnable: true,
    disableCompression: true,
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
    maxLineLength: 65_536,
    maxLiteralSize: 65_536,
    maxResponseSize: 262_144,
  });
  // What fails is thrown by connect(); without a listener it would end the process as well.
  client.on("error", () => {});
  try {
    await withTimeout(deadline, client.connect());
    // A server that greets with PREAUTH asked for no password and so did not take ours (RFC 9051 section 7.1.4).
    if (client.greeting === undefined) throw new MailRefused("imap", "garbage");
    await withTimeout(deadline, client.logout()).catch(() => {});
  } finally {
    client.close();
  }
}

async function smtpLogin(server: MailServer, login: Login, addresses: Address[], deadline: AbortSignal, ca?: string) {
  const { createTransport } = await import("nodemailer");
  const connection = await connect(server, addresses, deadline, ca);
  const transport = createTransport({
    host: server.host,
    port: server.port,
    connection,
    secure: server.tls,
    secured: server.tls,
    requireTLS: true,
    auth: { user: login.user, pass: login.password },
    forceAuth: true,
    // Ours as everybody knows it, not the machine's.
    name: new URL(env().publicUrl).hostname,
    ...(ca && { tls: { ca } }),
    logger: false,
    disableFileAccess: true,
    disableUrlAccess: true,
    maxResponseSize: 65_536,
    connectionTimeout: longest,
    greetingTimeout: patience,
    socketTimeout: patience,
    socketCloseTimeout: 0,
  });
  try {
    await withTimeout(deadline, transport.verify());
  } finally {
    transport.close();
    connection.destroy();
  }
}

/** nodemailer looks names up by itself, so it is given a connection that is made. */
function connect({ host, port, tls: atOnce }: MailServer, addresses: Address[], deadline: AbortSignal, ca?: string) {
  // Node.js says no name to the server by itself, and without one many show another's certificate.
  const name = net.isIP(host) ? {} : { servername: host };
  const to = { host, port, ...name, lookup: lookupOf(addresses), ...(ca && { ca }) };
  const socket = atOnce ? tls.connect(to) : net.connect(to);
  const made = new Promise<net.Socket>((resolve, reject) => {
    socket.once(atOnce ? "secureConnect" : "connect", () => resolve(socket));
    socket.once("error", reject);
    socket.setTimeout(patience, () => reject(new FetchRefused("It took too long")));
  });
  return withTimeout(deadline, made).catch((error) => {
    socket.on("error", () => {}).destroy();
    throw error;
  });
}

/** What imapflow, nodemailer and Node.js tell of a failure. `response` is the server's own answer: looked at, never passed on. */
type Failure = Error & {
  code?: string;
  originalCode?: string;
  response?: string;
  responseStatus?: string;
  serverResponseCode?: string;
  authenticationFailed?: boolean;
  responseCode?: number;
  tlsFailed?: boolean;
  /** What imapflow heard in a BYE. */
  reason?: string;
};
type Judgement = [problem: MailProblem, code?: string];

const judge: Record<Protocol, (failure: Failure) => Judgement> = {
  imap: (failure) => {
    const { responseStatus, serverResponseCode: code = "", authenticationFailed, response = "" } = failure;
    if (responseStatus === "NO") return imapAnswer(code, response);
    // Said of a login by itself, before any answer: there is no way to log in by password.
    if (authenticationFailed && !responseStatus && !failure.code) return ["not_by_password"];
    return responseStatus ? ["garbage", responseStatus] : connecting(failure);
  },
  smtp: (failure) => {
    const { code, responseCode = 0, response = "" } = failure;
    if (code === "EAUTH") return smtpAnswer(responseCode, response);
    if (code === "ETLS" && !/certificate/i.test(failure.message)) return ["no_tls"];
    if (code === "ETLS") return ["certificate"];
    if (responseCode >= 400 && responseCode < 500) return ["busy", String(responseCode)];
    return code === "EPROTOCOL" || responseCode ? ["garbage", String(responseCode)] : connecting(failure);
  },
};

/** RFC 5530 section 3. Without a code NO means that name or password was rejected (RFC 9051 section 6.2.3). */
function imapAnswer(code: string, response: string): Judgement {
  if (wantsAppPassword.test(response)) return ["app_password", code];
  if (/^(UNAVAILABLE|LIMIT|INUSE|SERVERBUG|THROTTLED|OVERQUOTA)$/.test(code)) return ["busy", code];
  // What an alert says is for people; with nothing else beside it, it may pass.
  if (code === "ALERT") return ["busy", code];
  return code === "PRIVACYREQUIRED" ? ["not_by_password", code] : ["password", code];
}

/** RFC 4954 section 6. */
function smtpAnswer(code: number, response: string): Judgement {
  if (wantsAppPassword.test(response)) return ["app_password", String(code)];
  if (code >= 400 && code < 500) return ["busy", String(code)];
  return code === 534 || code === 535 ? ["password", String(code)] : ["not_by_password", String(code)];
}

/** As Gmail, Yahoo and iCloud say it. */
const wantsAppPassword = /app(lication)?[- ](specific )?password/i;

/** The connection itself, by the codes of Node.js and imapflow. */
function connecting({ code = "", originalCode = "", message, tlsFailed, reason }: Failure): Judgement {
  const why = originalCode || code;
  if (reason && /^(NoConnection|ClosedAfterConnect)/.test(why)) return ["busy", "BYE"];
  if (/CERT|SIGNATURE|ISSUER|ALTNAME/.test(why)) return ["certificate", why];
  if (/^(CONNECT_TIMEOUT|GREETING_TIMEOUT|UPGRADE_TIMEOUT|ETIMEOUT|ETIMEDOUT)$/.test(why)) return ["too_slow", why];
  if (tlsFailed || /^(ERR_SSL|EPROTO)/.test(why)) return [/certificate/i.test(message) ? "certificate" : "no_tls", why];
  if (/^(LineTooLarge|LiteralTooLarge|ResponseTooLarge)$/.test(why)) return ["garbage", why];
  return ["unreachable", why];
}
