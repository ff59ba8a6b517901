import type { OwnerActor } from "@/lib/actor";
import { appName, isAppActive } from "@/lib/apps/app-sql-for-other-domains";
import { type Sql, sql } from "@/lib/database/sql";
import { hueOf } from "./grant-sql-for-other-domains";
import type { EndedApp } from "./schema";

/** SQL: the apps that an owner has ever connected, as `appId` and `name`. */
export const everConnected = (ownerId: string): Sql =>
  sql`
    SELECT DISTINCT g.app_id AS "appId", ${appName(sql`g.app_id`)} AS name
    FROM app_grant g
    WHERE g.owner_id = ${ownerId}`;

/**
 * Returns the apps that an owner has ever connected, by name, as filter options for the inbox and
 * the feed.
 */
export const connectedAppNames = ({ ownerId }: OwnerActor): Promise<{ appId: string; name: string }[]> =>
  sql<{ appId: string; name: string }>`${everConnected(ownerId)} ORDER BY name, "appId"`.rows();

/** Returns the number (`hueOf`) of each app that the owner has ever connected, by app ID. */
export async function appHues({ ownerId }: OwnerActor): Promise<Map<string, number>> {
  const rows = await sql<{ id: string; hue: number }>`
    SELECT id, ${hueOf(sql`${ownerId}`, sql`its.id`)} AS hue
    FROM (SELECT DISTINCT app_id AS id FROM app_grant WHERE owner_id = ${ownerId}) AS its`.rows();
  return new Map(rows.map(({ id, hue }) => [id, hue]));
}

/** Returns the connected apps by name, for the palette. */
export function liveApps(owner: OwnerActor): Promise<{ clientId: string; name: string }[]> {
  return sql<{ clientId: string; name: string }>`
    SELECT g.app_id AS "clientId", ${appName(sql`g.app_id`)} AS name
    FROM live_grant g
    WHERE g.owner_id = ${owner.ownerId}
    ORDER BY name, "clientId"`.rows();
}

/**
 * Returns apps that were connected before and no longer are, most recently disconnected first. At
 * most 100.
 */
export async function listDisconnectedApps({ ownerId }: OwnerActor): Promise<EndedApp[]> {
  return sql<EndedApp>`
    SELECT app_id AS "clientId", name, (extract(epoch FROM ended) * 1000)::float8 AS "endedAt",
      CASE WHEN deleted THEN 'deleted' WHEN expired THEN 'expired' ELSE 'revoked' END AS how
    FROM (
      SELECT DISTINCT ON (g.app_id) g.app_id, ${appName(sql`g.app_id`)} AS name,
        NOT ${isAppActive(sql`g.app_id`)} AS deleted, least(g.revoked_at, g.expires_at) AS ended,
        g.expires_at <= coalesce(g.revoked_at, now()) AS expired,
        EXISTS (SELECT FROM live_grant l WHERE l.id = g.id) AS lives
      FROM app_grant g
      WHERE g.owner_id = ${ownerId}
      ORDER BY g.app_id, g.revoked_at DESC NULLS FIRST
    ) AS latest
    WHERE NOT lives
    ORDER BY ended DESC, app_id LIMIT 100`.rows();
}
