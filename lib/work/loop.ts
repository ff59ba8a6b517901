import { currentStart, detachedFrom } from "@/lib/request-context";
import { failureReporter } from "./failure-reporter";
import { type Cancel, later, registerLoop } from "./timer-registry";

/** Repeated work, one run at a time. All times are in milliseconds. */
export type Loop = {
  /**
   * Starts a run soon. If a run is in progress, another run follows, because the current run may
   * have missed the reason for the wake-up.
   */
  wake(): void;
  /** Starts no more runs. Resolves once no run is in progress. */
  stop(): Promise<void>;
};

type LoopOptions = {
  /**
   * The pause between the end of a run and the next run, computed after each run. If absent, the
   * loop runs only when woken.
   */
  intervalMs?: number | (() => number);
  /** The delay before the first run. Defaults to `intervalMs`. */
  first?: number;
  /** The delay between a wake-up and its run, so that many wake-ups cause only one run. */
  debounceMs?: number;
  /**
   * The minimum pause after a run, regardless of the number of wake-ups. After a failed run,
   * `backoffMs` applies instead.
   */
  cooldownMs?: number;
  backoffMs?: number;
  /** Subscribes to wake-ups. @returns a function that unsubscribes */
  subscribe?(wake: () => void): () => void;
  /**
   * The log message for a failed run. It is logged once, and again only after a run has succeeded.
   */
  failureMessage: string;
  about?: object;
  /**
   * Performs one run.
   * @param stopping aborted when the run should end early
   */
  run(stopping: AbortSignal): Promise<unknown>;
};

/**
 * Runs work repeatedly until stopped. The loop does not keep the process alive, and is independent
 * of any request. If it was created in the background work of a shard, each run belongs to the
 * shard.
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
  const start = currentStart();
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
    working = detachedFrom(start, turn).then((pause) => {
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
