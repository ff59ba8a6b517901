import http, { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { env } from "@/lib/config/env";
import { type Address, resolveHost } from "./dns";
import type { KeptConnections } from "./http-agent-pool";
import { isPublicAddress } from "./public-address";

/**
 * An external URL was not fetched, or its response was rejected. The message is only for our log.
 */
export class FetchRefused extends Error {}

export type GuardedRequest = {
  method?: "GET" | "POST" | "DELETE";
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The timeout of the whole request, including name resolution. */
  milliseconds: number;
  /** The maximum size of the response body. */
  bytes: number;
  /**
   * Whether only the status matters. If so, an overlong body is truncated and its encoding is
   * ignored.
   */
  statusOnly?: boolean;
  /** Cancels the fetch when aborted. */
  signal?: AbortSignal | undefined;
  /**
   * An origin that the service supplied. Like origins in ALLOW_PRIVATE_FETCH, it may be private and
   * use http.
   */
  ours?: string | undefined;
  /**
   * The connection pool, and the user whose connections can be reused. By default, the request gets
   * a new connection.
   */
  over?: { kept: KeptConnections; user: string };
};
export type GuardedReply = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** The name resolution and the trusted certificates, which tests replace. */
export type FetchDependencies = { resolve(host: string, named: boolean): Promise<Address[]>; ca?: string };
export const fetchDependencies: FetchDependencies = { resolve: (host, named) => resolveHost(host, named) };

/**
 * Fetches a URL from an app or a stranger without exposing our network (SSRF). It allows only https
 * and public addresses, and no redirects or credentials. Addresses are checked when the connection
 * is made. The connection uses exactly the checked addresses, so a later DNS change has no effect.
 * Origins in ALLOW_PRIVATE_FETCH are exempt from the first two rules.
 * @throws {FetchRefused} also if the server fails, is slow or sends too much
 */
export async function guardedFetch(
  url: URL,
  request: GuardedRequest,
  world = fetchDependencies,
): Promise<GuardedReply> {
  const latest = AbortSignal.timeout(request.milliseconds);
  const deadline = request.signal ? AbortSignal.any([latest, request.signal]) : latest;
  const named = allowsPrivate(url, request.ours);
  const problem = urlProblem(url, named);
  if (problem) throw new FetchRefused(problem);
  try {
    // A literal address needs no lookup.
    if (isIP(hostOf(url))) await checkedAddresses(hostOf(url), named, world);
    const lookup = checkingLookup(hostOf(url), named, world);
    return await withTimeout(
      deadline,
      ask(url, { lookup, signal: deadline, ...(world.ca && { ca: world.ca }) }, request),
    );
  } catch (error) {
    if (error instanceof FetchRefused) throw error;
    throw new FetchRefused(deadline.aborted ? "The request timed out" : String((error as Error).message ?? error), {
      cause: error,
    });
  }
}

/** Whether a URL's origin may be private and without TLS. `ours` is an origin that we supplied. */
export const allowsPrivate = (url: URL, ours?: string): boolean =>
  env().allowPrivateFetch.includes(url.origin) || url.origin === ours;

/**
 * Returns why a URL is invalid, if it is. Resolves no name.
 * @param named whether the URL's origin may be private and without TLS (`allowsPrivate`)
 */
export function urlProblem({ protocol, username, password, port }: URL, named: boolean): string | undefined {
  if (username || password) return "The URL must not contain a username or password";
  if (named) return undefined;
  if (protocol !== "https:") return "Must be an https address";
  // Ports below 1024 belong to older services, some of which execute any input.
  return port !== "" && Number(port) < 1024 ? "The port must be 443, or 1024 or higher" : undefined;
}

/**
 * Resolves a host's addresses once. A literal address is returned as it is, because the WHATWG
 * parser has normalized it.
 * @param host as `hostOf` returns it
 * @param named whether the origin may be private (`allowsPrivate`)
 * @throws {FetchRefused} if there is no address; if `named` is false, also unless all are public
 */
export async function checkedAddresses(host: string, named: boolean, world: FetchDependencies): Promise<Address[]> {
  const family = isIP(host);
  // A localhost name always means this machine, regardless of DNS (RFC 6761 section 6.3).
  if (!named && /(^|\.)localhost\.?$/i.test(host)) throw new FetchRefused("The address is not public");
  const addresses = family ? [{ address: host, family }] : await world.resolve(host, named);
  if (addresses.length === 0) throw new FetchRefused("The host name does not resolve");
  if (!named && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new FetchRefused("The address is not public");
  }
  return addresses;
}

/**
 * Returns a URL's host as used in name resolution and certificates: an IPv6 address without its
 * brackets.
 */
export const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, "");

