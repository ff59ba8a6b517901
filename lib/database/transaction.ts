import type { ClientBase } from "pg";

/**
 * Runs `work` in one transaction, on a connection that no other code uses. Commits at the end, or
 * rolls back and rethrows the error.
 * @param begin the BEGIN statement with any settings
 * @param lost called if the rollback also fails, which makes the connection unusable
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
