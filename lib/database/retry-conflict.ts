import { sqlState } from "../errors";

/** Deadlock detected, serialization failure; P2034 is what Prisma calls both. */
const conflict = /^(40P01|40001|P2034)$/;

/**
 * Do it, and once more where PostgreSQL ended it because of others that did something at the same time: then nothing of it was
 * done. For work that touches nothing but the database, and begins its own transaction.
 */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!conflict.test(sqlState(error))) throw error;
    return work();
  }
}
