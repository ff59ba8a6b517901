import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingHttpHeaders } from "node:http";
import type { AppActor } from "./actor";
import { readTraceparent } from "./telemetry/trace-context";
import { processSingleton } from "./work/process-singleton";

/** The request that is being handled, as far as it is known by now. */
export type RequestContext = {
  /** What `X-Request-Id` says. */
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  /** Method and path as declared, without ids. */
  route: string;
  /** What its work at the database is about: one kind of work shall not hold up the others (see SharedPool). */
  kind: string;
  /** When it came, as `performance.now()` says. `held`: kept open on purpose, so that how long it takes says nothing. */
  readonly timing: { readonly began: number; held?: true };
  /** The connection. `destroyed` once the caller has hung up. */
  readonly caller?: { readonly destroyed: boolean };
  app?: AppActor;
  /** Who is signed in, on an owner's page. */
  owner?: string;
  /** Where it is traced: in which trace, and under what its parts are recorded, if they are. */
  trace?: { readonly id: string; readonly context?: object };
};

const storage = processSingleton("request", () => new AsyncLocalStorage<RequestContext | undefined>())();

/** Do what a request asks for; whatever is begun meanwhile knows of it. */
export const withRequest = <T>(request: RequestContext, work: () => T): T => storage.run(request, work);

/** Begin what no request waits for, though one was its occasion. */
export const detached = <T>(work: () => T): T => storage.run(undefined, work);

export const currentRequest = (): RequestContext | undefined => storage.getStore();

/** How many requests are kept open, by what for. */
const open = processSingleton("held requests", () => ({ wait: 0, stream: 0, page: 0 }));
export const openRequests = (): Readonly<Record<"wait" | "stream" | "page", number>> => open();

/**
 * The request that is being handled stays open: it waits for an answer, is an app's stream of events, or that of an owner's page.
 * @returns how to say that it does no longer
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

/** What every log line says of the request it was written in. What the caller calls it is taken over where it is harmless. */
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
