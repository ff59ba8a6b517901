import type { ClientBase } from "pg";
import { currentRequest, type RequestContext } from "@/lib/request-context";
import { processSingleton } from "@/lib/work/process-singleton";

/** Records requests and their database work. Set by lib/telemetry/otlp-export.ts. */
export type Tracing = {
  /** Called when a request arrives. @returns a function to call when it ends */
  request(context: RequestContext): (status: number) => void;
  /** Called when a recorded request's statement begins. @returns a function to call when it ends */
  statement(parent: object, text: string): (error?: unknown) => void;
};

const kept = processSingleton("tracing", () => ({ tracing: undefined as Tracing | undefined }));

/** Returns the object that records traces. Undefined while tracing is off. */
export const tracing = (): Tracing | undefined => kept().tracing;

export const traceWith = (tracer: Tracing | undefined): void => {
  kept().tracing = tracer;
};

type Query = (...args: unknown[]) => unknown;

/**
 * Wraps a new connection, so that its statements are recorded while tracing is on. If tracing is
 * configured, every connection is wrapped, because the first ones are opened before tracing starts.
 * Only a statement's text is recorded, never its parameters.
 */
export function traceStatements(client: ClientBase): void {
  if (!process.env.OTEL_EXPORTER_OTLP_ENDPOINT) return;
  const connection = client as unknown as { query: Query };
  const query = connection.query.bind(client) as Query;
  connection.query = (...args) => {
    const parent = currentRequest()?.trace?.context;
    const [what] = args as [string | { text?: string; submit?: unknown }];
    const text = typeof what === "string" ? what : what.text;
    const callback = args.at(-1);
    const isStream = typeof what === "object" && what.submit && typeof callback !== "function";
    if (!parent || text === undefined || isStream) return query(...args);
    const ended = tracing()?.statement(parent, text);
    if (typeof callback === "function")
      return query(...args.slice(0, -1), (error: unknown, ...rest: unknown[]) => {
        ended?.(error ?? undefined);
        callback(error, ...rest);
      });
    const done = query(...args) as Promise<unknown>;
    done.then(
      () => ended?.(),
      (error) => ended?.(error),
    );
    return done;
  };
}
