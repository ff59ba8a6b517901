import type pg from "pg";

/** A transaction that writes, and before whose end no app is told of anything later (see `isUnsettled`). */
export type FeedHolder = {
  /** The process that has it; null for one that is prepared (PREPARE TRANSACTION). */
  pid: number | null;
  /** The name it was prepared under. */
  prepared: string | null;
  database: string | null;
  role: string | null;
  application: string | null;
  seconds: number;
};

/** The oldest in any database of the server that somebody sees who may: a superuser, or a role with pg_read_all_stats. */
export async function feedHolder(client: pg.ClientBase): Promise<FeedHolder | undefined> {
  const { rows } = await client.query<FeedHolder>(
    `SELECT pid, NULL AS prepared, datname AS database, usename AS role, application_name AS application,
      extract(epoch FROM now() - xact_start)::float8 AS seconds
    FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid()
    UNION ALL SELECT NULL, gid, database, owner, NULL, extract(epoch FROM now() - prepared)::float8 FROM pg_prepared_xacts
    ORDER BY seconds DESC LIMIT 1`,
  );
  return rows[0];
}
