import type { AppActor } from "@/lib/actor";
import { clock } from "@/lib/clock";
import { asAppError, tooMany } from "@/lib/errors";
import { onDrain } from "@/lib/events/pubsub";
import { freezing, type Watcher, watch } from "@/lib/events/watch-app-events";
import { pausePoint } from "@/lib/pause-points";
import { markLongLived } from "@/lib/request-context";
import { concurrencyLimiter } from "@/lib/work/concurrency-limiter";
import { processSingleton } from "@/lib/work/process-singleton";
import { later } from "@/lib/work/timer-registry";
import { authenticate } from "../access/authorization";
import { onTokenEnd } from "../access/token-watcher";

/**
 * Why a sleep ended: an event may have happened (`news`), the time is up (`time`), the caller
 * disconnected (`gone`), or this instance is stopping (`draining`).
 */
export type WakeReason = "news" | "time" | "gone" | "draining";

export type Subscription = {
  /**
   * Sleeps until an event may have happened, for at most this many milliseconds. Returns
   * immediately if one may have happened since the last call.
   */
  next(milliseconds: number): Promise<WakeReason>;
  /** Schedules a wake-up after this delay. */
  againIn(milliseconds: number): void;
  close(): void;
};

export type SubscriptionOptions = {
  /** `wait` for a long poll, `stream` for an event stream. */
  kind: keyof typeof refusals;
  /** Aborted when the caller disconnects. */
  signal: AbortSignal;
  /** Whether the caller reads the event log in order (see {@link Watcher}). */
  ordered: boolean;
  /** Returns whether an event is a reason to wake up. */
  wants(type: string, subject: string): boolean;
};

/**
 * The maximum number of concurrent listeners on an instance: of each kind per grant, and in total.
 */
const maxListeners = { wait: 100, stream: 10, all: 20_000 };
const refusals = {
  wait: `Too many waiting requests (limit ${maxListeners.wait}). Read events instead.`,
  stream: `Too many open event streams (limit ${maxListeners.stream}). Close a stream first.`,
};
const listeners = processSingleton("listeners", () => concurrencyLimiter(maxListeners));

/**
 * Listens as an authorized app for events between the app and its owner, on any instance. Events
 * carry no data, because the caller then reads with the app's own token. The first `next` returns
 * once every later event will be noticed, so that a read after it misses nothing. The token's
 * expiry or revocation counts as an event, and so does a freeze.
 * @throws {AppError} 429 at the grant's limit of listeners
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
    onEvent: ({ type, subject }) => (type === freezing || how.wants(type, subject)) && wake(),
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
        const timer = clock.setTimeout(() => wake("time"), Math.max(0, milliseconds));
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
  /** Whether a result ends the wait. */
  done(value: T): boolean;
};

/** The delay between attempts while the database is unavailable, in milliseconds. */
const retryMs = 500;

/**
 * Reads now, and after each event, until the result is final. Keeps waiting while the database is
 * unavailable.
 * @returns the last result; `late` if it is not final, because time ran out, the caller
 * disconnected, or this instance is stopping
 * @throws {AppError} 401, 403 if the token or its scope ended in the meantime; 429; 503
 */
export async function pollUntil<T>(app: AppActor, how: Until<T>): Promise<{ value: T; late: boolean }> {
  const until = clock.elapsed() + how.seconds * 1000;
  let value = await how.read();
  if (how.done(value)) return { value, late: false };
  await pausePoint("wait read, not subscribed");
  const admitted = await authenticate(app);
  const ear = subscribeAs({ ...app, admitted }, { ...how, kind: "wait" });
  try {
    for (;;) {
      const why = await ear.next(until - clock.elapsed());
      if (why === "gone" || why === "draining") return { value, late: true };
      try {
        value = await how.read();
      } catch (error) {
        if (why === "time" || asAppError(error)?.status !== 503) throw error;
        ear.againIn(retryMs);
      }
      if (how.done(value)) return { value, late: false };
      if (why === "time") return { value, late: true };
    }
  } finally {
    ear.close();
  }
}
