/**
 * Retries work that must not be lost because the database is briefly busy or unreachable.
 * @param pauses the milliseconds between attempts; there is one more attempt than pauses
 * @param failed called for each failure that is followed by another attempt
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
