import { clock } from "@/lib/clock";
import { detached } from "@/lib/request-context";
import { processSingleton } from "./process-singleton";

/*
 * Timers and loops that outlive their request would keep running at the end of a process or a test
 * file, so each is registered here. Invariant: after `endTimers`, no timer fires, and none can be
 * set.
 */

type Timers = { pending: Set<NodeJS.Timeout>; loops: Set<() => Promise<void>>; ended: boolean };

const timers = processSingleton<Timers>("timers", () => ({ pending: new Set(), loops: new Set(), ended: false }));

/** Cancels the timer. Does nothing after it has fired. */
export type Cancel = () => void;

/**
 * Runs work once, later. The timer does not keep the process running, and belongs to no request.
 * After `endTimers`, it is not set.
 * @param ms the delay in milliseconds
 * @param work must handle its own errors
 */
export function later(ms: number, work: () => void): Cancel {
  return register(
    (done) =>
      clock.setTimeout(() => {
        done();
        work();
      }, ms),
    clearTimeout,
  );
}

/**
 * Runs work repeatedly until canceled. Otherwise like `later`.
 * @param ms the interval in milliseconds
 */
export function every(ms: number, work: () => void): Cancel {
  return register(() => clock.setInterval(work, ms), clearInterval);
}

function register(set: (done: () => void) => NodeJS.Timeout, clear: (timer: NodeJS.Timeout) => void): Cancel {
  const { pending, ended } = timers();
  if (ended) return () => {};
  const timer = detached(() => set(() => pending.delete(timer)).unref());
  pending.add(timer);
  return () => {
    pending.delete(timer);
    clear(timer);
  };
}

/**
 * Registers a loop that `endTimers` must stop. After `endTimers`, the loop is stopped immediately.
 * @param stop resolves once no run of the loop is in progress
 * @returns a function that unregisters the loop
 */
export function registerLoop(stop: () => Promise<void>): () => void {
  const { loops, ended } = timers();
  loops.add(stop);
  if (ended) void stop();
  return () => loops.delete(stop);
}

/** Returns the number of pending timers and running loops in this process. */
export const runningTimers = (): number => timers().pending.size + timers().loops.size;

/**
 * Cancels all timers, stops all loops, and allows no more. Resolves once no run of a loop is in
 * progress.
 */
export async function endTimers(): Promise<void> {
  const it = timers();
  it.ended = true;
  for (const timer of it.pending) clearTimeout(timer);
  it.pending.clear();
  await Promise.all([...it.loops].map((stop) => stop()));
}
