import type { OwnerActor } from "@/lib/actor";
import { literal, sql } from "@/lib/database/sql";

/** Counts of an app's unusual events in the last seven days. */
export type AppAnomalies = {
  /** Requests that the rate limit rejected. */
  tooMany: number;
  /** Requests with a token that was no longer valid. */
  deadToken: number;
  /** Reuses of single-use tokens or codes, which may be signs of theft. */
  reused: number;
  /** The number of warnings to the owner that someone else may be able to refresh the app's token. */
  shared: number;
};

/** SQL: the number of requests that were rejected with a status. */
const refused = (status: number) => sql`coalesce(
  sum((data ->> 'count')::int) FILTER (
    WHERE type = 'app.refused' AND data ->> 'status' = ${literal(String(status))}
  ), 0
)::int`;

/** Returns anomalies by app. Apps without any are absent. */
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
