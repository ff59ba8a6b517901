import type pg from "pg";
import { inTransaction } from "./db";
import { type Sql, statement } from "./sql";

/**
 * Runs a statement that may take up to half a minute because it reads or writes many rows. For
 * background work only, because a response would wait too long.
 */
export function runLongStatement<Row extends object>(
  query: Sql<Row>,
): Promise<{ rows: Row[]; rowCount: number | null }> {
  const patient: pg.QueryConfig & { query_timeout: number } = { ...statement(query), query_timeout: 31_000 };
  return inTransaction(async (client) => client.query(patient), "BEGIN; SET LOCAL statement_timeout = 30000");
}
