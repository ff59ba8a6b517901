import type { OwnerActor } from "@/lib/actor";
import { appLives, appName } from "@/lib/apps/sql";
import { sql } from "@/lib/sql";
import type { EndedApp } from "./schema";

/** Apps that were let in once and are not now, the latest to go first; at most 100. */
export async function listEnded({ ownerId }: OwnerActor): Promise<EndedApp[]> {
  return sql<EndedApp>`SELECT app_id AS "clientId", name, (extract(epoch FROM ended) * 1000)::float8 AS "endedAt",
        CASE WHEN deleted THEN 'deleted' WHEN expired THEN 'expired' ELSE 'revoked' END AS how
      FROM (
        SELECT DISTINCT ON (g.app_id) g.app_id, ${appName(sql`g.app_id`)} AS name, NOT ${appLives(sql`g.app_id`)} AS deleted,
          least(g.revoked_at, g.expires_at) AS ended, g.expires_at <= coalesce(g.revoked_at, now()) AS expired,
          EXISTS (SELECT FROM live_grant l WHERE l.id = g.id) AS lives
        FROM app_grant g WHERE g.owner_id = ${ownerId}
        ORDER BY g.app_id, g.revoked_at DESC NULLS FIRST) AS latest
      WHERE NOT lives ORDER BY ended DESC, app_id LIMIT 100`.rows();
}
