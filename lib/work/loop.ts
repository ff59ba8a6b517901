import { detached } from "@/lib/request-context";
import { failureReporter } from "./failure-reporter";
import { type Cancel, later, registerLoop } from "./timer-registry";

/** Work that is repeated, one run at a time. All times are in milliseconds. */
export type Loop = {
  /**
   * Causes a run soon. If a run is in progress, it may have missed the reason, so another run
   * follows.
   */
  wake(): void;
  /** Starts no more runs. Resolves once no run is in progress. */
  stop(): Promise<void>;
};

type LoopOptions = {
  /**
   * The pause between the end of a run and the next one, computed after each run. Without it, the
   * loop runs only when woken.
   */
  intervalMs?: number | (() => number);
  /** The delay before the first run, by default `intervalMs`. */
  first?: number;
  /** The delay between a wake-up and its run, so that many wake-ups cause one run. */
  debounceMs?: number;
  /**
   * The minimum pause after a run, however many wake-ups there are. After a failed run, it is
   * `backoffMs`.
   */
  cooldownMs?: number;
  backoffMs?: number;
  /** Subscribes to wake-ups. @returns a function that unsubscribes */
  subscribe?(wake: () => void): () => void;
  /** The log message for a failed run. It is not repeated until a run succeeds. */
  failureMessage: string;
  about?: object;
  /** Performs one run. @param stopping aborted when the run should end */
  run(stopping: AbortSignal): Promise<unknown>;
};

/**
 * Runs work repeatedly until stopped. The loop does not keep the process running, and belongs to no
 * request.
 */
export function loop({
  intervalMs,
  first,
  debounceMs = 0,
  cooldownMs = 0,
  backoffMs = cooldownMs,
  ...work
}: LoopOptions): Loop {
  const stopping = new AbortController();
  const report = failureReporter(work.failureMessage, work.about);
  let cancel: Cancel | undefined;
  let working: Promise<void> | undefined;
  let [woken, resting] = [false, false];

  const turn = async (): Promise<number> => {
    try {
      await work.run(stopping.signal);
      report.succeeded();
      return cooldownMs;
    } catch (error) {
      report.failed(error);
      return backoffMs;
    }
  };
  const begin = () => {
    cancel?.();
    woken = false;
    working = detached(turn).then((pause) => {
      working = undefined;
      resting = true;
      within(pause, next);
    });
  };
  const next = () => {
    resting = false;
    if (woken) within(debounceMs, begin);
    else nextIn(intervalMs);
  };
  const nextIn = (ms: LoopOptions["intervalMs"]) => {
    if (ms !== undefined) within(typeof ms === "function" ? ms() : ms, begin);
  };
  const within = (ms: number, then: () => void) => {
    cancel?.();
    if (stopping.signal.aborted) return;
    if (ms <= 0) then();
    else cancel = later(ms, then);
  };
  const wake = () => {
    if (woken) return;
    woken = true;
    if (!working && !resting) within(debounceMs, begin);
  };

  const deaf = work.subscribe?.(wake);
  const stop = async () => {
    stopping.abort();
    deaf?.();
    cancel?.();
    await working;
    unregister();
  };
  const unregister = registerLoop(stop);
  nextIn(first ?? intervalMs);
  return { wake, stop };
}
