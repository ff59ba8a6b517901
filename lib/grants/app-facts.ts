import type { OwnerActor } from "@/lib/actor";
import { sql } from "@/lib/sql";
import type { AppFacts, EndedApp, Trouble } from "./schema";

/** Most questions that are looked at. */
const mostAsked = 1000;

/** How much an app asks and how fast it is answered, by owner and app: an index gives the latest thousand. */
export async function readAppFacts({ ownerId }: OwnerActor, appId: string): Promise<AppFacts> {
  const found = await sql<AppFacts & { medianMs: number | null }>`
    SELECT count(a.id)::int AS asked, count(a.took)::int AS answered,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY a.took)::float8 AS "medianMs",
        ARRAY(SELECT DISTINCT n.type FROM (
          SELECT type FROM notification WHERE owner_id = ${ownerId} AND app_id = ${appId} ORDER BY created_at DESC, id DESC LIMIT ${mostAsked}) AS n
          ORDER BY n.type LIMIT 100) AS types
      FROM (
        SELECT id, CASE WHEN resolution ->> 'resolvedBy' = 'owner' THEN extract(epoch FROM resolved_at - created_at) * 1000 END AS took
        FROM approval WHERE owner_id = ${ownerId} AND app_id = ${appId} AND created_at > now() - interval '30 days'
        ORDER BY created_at DESC, id DESC LIMIT ${mostAsked}) AS a`.row();
  const { medianMs, ...facts } = found!;
  return { ...facts, ...(medianMs !== null && { medianMs }) };
}

/** What looks strange, by app; apps about which nothing does are not in it. */
export async function readTroubles({ ownerId }: OwnerActor): Promise<Map<string, Trouble>> {
  const found = await sql<Trouble & { appId: string }>`SELECT app_id AS "appId",
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

/** Apps that were let in once and are not now, the latest to go first; at most 100. */
export async function listEnded({ ownerId }: OwnerActor): Promise<EndedApp[]> {
  return sql<EndedApp>`SELECT app_id AS "clientId", name, (extract(epoch FROM ended) * 1000)::float8 AS "endedAt",
        CASE WHEN deleted THEN 'deleted' WHEN expired THEN 'expired' ELSE 'revoked' END AS how
      FROM (
        SELECT DISTINCT ON (g.app_id) g.app_id, app.name, app.deleted_at IS NOT NULL AS deleted,
          least(g.revoked_at, g.expires_at) AS ended, g.expires_at <= coalesce(g.revoked_at, now()) AS expired,
          app.deleted_at IS NULL AND EXISTS (SELECT FROM live_grant l WHERE l.id = g.id) AS lives
        FROM app_grant g JOIN app ON app.id = g.app_id WHERE g.owner_id = ${ownerId}
        ORDER BY g.app_id, g.revoked_at DESC NULLS FIRST) AS latest
      WHERE NOT lives ORDER BY ended DESC, app_id LIMIT 100`.rows();
}
