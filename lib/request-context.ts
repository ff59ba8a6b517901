import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingHttpHeaders } from "node:http";
import { clock } from "@/lib/clock";
import type { AppActor } from "./actor";
import { type Destination, readHome } from "./database/shards/homes";
import { readTraceparent } from "./telemetry/parse-traceparent";
import { processSingleton } from "./work/process-singleton";

/** The data about one request. */
export type RequestContext = {
  /** The `X-Request-Id` of the response. */
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  /** The operation's declared method and path, without actual IDs. */
  route: string;
  /**
   * The kind of the request's work. Each kind has a share of the database connections, so that none
   * can block the others (see SharedPool).
   */
  kind: string;
  /**
   * When the request arrived, on the `performance.now()` clock. `held` means that the request is
   * kept open on purpose, so its duration is not measured.
   */
  readonly timing: { readonly began: number; held?: true };
  /** The client's connection. It is `destroyed` once the client has disconnected. */
  readonly caller?: { readonly destroyed: boolean };
  app?: AppActor;
  /** The ID of the signed-in owner, on an owner's page. */
  owner?: string;
  /** The request's trace. If the request's spans are recorded, `context` is their parent. */
  trace?: { readonly id: string; readonly context?: object };
};

/** What work belongs to: its request, and the database that was chosen for its statements. */
type WorkContext = {
  readonly request?: RequestContext | undefined;
  readonly destination?: Destination;
  readonly start?: BackgroundStart;
};

/**
 * The start of background work, such as loops and workers. They send their statements to the
 * destination, and add `about` to their log lines.
 */
export type BackgroundStart = { readonly destination: Destination; about(): { shard?: string } };

const storage = processSingleton("request", () => new AsyncLocalStorage<WorkContext | undefined>())();

/**
 * Runs the work of a request. Everything that this work starts belongs to the request, and can read
 * its context.
 */
export const withRequest = <T>(request: RequestContext, work: () => T): T => storage.run({ request }, work);

/** Runs work outside any request. No request waits for this work, even if a request caused it. */
export const detached = <T>(work: () => T): T => storage.run(undefined, work);

export const currentRequest = (): RequestContext | undefined => storage.getStore()?.request;

/**
 * Runs work whose statements go to a destination (lib/database/shards/marks.ts). Detached work that
 * it starts does not.
 */
export const withDestination = <T>(destination: Destination, work: () => T): T =>
  storage.run({ request: currentRequest(), destination }, work);

/** Runs work whose statements go to the shard of an owner. Other texts choose no shard. */
export function withOwner<T>(ownerId: string, work: () => T): T {
  const home = readHome(ownerId.slice(14, 16));
  return home === undefined ? work() : withDestination({ home }, work);
}

/**
 * Starts background work for a destination (lib/database/shards/each-shard.ts). Loops and workers
 * that `start` creates synchronously belong to it.
 */
export const startingFor = <T>(start: BackgroundStart, work: () => T): T => storage.run({ start }, work);

/** The start that the current code is part of, if any. */
export const currentStart = (): BackgroundStart | undefined => storage.getStore()?.start;

/** Runs background work outside any request, for the destination that it was started for. */
export const detachedFrom = <T>(start: BackgroundStart | undefined, work: () => T): T =>
  storage.run(start && { destination: start.destination }, work);

export const chosenDestination = (): Destination | undefined => storage.getStore()?.destination;

/** The number of open long-lived requests, by kind. */
const open = processSingleton("held requests", () => ({ wait: 0, stream: 0, page: 0 }));
export const openRequests = (): Readonly<Record<"wait" | "stream" | "page", number>> => open();

/**
 * Marks the current request as long-lived: a long poll, an app's event stream, or an owner's live
 * stream.
 * @returns a function to call when the request ends
 */
export function markLongLived(kind: keyof ReturnType<typeof open>): () => void {
  const it = currentRequest();
  if (it) it.timing.held = true;
  let left = 1;
  open()[kind]++;
  return () => {
    open()[kind] -= left;
    left = 0;
  };
}

/**
 * Returns the current request's fields for a log line. Includes the caller's own request ID if its
 * characters are harmless.
 */
export function requestLogFields(): object {
  const it = currentRequest();
  if (!it) return {};
  const { id, route, app, headers, timing } = it;
  const caller = headers["x-request-id"];
  const trace = it.trace?.id ?? readTraceparent(headers.traceparent)?.traceId;
  const owner = app?.admitted?.ownerId ?? it.owner;
  return {
    requestId: id,
    route,
    ms: Math.round(clock.elapsed() - timing.began),
    ...(app?.admitted && { app: app.admitted.appId }),
    ...(owner !== undefined && { owner }),
    ...(typeof caller === "string" && /^[\w.:-]{1,64}$/.test(caller) && { callerRequestId: caller }),
    ...(trace && { traceId: trace }),
  };
}
