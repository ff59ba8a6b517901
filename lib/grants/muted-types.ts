import { z } from "zod";
import type { OwnerActor } from "@/lib/actor";
import { sql } from "@/lib/database/sql";
import { changeByStatement } from "@/lib/events/change";
import { validate } from "@/lib/text/validate";

/** 64 code points, which are at most 128 of what JavaScript counts. */
const Type = z.string().max(128);
/** Of one app. */
export const mostMuted = 100;

/**
 * Mute one type of an app's notifications, or no longer. Several at once each count, since nothing is read before.
 * @throws {AppError} 400 for what cannot be a type
 */
export async function muteType(owner: OwnerActor, appId: string, type: string, muted: boolean): Promise<void> {
  const named = validate(Type, type);
  const without = sql`array_remove(app_choice.muted_types, ${named})`;
  await changeByStatement(
    owner,
    sql`INSERT INTO app_choice (owner_id, app_id, muted_types) VALUES (${owner.ownerId}, ${appId}, ${muted ? [named] : []})
      ON CONFLICT (owner_id, app_id) DO UPDATE SET updated_at = now(), muted_types = CASE
        WHEN ${muted} AND cardinality(app_choice.muted_types) < ${mostMuted} THEN array_append(${without}, ${named})
        ELSE ${without} END
      RETURNING owner_id`,
  );
}
