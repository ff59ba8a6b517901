import type pg from "pg";
import { inTransaction } from "./db";
import { destinationFor } from "./shards/statement-routing";
import { type Sql, statement } from "./sql";

/**
 * Runs a statement that may take up to half a minute because it reads or writes many rows. Use it
 * only for background work, because a response can't wait that long.
 */
export function runLongStatement<Row extends object>(
  query: Sql<Row>,
): Promise<{ rows: Row[]; rowCount: number | null }> {
  const it = statement(query);
  const patient: pg.QueryConfig & { query_timeout: number } = { ...it, query_timeout: 31_000 };
  const begin = "BEGIN; SET LOCAL statement_timeout = 30000";
  return inTransaction(async (client) => client.query(patient), begin, destinationFor(it));
}
