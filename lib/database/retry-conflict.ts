import { sqlState } from "../errors";

/** Deadlock detected, serialization failure, and P2034, Prisma's code for both. */
const conflict = /^(40P01|40001|P2034)$/;

/**
 * Do work, and retry it once if PostgreSQL rolled it back because of a concurrent transaction. For
 * work that touches only the database and begins its own transaction.
 */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!conflict.test(sqlState(error))) throw error;
    return work();
  }
}