/**
 * Creates a lookup that returns the checked addresses, regardless of what the name resolves to
 * later.
 */
export const lookupOf =
  (addresses: Address[]): LookupFunction =>
  (_host, { all }, done) => {
    const [first] = addresses as [Address];
    if (all) done(null, addresses);
    else done(null, first.address, first.family);
  };

/** Creates a lookup that returns addresses only if all of them are allowed. */
const checkingLookup =
  (host: string, named: boolean, world: FetchDependencies): LookupFunction =>
  (name, options, done) =>
    void checkedAddresses(host, named, world).then(
      (addresses) => lookupOf(addresses)(name, options, done),
      (error) => done(error, []),
    );

type Connecting = { lookup: LookupFunction; signal: AbortSignal; ca?: string };

function ask(url: URL, connecting: Connecting, request: GuardedRequest) {
  const { method = "GET", headers = {}, body, bytes, statusOnly = false, over } = request;
  const options: RequestOptions & { ca?: string } = {
    method,
    headers: {
      "accept-encoding": "identity",
      "user-agent": "Countersign",
      ...headers,
      ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
    },
    hostname: hostOf(url),
    port: url.port || undefined,
    path: url.pathname + url.search,
    // The default agent could reuse a connection that was made for another name.
    agent: over ? over.kept.agentFor(over.user, url) : false,
    ...connecting,
  };
  return new Promise<GuardedReply>((resolve, reject) => {
    const sent = (url.protocol === "http:" ? http : https).request(options);
    let answered = false;
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The server may close a kept connection at the moment of its reuse. The request is then sent
      // again on a new connection.
      const closed = sent.reusedSocket && !answered && ["ECONNRESET", "EPIPE"].includes(error.code ?? "");
      if (!closed || connecting.signal.aborted) return reject(error);
      const { over: _, ...afresh } = request;
      ask(url, connecting, afresh).then(resolve, reject);
    });
    // Without this listener, a 101 would never produce a response or an error.
    sent.on("upgrade", ({ statusCode }, socket) => {
      socket.destroy();
      reject(new FetchRefused(`The server responded with ${statusCode}`));
    });
    sent.on("response", (reply) => {
      answered = true;
      read(reply, bytes, statusOnly).then(resolve, (error) => {
        sent.destroy();
        reject(error);
      });
    });
    sent.end(body);
  });
}

async function read(reply: IncomingMessage, bytes: number, statusOnly: boolean): Promise<GuardedReply> {
  const { statusCode: status = 0, headers } = reply;
  if (!statusOnly && Number(headers["content-length"] ?? 0) > bytes) throw new FetchRefused("The response is too long");
  if (!statusOnly && (headers["content-encoding"] ?? "identity") !== "identity")
    throw new FetchRefused("The response is compressed, and compression is not supported");
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop closes the connection.
    if (length > bytes && statusOnly) break;
    if (length > bytes) throw new FetchRefused("The response is too long");
    chunks.push(chunk);
  }
  return { status, headers, body: Buffer.concat(chunks) };
}

/**
 * Limits the time of work that cannot be canceled, such as a name lookup.
 * @throws {FetchRefused} if the deadline comes first
 */
export async function withTimeout<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  if (deadline.aborted) {
    // A failure of the work is ignored, because its result is no longer needed.
    work.catch(() => {});
    throw new FetchRefused("The request timed out");
  }
  let stop = () => {};
  const late = new Promise<never>((_, reject) => {
    stop = () => reject(new FetchRefused("The request timed out"));
    deadline.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    deadline.removeEventListener("abort", stop);
  }
}
