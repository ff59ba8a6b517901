import type { ClientBase } from "pg";
import { currentRequest, type RequestContext } from "@/lib/request-context";
import { processSingleton } from "@/lib/work/process-singleton";

/** Records what requests do, and what of it at the database; set by lib/telemetry/otlp.ts. */
export type Tracing = {
  /** A request has come. @returns how to say that it has ended */
  request(it: RequestContext): (status: number) => void;
  /** A statement has begun, for a request that is recorded. @returns how to say that it has ended */
  statement(parent: object, text: string): (error?: unknown) => void;
};

const kept = processSingleton("tracing", () => ({ tracing: undefined as Tracing | undefined }));

/** Undefined where nobody records anything. */
export const tracing = (): Tracing | undefined => kept().tracing;

export const traceWith = (it: Tracing | undefined): void => {
  kept().tracing = it;
};

type Query = (...args: unknown[]) => unknown;

/**
 * Have the statements of a new connection recorded, where that may ever be: the first are made before anything is. Text only; what
 * it was given never leaves.
 */
export function traceStatements(client: ClientBase): void {
  if (!process.env.OTEL_EXPORTER_OTLP_ENDPOINT) return;
  const connection = client as unknown as { query: Query };
  const query = connection.query.bind(client) as Query;
  connection.query = (...args) => {
    const parent = currentRequest()?.trace?.context;
    const [what] = args as [string | { text?: string; submit?: unknown }];
    const text = typeof what === "string" ? what : what.text;
    if (!parent || text === undefined || (typeof what === "object" && what.submit)) return query(...args);
    const ended = tracing()?.statement(parent, text);
    const told = args.at(-1);
    if (typeof told === "function")
      return query(...args.slice(0, -1), (error: unknown, ...rest: unknown[]) => {
        ended?.(error ?? undefined);
        told(error, ...rest);
      });
    const done = query(...args) as Promise<unknown>;
    done.then(
      () => ended?.(),
      (error) => ended?.(error),
    );
    return done;
  };
}
