/**
 * Retry work that must not be lost because the database is briefly busy or unreachable.
 * @param pauses milliseconds between attempts; there is one attempt more
 * @param failed called for each failure that another attempt follows
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
