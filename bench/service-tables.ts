import type pg from "pg";

/** A caller: a token and its grant. */
export type Caller = { token: string; ownerId: string; appId: string };

/** An approval's ID, with a token that may read and answer the approval. */
export type WithToken = { id: string; token: string };

/** A server's tables in one database. */
export type Tables = {
  /**
   * Restores the initial approvals, at least a hundred for each caller, distributed to callers in
   * turn. Their times are a second apart, and the latest hundred are pending.
   */
  fill(): Promise<void>;
  /** Adds the given number of pending approvals. */
  addPending(count: number): Promise<WithToken[]>;
  /** A pseudorandom sample of the approvals. */
  some(count: number): Promise<WithToken[]>;
};

export const options = `[{"id":"ship","label":"Ship now"},{"id":"wait","label":"Wait for the soak test","note":"Ends at 18:00"}]`;

/** The tables of the service: approvals with their events. */
export const serviceTables = (sql: pg.Client, callers: Caller[], size: number): Tables => ({
  fill: async () => {
    await empty(sql);
    await write(sql, callers, Math.max(size, 100 * callers.length), 100);
    await sql.query("VACUUM ANALYZE approval, event");
    await sql.query("CHECKPOINT");
  },
  addPending: (count) => write(sql, callers, count, count),
  some: async (count) => {
    const { rows } = await sql.query<InsertedRow>("SELECT id, app_id FROM approval ORDER BY random() LIMIT $1", [
      count,
    ]);
    return withTokens(rows, callers);
  },
});

type InsertedRow = { id: string; app_id: string };

async function write(sql: pg.Client, callers: Caller[], count: number, waiting: number) {
  const { rows } = await sql.query<InsertedRow>(
    `WITH made AS (
       INSERT INTO approval (id, owner_id, app_id, question, options, background_context, content_hash, status, resolution,
         created_at, resolved_at)
       SELECT 'apr_' || lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || substr(md5(n || random()::text), 1, 20),
         c.owner_id, c.app_id, 'Ship build ' || n || ' to production?', $2::json,
         'The soak test has run for ' || n % 90 || ' minutes without a fault.',
         -- Any value works, because it is read but never compared.
         'sha256:' || encode(sha256(n::text::bytea), 'hex'),
         CASE WHEN waits THEN 'pending' ELSE 'resolved' END,
         CASE WHEN NOT waits THEN '{"kind":"option","optionId":"ship","resolvedBy":"owner","resolvedAt":1760000000000}'::json END,
         at, CASE WHEN NOT waits THEN at + interval '1 minute' END
       FROM generate_series(1, $1::int) AS n
         CROSS JOIN LATERAL (SELECT n > $1 - $5 AS waits, now() - ($1 - n) * interval '1 second' AS at) AS x
         JOIN unnest($3::text[], $4::text[]) WITH ORDINALITY AS c (owner_id, app_id, nth) ON nth = 1 + n % cardinality($3)
       RETURNING id, owner_id, app_id, status
     ), told AS (
       INSERT INTO event (owner_id, app_id, type, subject)
       SELECT owner_id, app_id, type, id FROM made
         JOIN (VALUES ('approval.submitted', 'pending'), ('approval.submitted', 'resolved'), ('approval.resolved', 'resolved'))
           AS e (type, of_status) ON of_status = status
     ) SELECT id, app_id FROM made WHERE status = 'pending'`,
    [count, options, callers.map((caller) => caller.ownerId), callers.map((caller) => caller.appId), waiting],
  );
  return withTokens(rows, callers);
}

export function withTokens(rows: InsertedRow[], callers: Caller[]): WithToken[] {
  const tokens = new Map(callers.map(({ appId, token }) => [appId, token]));
  return rows.map(({ id, app_id }) => ({ id, token: tokens.get(app_id) as string }));
}

/**
 * Every table that refers to approval, then approval itself. Running chores lock them in the same
 * order. CASCADE would lock approval first and cause a deadlock.
 */
async function empty(sql: pg.Client): Promise<void> {
  const { rows } = await sql.query<{ names: string }>(
    `WITH RECURSIVE holds (id, depth) AS (
       SELECT 'approval'::regclass::oid, 0
       UNION ALL SELECT c.conrelid, h.depth + 1 FROM holds h JOIN pg_constraint c ON c.contype = 'f' AND c.confrelid = h.id AND c.conrelid <> h.id
     ), ordered AS (SELECT id, max(depth) AS depth FROM holds GROUP BY id)
     SELECT string_agg(id::regclass::text, ', ' ORDER BY depth DESC, id) AS names FROM ordered`,
  );
  await sql.query(`TRUNCATE ${rows[0]?.names}`);
}
