import type { OwnerActor } from "@/lib/actor";
import { pool } from "@/lib/db";

/** Every app that this owner has ever let in, by name: what the inbox and the feed can be narrowed to. */
export async function knownApps(owner: OwnerActor): Promise<{ appId: string; name: string }[]> {
  const { rows } = await pool().query<{ appId: string; name: string }>({
    name: "known-apps",
    text: `SELECT DISTINCT app.id AS "appId", app.name FROM app_grant g JOIN app ON app.id = g.app_id
      WHERE g.owner_id = $1 ORDER BY app.name, app.id`,
    values: [owner.ownerId],
  });
  return rows;
}

/** The apps that are let in now, by name: what the palette leads to. */
export async function liveApps(owner: OwnerActor): Promise<{ clientId: string; name: string }[]> {
  const { rows } = await pool().query<{ clientId: string; name: string }>({
    name: "live-apps",
    text: `SELECT app.id AS "clientId", app.name FROM live_grant g JOIN app ON app.id = g.app_id
      WHERE g.owner_id = $1 AND app.deleted_at IS NULL ORDER BY app.name, app.id`,
    values: [owner.ownerId],
  });
  return rows;
}
