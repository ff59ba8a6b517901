import type { OwnerActor } from "@/lib/actor";
import { sql } from "@/lib/database/sql";

/** What about an app in the last seven days looks strange, and how often. */
export type AppAnomalies = {
  /** Calls refused for their number. */
  tooMany: number;
  /** Calls with a token that had ended. */
  deadToken: number;
  /** Times that something used up was shown again, as a thief would. */
  reused: number;
  /** Times that its owner was told that somebody else may renew its token beside it. */
  shared: number;
};

/** What looks strange, by app; apps about which nothing does are not in it. */
export async function readAppAnomalies({ ownerId }: OwnerActor): Promise<Map<string, AppAnomalies>> {
  const found = await sql<AppAnomalies & { appId: string }>`SELECT app_id AS "appId",
        coalesce(sum((data ->> 'count')::int) FILTER (WHERE type = 'app.refused' AND data ->> 'status' = '429'), 0)::int AS "tooMany",
        coalesce(sum((data ->> 'count')::int) FILTER (WHERE type = 'app.refused' AND data ->> 'status' = '401'), 0)::int AS "deadToken",
        (count(*) FILTER (WHERE type = 'token.shared'))::int AS shared,
        (count(*) FILTER (WHERE type IN ('token.reused', 'code.reused')))::int AS reused
      FROM event
      WHERE owner_id = ${ownerId} AND type IN ('app.refused', 'token.reused', 'token.shared', 'code.reused')
        AND created_at > now() - interval '7 days'
        AND app_id IS NOT NULL
      GROUP BY app_id`.rows();
  return new Map(
    found
      .filter((it) => it.tooMany + it.deadToken + it.reused + it.shared > 0)
      .map(({ appId, ...trouble }) => [appId, trouble]),
  );
}
