import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingHttpHeaders } from "node:http";
import type { AppActor } from "./actor";
import { perProcess } from "./work/per-process";

/** The request that is being handled, as far as it is known by now. */
export type Handled = {
  /** What `X-Request-Id` says. */
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  /** Method and path as declared, without ids. */
  route: string;
  /** What its work at the database is about: one kind of work shall not hold up the others (see SharedPool). */
  kind: string;
  app?: AppActor;
};

const storage = perProcess("request", () => new AsyncLocalStorage<Handled | undefined>())();

/** Do what a request asks for; whatever is begun meanwhile knows of it. */
export const handling = <T>(request: Handled, work: () => T): T => storage.run(request, work);

/** Begin what no request waits for, though one was its occasion. */
export const apart = <T>(work: () => T): T => storage.run(undefined, work);

export const handled = (): Handled | undefined => storage.getStore();

/** What every log line says of the request it was written in. What the caller calls it is taken over where it is harmless. */
export function aboutRequest(): object {
  const it = handled();
  if (!it) return {};
  const { id, route, app, headers } = it;
  const caller = headers["x-request-id"];
  const [, trace] = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}\b/.exec(String(headers.traceparent)) ?? [];
  return {
    requestId: id,
    route,
    ...(app?.admitted && { app: app.admitted.appId }),
    ...(typeof caller === "string" && /^[\w.:-]{1,64}$/.test(caller) && { callerRequestId: caller }),
    ...(trace && { traceId: trace }),
  };
}
