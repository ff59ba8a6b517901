import type { Connection } from "./connection-options";
import { CountersignError, type Detail, unreachable } from "./errors";

/** A call's option: `signal` stops the call. */
export type Stop = { signal?: AbortSignal | undefined };

/**
 * `key` makes the call idempotent. If the call is repeated with the same key within 24 hours, even
 * by a restarted program, it has no further effect.
 */
export type Once = Stop & { key?: string };

export type Call = {
  method: "GET" | "POST";
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  /** The idempotency key, which makes a retry safe. Without it, the client retries only reads. */
  key?: string;
  /** Seconds that the service may take to respond, in addition to the default. */
  waits?: number;
  signal?: AbortSignal | undefined;
  /**
   * When to stop retrying, on the clock of `performance.now()`. The default is `patienceMs` from
   * now. Infinity means never.
   */
  until?: number;
};

/**
 * Statuses that may be temporary: too many requests, a proxy or service that is starting, or an
 * unavailable database.
 */
const passing = new Set([408, 425, 429, 502, 503, 504]);
/** The API version that this client supports (docs/compatibility.md). */
const apiVersion = "1";
/** The response timeout in milliseconds. The wait that the call requests is added to it. */
const replyMs = 20_000;

/**
 * Makes calls, and retries them while the service is unavailable. Retries only reads and calls with
 * a key, because repeating another call could repeat its effect.
 */
export class Calls {
  constructor(readonly connection: Connection) {}

  /**
   * Makes a call, and parses the JSON response.
   * @throws {CountersignError} if the service rejects the call or does not respond
   * @throws the signal's reason once the signal is aborted
   */
  async json<T>(call: Call): Promise<{ value: T; headers: Headers }> {
    const until = call.until ?? performance.now() + (this.connection.patienceMs ?? 60_000);
    const again = call.method === "GET" || call.key !== undefined;
    const { token } = this.connection;
    let refused: string | undefined;
    for (let attempt = 0; ; attempt++) {
      call.signal?.throwIfAborted();
      const bearer = typeof token === "function" ? await token(refused) : token;
      const { failure, retryAfter, ...done } = await this.attempt<T>(call, bearer, until);
      if (done.headers && !failure) return { value: done.value as T, headers: done.headers };
      const error = failure as CountersignError;
      // A call that was rejected for its token had no effect, so it can be repeated.
      if (error.status === 401 && typeof token === "function" && refused === undefined) {
        refused = bearer;
        continue;
      }
      if (!again || !(error.status === 0 || passing.has(error.status))) throw error;
      const left = until - performance.now();
      if (left <= 0) throw error;
      const delay = retryAfter ?? Math.random() * Math.min(10_000, 250 * 2 ** attempt);
      const delayMs = Math.min(delay, left);
      this.connection.onRetry?.({ attempt: attempt + 1, delayMs, reason: error });
      await pause(delayMs, call.signal);
    }
  }

  private async attempt<T>(call: Call, bearer: string, until: number) {
    const { baseUrl, fetch = globalThis.fetch } = this.connection;
    const url = new URL(call.path, baseUrl);
    for (const [name, value] of Object.entries(call.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const timeoutMs = Math.min(replyMs + (call.waits ?? 0) * 1000, Math.max(0, until - performance.now()) + 1000);
    const late = AbortSignal.timeout(Math.ceil(timeoutMs));
    try {
      const reply = await fetch(url, {
        method: call.method,
        // Redirects are not followed, because the token must not reach another server. Not every
        // runtime supports `redirect: "error"`.
        redirect: "manual",
        signal: call.signal ? AbortSignal.any([call.signal, late]) : late,
        headers: {
          authorization: `Bearer ${bearer}`,
          accept: "application/json",
          "countersign-version": apiVersion,
          ...(call.body !== undefined && { "content-type": "application/json" }),
          ...(call.key !== undefined && { "idempotency-key": call.key }),
        },
        ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      });
      const text = await reply.text();
      const value = parse(text);
      if (reply.ok && value !== undefined) return { value: value as T, headers: reply.headers };
      return { failure: refusal(reply, value), retryAfter: seconds(reply.headers.get("retry-after")) };
    } catch (error) {
      call.signal?.throwIfAborted();
      return { failure: unreachable(url, error) };
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal(reply: Response, value: unknown): CountersignError {
  const { error, details } = (value ?? {}) as { error?: string; details?: Detail[] };
  const what = details?.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; ");
  const summary =
    error ?? (reply.ok ? "The response is not JSON" : `The service responded with HTTP status ${reply.status}`);
  const status = reply.ok ? 502 : reply.status;
  const requestId = reply.headers.get("x-request-id") ?? undefined;
  return new CountersignError(what ? `${summary}: ${what}` : summary, status, details, requestId);
}

/**
 * Converts Retry-After to milliseconds, at most five minutes, and adds up to a quarter as jitter.
 * Returns undefined unless the header is a whole number of seconds.
 */
const seconds = (header: string | null): number | undefined =>
  header !== null && /^\d{1,6}$/.test(header)
    ? Math.min(300, Number(header)) * 1000 * (1 + Math.random() / 4)
    : undefined;

/**
 * Sleeps.
 * @throws the signal's reason if the signal aborts during the sleep
 */
export const pause = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
