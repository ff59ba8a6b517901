import type { ClientBase } from "pg";

/**
 * Work in one transaction on a connection that nobody else uses meanwhile: committed at the end, or rolled back and the error
 * thrown on.
 * @param begin how it begins, with whatever settings it has
 * @param lost called when it could not even be rolled back: the connection is good for nothing any more
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
