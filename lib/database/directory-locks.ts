import { type Executor, identifier, literal, type Sql, sql } from "./sql";

/*
 * Locks in the directory, which a transaction holds until it ends. They do not use LOCK TABLE,
 * because SPQR's parser rejects that (lib/testing/sql-for-spqr.test.ts). FROM names a table of the
 * service, so that the statement goes to the directory.
 */

const lock = (key: Sql, table: string, on: Executor): Promise<number> =>
  sql`
    SELECT pg_advisory_xact_lock(${key})
    FROM (SELECT count(*) FROM ${identifier(table)}) AS counted`.run(on);

/**
 * Waits for other transactions that called this function for the table, and keeps out later ones.
 * @param table a small table of keys
 */
export const lockKeyTable = (table: string, on: Executor): Promise<number> =>
  lock(sql`${literal(table)}::regclass::oid::bigint`, table, on);

/** Waits for other transactions that called this function for the name, and keeps out later ones. */
export const lockInDirectory = (name: string, on: Executor): Promise<number> =>
  lock(sql`hashtextextended(${name}, 0)`, "shard", on);
