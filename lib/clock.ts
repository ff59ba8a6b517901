/*
 * The service's only access to time, timers and chance, so that tests can control all three.
 * lib/testing/clock-use.test.ts rejects other uses. The database has its own clock.
 */

/** A running timer. `unref` lets the process end before the timer fires. */
type Timer = NodeJS.Timeout;

/** `ref: false` lets the process end during the pause. */
type PauseOptions = { signal?: AbortSignal; ref?: boolean };

export const clock = {
  /** Returns the time in milliseconds since 1970. Operators can change this clock. */
  now: (): number => Date.now(),
  /** Returns milliseconds since a fixed moment. Never goes back, so it can measure durations. */
  elapsed: (): number => performance.now(),
  /** Runs work once, after a delay in milliseconds. */
  setTimeout: (work: () => void, ms: number): Timer => setTimeout(work, ms),
  /** Runs work repeatedly, at an interval in milliseconds. */
  setInterval: (work: () => void, ms: number): Timer => setInterval(work, ms),
  /**
   * Resolves to the value after a delay in milliseconds.
   * @throws {AbortError} if the signal is aborted before
   */
  pause: <T = void>(ms: number, value?: T, { signal, ref = true }: PauseOptions = {}): Promise<T> =>
    new Promise((resolve, reject) => {
      const abort = () => {
        clearTimeout(timer);
        reject(new DOMException("The pause was aborted", "AbortError"));
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", abort);
        resolve(value as T);
      }, ms);
      if (!ref) timer.unref();
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    }),
  /** Returns a number from 0 to below 1, for delays. It is not secret (see lib/keys for secrets). */
  random: (): number => Math.random(),
};
