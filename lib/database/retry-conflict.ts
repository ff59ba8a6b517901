import { sqlState } from "../errors";

/**
 * Matches the error codes of conflicts: deadlocks, serialization failures, and P2034, which is
 * Prisma's code for both.
 */
const conflict = /^(40P01|40001|P2034)$/;

/** Whether PostgreSQL rolled a transaction back because of a concurrent one. */
export const isConflict = (error: unknown): boolean => conflict.test(sqlState(error));

/**
 * Runs `work`, and retries it if PostgreSQL rolled it back because of a concurrent transaction. The
 * work must begin its own transaction and have no effects outside the database.
 * @param retries the maximum number of retries
 */
export async function retryOnConflict<T>(work: () => Promise<T>, retries = 1): Promise<T> {
  for (let retry = 0; retry < retries; retry++)
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  return work();
}
