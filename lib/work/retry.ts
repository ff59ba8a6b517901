/**
 * Retries work that must not be lost while the database is briefly busy or unreachable.
 * @param pauses the milliseconds between attempts, of which there is one more than pauses
 * @param failed called for each failure before another attempt
 * @throws the last failure
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
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return work();
}
