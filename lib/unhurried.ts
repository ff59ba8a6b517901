import type pg from "pg";
import { inTransaction } from "./db";
import { type Sql, type Statement, statement } from "./sql";

/** A statement that may take its time, up to half a minute: much is written or read, and no reply is late for it. */
export function unhurried<Row extends pg.QueryResultRow>(it: Sql | Statement): Promise<pg.QueryResult<Row>> {
  const patient: pg.QueryConfig & { query_timeout: number } = {
    ...("text" in it ? it : statement(it)),
    query_timeout: 31_000,
  };
  return inTransaction((client) => client.query<Row>(patient), "BEGIN; SET LOCAL statement_timeout = 30000");
}
