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

/** Why a login at a mail server failed. */
export type MailProblem =
  /** The name is unknown, or leads to a private address. Owners must not be able to tell which. */
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

/** Thrown if a login at a mail server failed. Keeps only the code of the server's response. */
export class MailRefused extends Error {
  constructor(
    readonly protocol: Protocol,
    readonly problem: MailProblem,
    code = "",
  ) {
    super(`${protocol}: ${problem}${code && ` (${code})`}`);
  }
}

/** The DNS resolver and trusted certificates, which tests replace. */
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

/** Timeouts in milliseconds: without data, and in total. Servers delay rejecting a password. */
const silenceTimeoutMs = 8_000;
const totalTimeoutMs = 20_000;

/**
 * Logs in and out, as a mail program would. Connects only to checked addresses, and requires TLS or
 * STARTTLS with a certificate for the server's name before it sends the password.
 * @throws {MailRefused} for anything that the server causes
 */
export const logIn = { imap: attempt("imap", imapLogin), smtp: attempt("smtp", smtpLogin) };

type Way = (server: MailServer, login: Login, to: Address[], deadline: AbortSignal, ca?: string) => Promise<void>;

function attempt(protocol: Protocol, way: Way) {
  return async (server: MailServer, login: Login, { signal, world = mailWorld }: Attempt): Promise<void> => {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(totalTimeoutMs)]);
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

/** Returns whether the operator listed this server in ALLOW_PRIVATE_FETCH. */
export function isNamed(protocol: Protocol, { host, port, tls }: MailServer): boolean {
  const bracketed = net.isIPv6(host) ? `[${host}]` : host;
  return env().allowPrivateFetch.includes(`${protocol}${tls ? "s" : ""}://${bracketed}:${port}`);
}

async function imapLogin(server: MailServer, login: Login, addresses: Address[], deadline: AbortSignal, ca?: string) {
  const { host, port } = server;
  // imapflow is loaded on first use, because few processes need it.
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
    connectionTimeout: silenceTimeoutMs,
    greetingTimeout: silenceTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    maxLineLength: 65_536,
    maxLiteralSize: 65_536,
    maxResponseSize: 262_144,
  });
  // connect() throws the failure. Without a listener, the error event would end the process.
  client.on("error", () => {});
  try {
    await withTimeout(deadline, client.connect());
    // After a PREAUTH greeting, no password is sent, so none was accepted (RFC 9051 section 7.1.4).
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
    // The public host name, because the machine's own name is private.
    name: new URL(env().publicUrl).hostname,
    ...(ca && { tls: { ca } }),
    logger: false,
    disableFileAccess: true,
    disableUrlAccess: true,
    maxResponseSize: 65_536,
    connectionTimeout: totalTimeoutMs,
    greetingTimeout: silenceTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    socketCloseTimeout: 0,
  });
  try {
    await withTimeout(deadline, transport.verify());
  } finally {
    transport.close();
    connection.destroy();
  }
}

/** Opens a connection for nodemailer, which would resolve the name again by itself. */
function connect({ host, port, tls: atOnce }: MailServer, addresses: Address[], deadline: AbortSignal, ca?: string) {
  // Node.js sends no server name by default. Many servers then present a different certificate.
  const name = net.isIP(host) ? {} : { servername: host };
  const to = { host, port, ...name, lookup: lookupOf(addresses), ...(ca && { ca }) };
  const socket = atOnce ? tls.connect(to) : net.connect(to);
  const made = new Promise<net.Socket>((resolve, reject) => {
    socket.once(atOnce ? "secureConnect" : "connect", () => resolve(socket));
    socket.once("error", reject);
    socket.setTimeout(silenceTimeoutMs, () => reject(new FetchRefused("The request timed out")));
  });
  return withTimeout(deadline, made).catch((error) => {
    socket.on("error", () => {}).destroy();
    throw error;
  });
}

/**
 * The details of a failure from imapflow, nodemailer or Node.js. `response` is the server's own
 * text, which is inspected but never passed on.
 */
type Failure = Error & {
  code?: string;
  originalCode?: string;
  response?: string;
  responseStatus?: string;
  serverResponseCode?: string;
  authenticationFailed?: boolean;
  responseCode?: number;
  tlsFailed?: boolean;
  /** The text of a BYE, from imapflow. */
  reason?: string;
};
type Judgement = [problem: MailProblem, code?: string];

const judge: Record<Protocol, (failure: Failure) => Judgement> = {
  imap: (failure) => {
    const { responseStatus, serverResponseCode: code = "", authenticationFailed, response = "" } = failure;
    if (responseStatus === "NO") return imapAnswer(code, response);
    // Without a response, the failure means that the server accepts no password logins.
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

/**
 * Maps an IMAP response to a problem, by the codes of RFC 5530 section 3. A plain NO rejects the
 * login (RFC 9051 section 6.2.3).
 */
function imapAnswer(code: string, response: string): Judgement {
  if (wantsAppPassword.test(response)) return ["app_password", code];
  if (/^(UNAVAILABLE|LIMIT|INUSE|SERVERBUG|THROTTLED|OVERQUOTA)$/.test(code)) return ["busy", code];
  // An ALERT has only a text for people. Without another code, the problem may be temporary.
  if (code === "ALERT") return ["busy", code];
  return code === "PRIVACYREQUIRED" ? ["not_by_password", code] : ["password", code];
}

/** Maps an SMTP response to a problem, by the codes of RFC 4954 section 6. */
function smtpAnswer(code: number, response: string): Judgement {
  if (wantsAppPassword.test(response)) return ["app_password", String(code)];
  if (code >= 400 && code < 500) return ["busy", String(code)];
  return code === 534 || code === 535 ? ["password", String(code)] : ["not_by_password", String(code)];
}

/** Phrases that Gmail, Yahoo and iCloud use. */
const wantsAppPassword = /app(lication)?[- ](specific )?password/i;

/** Maps a connection failure to a problem, by the codes of Node.js and imapflow. */
function connecting({ code = "", originalCode = "", message, tlsFailed, reason }: Failure): Judgement {
  const why = originalCode || code;
  if (reason && /^(NoConnection|ClosedAfterConnect)/.test(why)) return ["busy", "BYE"];
  if (/CERT|SIGNATURE|ISSUER|ALTNAME/.test(why)) return ["certificate", why];
  if (/^(CONNECT_TIMEOUT|GREETING_TIMEOUT|UPGRADE_TIMEOUT|ETIMEOUT|ETIMEDOUT)$/.test(why)) return ["too_slow", why];
  if (tlsFailed || /^(ERR_SSL|EPROTO)/.test(why)) return [/certificate/i.test(message) ? "certificate" : "no_tls", why];
  if (/^(LineTooLarge|LiteralTooLarge|ResponseTooLarge)$/.test(why)) return ["garbage", why];
  return ["unreachable", why];
}
