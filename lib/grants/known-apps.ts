import type { OwnerActor } from "@/lib/actor";
import { appName } from "@/lib/apps/sql";
import { type Sql, sql } from "@/lib/sql";

/** The apps that an owner has ever let in, as `appId` and `name`. */
export const everLetIn = (ownerId: string): Sql =>
  sql`SELECT DISTINCT g.app_id AS "appId", ${appName(sql`g.app_id`)} AS name FROM app_grant g WHERE g.owner_id = ${ownerId}`;

/** These by name: what the inbox and the feed can be narrowed to. */
export const knownApps = ({ ownerId }: OwnerActor): Promise<{ appId: string; name: string }[]> =>
  sql<{ appId: string; name: string }>`${everLetIn(ownerId)} ORDER BY name, "appId"`.rows();

/** The apps that are let in now, by name: what the palette leads to. */
export function liveApps(owner: OwnerActor): Promise<{ clientId: string; name: string }[]> {
  return sql<{ clientId: string; name: string }>`SELECT g.app_id AS "clientId", ${appName(sql`g.app_id`)} AS name
    FROM live_grant g WHERE g.owner_id = ${owner.ownerId} ORDER BY name, "clientId"`.rows();
}
