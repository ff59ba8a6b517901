import type { OwnerActor } from "@/lib/actor";
import { literal, sql } from "@/lib/database/sql";

/** Unusual events of an app in the last seven days, with counts. */
export type AppAnomalies = {
  /** Requests rejected by the rate limit. */
  tooMany: number;
  /** Requests with an ended token. */
  deadToken: number;
  /** Reuses of single-use tokens or codes, as a thief would attempt. */
  reused: number;
  /** Warnings to its owner that someone else may be able to refresh its token. */
  shared: number;
};

/** The number of requests that were rejected with a status. */
const refused = (status: number) => sql`coalesce(
  sum((data ->> 'count')::int) FILTER (
    WHERE type = 'app.refused' AND data ->> 'status' = ${literal(String(status))}
  ), 0
)::int`;

/** Anomalies by app; apps without any are absent. */
export async function readAppAnomalies({ ownerId }: OwnerActor): Promise<Map<string, AppAnomalies>> {
  const found = await sql<AppAnomalies & { appId: string }>`
    SELECT app_id AS "appId",
      ${refused(429)} AS "tooMany", ${refused(401)} AS "deadToken",
      (count(*) FILTER (WHERE type = 'token.shared'))::int AS shared,
      (count(*) FILTER (WHERE type IN ('token.reused', 'code.reused')))::int AS reused
    FROM event
    WHERE owner_id = ${ownerId}
      AND type IN ('app.refused', 'token.reused', 'token.shared', 'code.reused')
      AND created_at > now() - interval '7 days'
      AND app_id IS NOT NULL
    GROUP BY app_id`.rows();
  return new Map(
    found
      .filter((it) => it.tooMany + it.deadToken + it.reused + it.shared > 0)
      .map(({ appId, ...trouble }) => [appId, trouble]),
  );
}
