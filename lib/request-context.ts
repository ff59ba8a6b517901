import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingHttpHeaders } from "node:http";
import type { AppActor } from "./actor";
import { readTraceparent } from "./telemetry/trace-context";
import { processSingleton } from "./work/process-singleton";

/** Data about the current request. */
export type RequestContext = {
  /** The `X-Request-Id` of the response. */
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  /** Method and path as declared, without ids. */
  route: string;
  /**
   * The type of the request's work. Each type has a share of the database connections, so that none
   * can block the others (see SharedPool).
   */
  kind: string;
  /**
   * When the request arrived, by `performance.now()`. `held` means that the request is kept open on
   * purpose, so its duration is not measured.
   */
  readonly timing: { readonly began: number; held?: true };
  /** The connection, which is `destroyed` after the client has disconnected. */
  readonly caller?: { readonly destroyed: boolean };
  app?: AppActor;
  /** The signed-in owner, on an owner's page. */
  owner?: string;
  /** The request's trace. `context` is the parent of the request's spans, if they are recorded. */
  trace?: { readonly id: string; readonly context?: object };
};

const storage = processSingleton("request", () => new AsyncLocalStorage<RequestContext | undefined>())();

/**
 * Handles a request. All work that starts meanwhile belongs to the request, and can read its
 * context.
 */
export const withRequest = <T>(request: RequestContext, work: () => T): T => storage.run(request, work);

/**
 * Starts work that belongs to no request, because none waits for it, even if a request caused it.
 */
export const detached = <T>(work: () => T): T => storage.run(undefined, work);

export const currentRequest = (): RequestContext | undefined => storage.getStore();

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
    ms: Math.round(performance.now() - timing.began),
    ...(app?.admitted && { app: app.admitted.appId }),
    ...(owner !== undefined && { owner }),
    ...(typeof caller === "string" && /^[\w.:-]{1,64}$/.test(caller) && { callerRequestId: caller }),
    ...(trace && { traceId: trace }),
  };
}
