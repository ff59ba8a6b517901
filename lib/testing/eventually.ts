import { vi } from "vitest";

/**
 * Try again until the work throws nothing; for assertions on several values. One value is for `expect.poll`, which has the same limit.
 * @returns what the work returned
 * @throws what the work threw last, after a minute: machines that run tests may be several times slower than a developer's
 */
export const eventually = <T>(work: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(work, { timeout: 60_000, interval: 30 });
