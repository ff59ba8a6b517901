import type { AppActor } from "@/lib/actor";
import { asAppError, tooMany } from "@/lib/errors";
import { onDrain } from "@/lib/events/pubsub";
import { type Watcher, watch } from "@/lib/events/watch";
import { markLongLived } from "@/lib/request-context";
import { concurrencyLimiter } from "@/lib/work/concurrency-limiter";
import { processSingleton } from "@/lib/work/process-singleton";
import { later } from "@/lib/work/timers";
import { authenticate } from "../access/authorization";
import { onTokenEnd } from "../access/token-watcher";

/** `gone`: the caller hung up. `draining`: this copy of the service is about to stop. */
export type WakeReason = "news" | "time" | "gone" | "draining";

export type Subscription = {
  /** Sleep until there is something to read, at most so many milliseconds. News that came since the last time counts. */
  next(milliseconds: number): Promise<WakeReason>;
  /** There will be something to read then, whatever happens. */
  againIn(milliseconds: number): void;
  close(): void;
};

export type SubscriptionOptions = {
  /** A request that waits, or a stream of events. */
  kind: keyof typeof refusals;
  /** Aborted when the caller hangs up. */
  signal: AbortSignal;
  /** Reads the log in its order: see {@link Watcher}. */
  ordered: boolean;
  /** Whether this is something to read for. */
  wants(type: string, subject: string): boolean;
};

/** Most listeners at once on one copy of the service: of each grant by their kind, and together. */
const most = { wait: 100, stream: 10, all: 20_000 };
const refusals = {
  wait: `Too many requests are waiting: at most ${most.wait} at a time. Read events instead`,
  stream: `Too many event streams are open: at most ${most.stream} at a time`,
};
const listeners = processSingleton("listeners", () => concurrencyLimiter(most));

/**
 * Listen as an app that was admitted, for what happens between it and its owner on any copy of the service. It holds no
 * database connection and promises nothing: who is woken reads with the app's own token. The first `next` returns as soon as
 * nothing can be missed any more, so that whoever reads after it has read everything. A token that ends counts as news.
 * @throws {AppError} 429 when the grant has as many listeners as it may
 */
export function subscribeAs(
  app: AppActor & Required<Pick<AppActor, "admitted">>,
  how: SubscriptionOptions,
): Subscription {
  const { grantId, ownerId, appId } = app.admitted;
  let news = false;
  let over: "gone" | "draining" | undefined;
  let stir = () => {};
  const wake = () => {
    news = true;
    stir();
  };
  const leave = listeners()({ [how.kind]: grantId });
  if (!leave) throw tooMany(refusals[how.kind], 5);
  const ends = [leave, markLongLived(how.kind)];
  const close = () => {
    for (const end of ends.splice(0)) end();
  };
  const finish = (why: "gone" | "draining") => {
    over ??= why;
    close();
    stir();
  };
  const watcher: Watcher = {
    ordered: how.ordered,
    onEvent: ({ type, subject }) => how.wants(type, subject) && wake(),
    onReady: wake,
  };
  const gone = () => finish("gone");
  how.signal.addEventListener("abort", gone);
  ends.push(() => how.signal.removeEventListener("abort", gone));
  ends.push(watch(ownerId, appId, watcher), onTokenEnd(app.tokenHash, wake));
  ends.push(onDrain(() => finish("draining")));
  if (how.signal.aborted) gone();
  return {
    next: (milliseconds) =>
      new Promise((resolve) => {
        const wake = (why: WakeReason) => {
          clearTimeout(timer);
          stir = () => {};
          if (why === "news") news = false;
          resolve(why);
        };
        const timer = setTimeout(() => wake("time"), Math.max(0, milliseconds));
        stir = () => wake(over ?? "news");
        if (over || news) stir();
      }),
    againIn: (milliseconds) => void later(milliseconds, wake),
    close,
  };
}

type Until<T> = Omit<SubscriptionOptions, "kind"> & {
  seconds: number;
  read(): Promise<T>;
  /** Whether this is what is waited for. */
  done(value: T): boolean;
};

/** While the database is away, how long until the next attempt. */
const againMs = 500;

/**
 * Read, and read again whenever there is news, until it is what is waited for. A database that is away meanwhile is waited
 * for too.
 * @returns what was read last; `late` when it is not what was waited for, because the time is up or this copy is stopping
 * @throws {AppError} 401, 403 when the token or its scope ended meanwhile; 429; 503
 */
export async function pollUntil<T>(app: AppActor, how: Until<T>): Promise<{ value: T; late: boolean }> {
  const until = performance.now() + how.seconds * 1000;
  let value = await how.read();
  if (how.done(value)) return { value, late: false };
  const admitted = await authenticate(app);
  const ear = subscribeAs({ ...app, admitted }, { ...how, kind: "wait" });
  try {
    for (;;) {
      const why = await ear.next(until - performance.now());
      if (why === "gone" || why === "draining") return { value, late: true };
      try {
        value = await how.read();
      } catch (error) {
        if (why === "time" || asAppError(error)?.status !== 503) throw error;
        ear.againIn(againMs);
      }
      if (how.done(value)) return { value, late: false };
      if (why === "time") return { value, late: true };
    }
  } finally {
    ear.close();
  }
}
