import { clock } from "@/lib/clock";

/**
 * Retries work that must not be lost while the database is briefly busy or unreachable.
 * @param pauses the pauses between attempts, in milliseconds; there is one more attempt than pauses
 * @param failed called after each failure that is followed by another attempt
 * @throws the error of the last attempt
 */
export async function retry<T>(
  work: () => Promise<T>,
  pauses: readonly number[],
  failed: (error: unknown) => void = () => {},
): Promise<T> {
  for (const pause of pauses) {
    try {
      return await work();
    } catch (error) {
      failed(error);
      await clock.pause(pause);
    }
  }
  return work();
}
