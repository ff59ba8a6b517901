import { vi } from "vitest";

/**
 * Repeats `work` until it does not throw, for at most a minute, because some test machines are
 * slow. For a single value, use `expect.poll`, which has the same timeout.
 * @returns the result of `work`
 * @throws the last error
 */
export const eventually = <T>(work: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(work, { timeout: 60_000, interval: 30 });
