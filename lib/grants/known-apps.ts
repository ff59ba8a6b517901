import type { OwnerActor } from "@/lib/actor";
import { sql } from "@/lib/sql";

/** Every app that this owner has ever let in, by name: what the inbox and the feed can be narrowed to. */
export function knownApps(owner: OwnerActor): Promise<{ appId: string; name: string }[]> {
  return sql<{ appId: string; name: string }>`SELECT DISTINCT app.id AS "appId", app.name
    FROM app_grant g JOIN app ON app.id = g.app_id
      WHERE g.owner_id = ${owner.ownerId} ORDER BY app.name, app.id`.rows();
}

/** The apps that are let in now, by name: what the palette leads to. */
export function liveApps(owner: OwnerActor): Promise<{ clientId: string; name: string }[]> {
  return sql<{ clientId: string; name: string }>`SELECT app.id AS "clientId", app.name
    FROM live_grant g JOIN app ON app.id = g.app_id
      WHERE g.owner_id = ${owner.ownerId} AND app.deleted_at IS NULL ORDER BY app.name, app.id`.rows();
}
