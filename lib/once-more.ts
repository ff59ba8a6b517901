import { sqlState } from "./errors";

/*
 * Code that writes several rows of one table locks them first in the order of their ids (`ORDER BY id … FOR NO KEY UPDATE`,
 * or an `INSERT … SELECT … ORDER BY id`). A `$transaction` that a deadlock ended all the same is repeated once
 * (`onceMore`), so its body touches nothing but the database.
 */

/** Deadlock detected, serialization failure; P2034 is what Prisma calls both. */
const conflict = /^(40P01|40001|P2034)$/;

/**
 * Do it, and once more where PostgreSQL ended it because of others that did something at the same time: then nothing of it was
 * done. For work that touches nothing but the database, and begins its own transaction.
 */
export async function onceMore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!conflict.test(sqlState(error))) throw error;
    return work();
  }
}
