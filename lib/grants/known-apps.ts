import type { OwnerActor } from "@/lib/actor";
import { type Sql, sql } from "@/lib/sql";

type KnownApp = { appId: string; name: string };

/** Every app that an owner has ever let in, with its name. */
export const everLetIn = (ownerId: string): Sql<KnownApp> => sql`SELECT DISTINCT app.id AS "appId", app.name
  FROM app_grant g JOIN app ON app.id = g.app_id WHERE g.owner_id = ${ownerId}`;

/** All of these, by name: what the inbox and the feed can be narrowed to. */
export const knownApps = ({ ownerId }: OwnerActor): Promise<KnownApp[]> =>
  sql<KnownApp>`SELECT * FROM (${everLetIn(ownerId)}) AS known ORDER BY name, "appId"`.rows();

/** The apps that are let in now, by name: what the palette leads to. */
export const liveApps = ({ ownerId }: OwnerActor): Promise<{ clientId: string; name: string }[]> =>
  sql<{ clientId: string; name: string }>`SELECT app_id AS "clientId", name FROM connected_app
    WHERE owner_id = ${ownerId} ORDER BY name, app_id`.rows();
