import { vi } from "vitest";

/**
 * Repeats the work until it does not throw, for assertions on several values. For a single value,
 * use `expect.poll`, which has the same timeout.
 * @returns the work's result
 * @throws the last error after a minute, because some test machines are several times slower than a
 *   developer's
 */
export const eventually = <T>(work: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(work, { timeout: 60_000, interval: 30 });
