import { type Executor, identifier, literal, sql } from "./sql";

/**
 * Waits for other transactions that called this function for the table, and keeps out later ones
 * until this transaction ends. It does not use LOCK TABLE, because SPQR's parser rejects that
 * (lib/testing/sql-for-spqr.test.ts). FROM names the table, so that the statement goes to the
 * directory.
 * @param table a small table of keys
 */
export const lockKeyTable = (table: string, on: Executor): Promise<number> =>
  sql`
    SELECT pg_advisory_xact_lock(${literal(table)}::regclass::oid::bigint)
    FROM (SELECT count(*) FROM ${identifier(table)}) AS counted`.run(on);
