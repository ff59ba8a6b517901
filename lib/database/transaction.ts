import type { ClientBase } from "pg";

/**
 * Do work in one transaction on a connection that no one else uses meanwhile: commit at the end, or
 * roll back and rethrow the error.
 * @param begin the BEGIN statement with any settings
 * @param lost called if even the rollback failed, so the connection is unusable
 */
export async function inClientTransaction<T>(
  client: ClientBase,
  work: () => Promise<T>,
  { begin = "BEGIN", lost = () => {} }: { begin?: string; lost?: (error: Error) => void } = {},
): Promise<T> {
  try {
    await client.query(begin);
    const done = await work();
    await client.query("COMMIT");
    return done;
  } catch (error) {
    await client.query("ROLLBACK").catch(lost);
    throw error;
  }
}
