import { sqlState } from "../errors";

/**
 * Matches the codes of conflicts: deadlock detected, serialization failure, and P2034, which is
 * Prisma's code for both.
 */
const conflict = /^(40P01|40001|P2034)$/;

/**
 * Does work, and retries it once if PostgreSQL rolled it back because of a concurrent transaction.
 * The work must use only the database and begin its own transaction.
 */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!conflict.test(sqlState(error))) throw error;
    return work();
  }
}
