import http, { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { env } from "@/lib/config/env";
import { type Address, resolveHost } from "./dns";
import type { KeptConnections } from "./http-agent-pool";
import { isPublicAddress } from "./public-address";

/**
 * Thrown if an external URL was not fetched, or its response was rejected. The message is only for
 * our log.
 */
export class FetchRefused extends Error {}

export type GuardedRequest = {
  method?: "GET" | "POST" | "DELETE";
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The timeout of the whole request in milliseconds, including name resolution. */
  milliseconds: number;
  /** The maximum size of the response body, in bytes. */
  bytes: number;
  /**
   * Whether only the status matters. An overlong body is then truncated, and its encoding is
   * ignored.
   */
  statusOnly?: boolean;
  /** Cancels the fetch when aborted. */
  signal?: AbortSignal | undefined;
  /**
   * An origin that the service chose. Like origins in ALLOW_PRIVATE_FETCH, it may be private and
   * use http.
   */
  ours?: string | undefined;
  /**
   * The connection pool, and the user whose connections may be reused. By default, each request
   * uses a new connection.
   */
  over?: { kept: KeptConnections; user: string };
};
export type GuardedReply = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** The name resolution, and the trusted certificates. Tests replace them. */
export type FetchDependencies = { resolve(host: string, named: boolean): Promise<Address[]>; ca?: string };
export const fetchDependencies: FetchDependencies = { resolve: (host, named) => resolveHost(host, named) };

/**
 * Fetches a URL from an app or a stranger without exposing our network (SSRF). Allows only https
 * and public addresses, and no redirects or credentials. The connection uses exactly the addresses
 * that were checked, so that a later DNS change has no effect. Origins in ALLOW_PRIVATE_FETCH may
 * use http and private addresses.
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

/**
 * Whether a URL's origin may be private and use http.
 * @param ours an origin that the service chose
 */
export const allowsPrivate = (url: URL, ours?: string): boolean =>
  env().allowPrivateFetch.includes(url.origin) || url.origin === ours;

/**
 * Returns what is wrong with a URL, without resolving its name. Undefined if nothing is.
 * @param named whether the origin may be private and use http (`allowsPrivate`)
 */
export function urlProblem({ protocol, username, password, port }: URL, named: boolean): string | undefined {
  if (username || password) return "The URL must not contain a username or password";
  if (named) return undefined;
  if (protocol !== "https:") return "Must be an https address";
  // Ports below 1024 belong to other services, some of which execute any input.
  return port !== "" && Number(port) < 1024 ? "The port must be 443, or 1024 or higher" : undefined;
}

/**
 * Returns a host's addresses after checking them. A literal address needs no lookup, because the
 * WHATWG parser has normalized it.
 * @param host as `hostOf` returns it
 * @param named whether the origin may be private (`allowsPrivate`)
 * @throws {FetchRefused} if there is no address or, unless `named`, if any is not public
 */
export async function checkedAddresses(host: string, named: boolean, world: FetchDependencies): Promise<Address[]> {
  const family = isIP(host);
  // A localhost name always means this machine, whatever DNS says (RFC 6761 section 6.3).
  if (!named && /(^|\.)localhost\.?$/i.test(host)) throw new FetchRefused("The address is not public");
  const addresses = family ? [{ address: host, family }] : await world.resolve(host, named);
  if (addresses.length === 0) throw new FetchRefused("The host name does not resolve");
  if (!named && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new FetchRefused("The address is not public");
  }
  return addresses;
}

/**
 * Returns a URL's host as name resolution and certificates need it: an IPv6 address without its
 * brackets.
 */
export const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, "");

/** Returns a lookup function that always returns these addresses, whatever the name resolves to. */
export const lookupOf =
  (addresses: Address[]): LookupFunction =>
  (_host, { all }, done) => {
    const [first] = addresses as [Address];
    if (all) done(null, addresses);
    else done(null, first.address, first.family);
  };

/** Returns a lookup function that resolves the host, and fails unless all addresses are allowed. */
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
    // The default agent could reuse a connection that was opened for another name.
    agent: over ? over.kept.agentFor(over.user, url) : false,
    ...connecting,
  };
  return new Promise<GuardedReply>((resolve, reject) => {
    const sent = (url.protocol === "http:" ? http : https).request(options);
    let answered = false;
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The server may close a kept connection just when it is reused. The request is then sent
      // again on a new connection.
      const closed = sent.reusedSocket && !answered && ["ECONNRESET", "EPIPE"].includes(error.code ?? "");
      if (!closed || connecting.signal.aborted) return reject(error);
      const { over: _, ...afresh } = request;
      ask(url, connecting, afresh).then(resolve, reject);
    });
    // Without this listener, a response with 101 would never settle the promise.
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
 * Limits the time of work that can't be canceled, such as a name lookup.
 * @throws {FetchRefused} if the deadline comes first
 */
export async function withTimeout<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  if (deadline.aborted) {
    // Ignores a failure of the work, because nobody needs its result.
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
