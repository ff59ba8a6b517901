import { vi } from "vitest";

/**
 * Repeats `work` until it does not throw, for a minute at most, because some test machines are
 * slow. For a single value, use `expect.poll`, which has the same timeout.
 * @returns the work's result
 * @throws the last error
 */
export const eventually = <T>(work: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(work, { timeout: 60_000, interval: 30 });
