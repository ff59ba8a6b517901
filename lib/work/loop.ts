import { detached } from "@/lib/request-context";
import { failureReporter } from "./failure-reporter";
import { type Cancel, later, registerLoop } from "./timers";

/** Work that is done again and again, one turn at a time. All times are in milliseconds. */
export type Loop = {
  /** Have a turn soon. News of which a turn may know nothing any more have another after it. */
  wake(): void;
  /** Begin no more turns. @returns once none is under way */
  stop(): Promise<void>;
};

type LoopOptions = {
  /** From the end of a turn to the next that nobody asked for, asked after each. Without it, there are only those. */
  intervalMs?: number | (() => number);
  /** Until the first turn; `every` unless given. */
  first?: number;
  /** From being woken to the turn, so that a burst of news is one. */
  debounceMs?: number;
  /** After a turn none begins for so long, however much news there is; `patience` after one that failed. */
  cooldownMs?: number;
  backoffMs?: number;
  /** Subscribes to news. @returns how to end that */
  subscribe?(wake: () => void): () => void;
  /** What the log says when a turn failed, once until one succeeds. Then the next one tries again. */
  failureMessage: string;
  about?: object;
  /** One turn. @param stopping when it is to come to an end */
  run(stopping: AbortSignal): Promise<unknown>;
};

/** Do this until it is stopped. It keeps no process from ending, and belongs to no request. */
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
