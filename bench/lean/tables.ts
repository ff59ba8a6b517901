import { createHash } from "node:crypto";
import type pg from "pg";
import type { Caller, Tables, WithToken } from "../service-tables";
import { options, withTokens } from "../service-tables";

/**
 * The lean server's tables, filled like the service's tables. @param sql the lean server's database
 */
export async function leanTables(sql: pg.Client, callers: Caller[], size: number): Promise<Tables> {
  await sql.query(
    `INSERT INTO token (hash, owner_id, app_id, scopes, expires_at)
     SELECT hash, owner_id, app_id, '{approvals:write,approvals:read,approvals:resolve}', now() + interval '30 days'
     FROM unnest($1::bytea[], $2::text[], $3::text[]) AS c (hash, owner_id, app_id)`,
    [
      callers.map(({ token }) => createHash("sha256").update(token).digest()),
      callers.map(({ ownerId }) => ownerId),
      callers.map(({ appId }) => appId),
    ],
  );

  const write = async (count: number, pending: number): Promise<WithToken[]> => {
    const { rows } = await sql.query<{ id: string; app_id: string }>(
      `WITH inserted AS (
         INSERT INTO approval (id, owner_id, app_id, question, options, background_context, status, resolution, created_at)
         SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n || random()::text), 1, 19))::uuid,
           c.owner_id, c.app_id, 'Ship build ' || n || ' to production?', $2::json,
           'The soak test has run for ' || n % 90 || ' minutes without a fault.',
           CASE WHEN is_pending THEN 'pending' ELSE 'resolved' END,
           CASE WHEN NOT is_pending THEN '{"kind":"option","optionId":"ship","resolvedAt":1760000000000}'::json END,
           at
         FROM generate_series(1, $1::int) AS n
           CROSS JOIN LATERAL (SELECT n > $1 - $5 AS is_pending, now() - ($1 - n) * interval '1 second' AS at) AS x
           JOIN unnest($3::text[], $4::text[]) WITH ORDINALITY AS c (owner_id, app_id, nth) ON nth = 1 + n % cardinality($3)
         RETURNING id, app_id, status
       ) SELECT id, app_id FROM inserted WHERE status = 'pending'`,
      [count, options, callers.map(({ ownerId }) => ownerId), callers.map(({ appId }) => appId), pending],
    );
    return withTokens(rows, callers);
  };

  return {
    fill: async () => {
      await sql.query("TRUNCATE approval");
      await write(Math.max(size, 100 * callers.length), 100);
      await sql.query("VACUUM ANALYZE approval");
      await sql.query("CHECKPOINT");
    },
    addPending: (count) => write(count, count),
    some: async (count) => {
      const { rows } = await sql.query<{ id: string; app_id: string }>(
        "SELECT id, app_id FROM approval ORDER BY random() LIMIT $1",
        [count],
      );
      return withTokens(rows, callers);
    },
  };
}
