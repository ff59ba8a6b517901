/**
 * Do something that must not be left undone because the database is busy or away for a moment.
 * @param pauses milliseconds between the attempts, of which there is one more
 * @param failed told of each failure that is followed by another attempt
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
