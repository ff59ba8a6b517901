import http, { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { env } from "@/lib/config/env";
import type { KeptConnections } from "./agent-pool";
import { type Address, resolveHost } from "./dns";
import { isPublicAddress } from "./public-address";

/** Why an address that somebody else chose was not fetched, or what came back is not taken. For our log, not for them. */
export class FetchRefused extends Error {}

export type GuardedRequest = {
  method?: "GET" | "POST" | "DELETE";
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Longest that everything together may take, the name look-up too. */
  milliseconds: number;
  /** Most that the reply's body may hold. */
  bytes: number;
  /** Only the status matters: of a body that is too long the beginning will do, and nothing is asked of its coding. */
  statusOnly?: boolean;
  /** Ends it sooner. */
  signal?: AbortSignal | undefined;
  /** An origin that we ourselves put there, spared as those in ALLOW_PRIVATE_FETCH are. */
  ours?: string | undefined;
  /** Connections that are kept, and whose they are; one for this request alone unless given. */
  over?: { kept: KeptConnections; by: string };
};
export type GuardedReply = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** How names are looked up, and who is believed to be who: for tests to stand in for. */
export type FetchDependencies = { resolve(host: string, named: boolean): Promise<Address[]>; ca?: string };
export const fetchDependencies: FetchDependencies = { resolve: (host, named) => resolveHost(host, named) };

/**
 * Ask an address that an app or a stranger gave us, without lending them our place in the network: https alone, to public
 * addresses alone, checked as the connection is made, which goes to the very addresses that were checked (a name that resolves to
 * something else a moment later changes nothing), without following redirects and without credentials. Origins named in ALLOW_PRIVATE_FETCH are
 * spared the first two.
 * @throws {FetchRefused} also when the other side fails, is slow or says too much
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
    // Connecting to one asks no look-up.
    if (isIP(hostOf(url))) await checkedAddresses(hostOf(url), named, world);
    const lookup = checkingLookup(hostOf(url), named, world);
    return await withTimeout(
      deadline,
      ask(url, { lookup, signal: deadline, ...(world.ca && { ca: world.ca }) }, request),
    );
  } catch (error) {
    if (error instanceof FetchRefused) throw error;
    throw new FetchRefused(deadline.aborted ? "It took too long" : String((error as Error).message ?? error), {
      cause: error,
    });
  }
}

/** Whether an address lies at an origin that may be private and without TLS. `ours`: an origin that we put there. */
export const allowsPrivate = (url: URL, ours?: string): boolean =>
  env().allowPrivateFetch.includes(url.origin) || url.origin === ours;

/**
 * What is wrong with an address before anybody is asked where it leads.
 * @param named whether its origin is named in ALLOW_PRIVATE_FETCH
 */
export function urlProblem({ protocol, username, password, port }: URL, named: boolean): string | undefined {
  if (username || password) return "An address must not have a user name or password";
  if (named) return undefined;
  if (protocol !== "https:") return "Must be https";
  // Below 1024 the services live that were there before the web, some of which take anything for a command.
  return port !== "" && Number(port) < 1024 ? "The port is another service's" : undefined;
}

/**
 * Where a host leads, asked once. Of a literal that is itself, since connecting to one asks no resolver; WHATWG's parser has
 * made every spelling of it one.
 * @param host as `hostOf` gives it
 * @param named whether its origin is named in ALLOW_PRIVATE_FETCH
 * @throws {FetchRefused} unless there are addresses and every one of them is public, or the origin is named
 */
export async function checkedAddresses(host: string, named: boolean, world: FetchDependencies): Promise<Address[]> {
  const family = isIP(host);
  // This machine, whatever a DNS server says of it (RFC 6761 section 6.3).
  if (!named && /(^|\.)localhost\.?$/i.test(host)) throw new FetchRefused("The address is not public");
  const addresses = family ? [{ address: host, family }] : await world.resolve(host, named);
  if (addresses.length === 0) throw new FetchRefused("The name has no address");
  if (!named && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new FetchRefused("The address is not public");
  }
  return addresses;
}

/** A URL's host as it is looked up and stands in certificates: an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, "");

/** A look-up that answers with the addresses that were checked, whatever the name leads to by now. */
export const lookupOf =
  (addresses: Address[]): LookupFunction =>
  (_host, { all }, done) => {
    const [first] = addresses as [Address];
    if (all) done(null, addresses);
    else done(null, first.address, first.family);
  };

/** A look-up that answers with addresses that were checked, and with none unless all of them may be connected to. */
const checkingLookup =
  (host: string, named: boolean, world: FetchDependencies): LookupFunction =>
  (asked, options, done) =>
    void checkedAddresses(host, named, world).then(
      (addresses) => lookupOf(addresses)(asked, options, done),
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
    // Unless they are kept apart, a connection could have been made for somebody else's name.
    agent: over ? over.kept.agentFor(over.by, url) : false,
    ...connecting,
  };
  return new Promise<GuardedReply>((resolve, reject) => {
    const sent = (url.protocol === "http:" ? http : https).request(options);
    let answered = false;
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The other side may close a connection that was kept in the very moment it is used again.
      const closed = sent.reusedSocket && !answered && ["ECONNRESET", "EPIPE"].includes(error.code ?? "");
      if (!closed || connecting.signal.aborted) return reject(error);
      const { over: _, ...afresh } = request;
      ask(url, connecting, afresh).then(resolve, reject);
    });
    // Otherwise neither an answer nor an error would ever come of 101.
    sent.on("upgrade", ({ statusCode }, socket) => {
      socket.destroy();
      reject(new FetchRefused(`It answered ${statusCode}`));
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
  if (!statusOnly && Number(headers["content-length"] ?? 0) > bytes) throw new FetchRefused("The reply is too long");
  if (!statusOnly && (headers["content-encoding"] ?? "identity") !== "identity")
    throw new FetchRefused("The reply is compressed");
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop ends the connection.
    if (length > bytes && statusOnly) break;
    if (length > bytes) throw new FetchRefused("The reply is too long");
    chunks.push(chunk);
  }
  return { status, headers, body: Buffer.concat(chunks) };
}

/**
 * For what cannot be broken off, like looking up a name: nobody waits for it longer than this.
 * @throws {FetchRefused} when the deadline comes first
 */
export async function withTimeout<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  if (deadline.aborted) {
    // Nobody hears any more how it ends.
    work.catch(() => {});
    throw new FetchRefused("It took too long");
  }
  let stop = () => {};
  const late = new Promise<never>((_, reject) => {
    stop = () => reject(new FetchRefused("It took too long"));
    deadline.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    deadline.removeEventListener("abort", stop);
  }
}
