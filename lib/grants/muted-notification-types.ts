import { z } from "zod";
import type { OwnerActor } from "@/lib/actor";
import { sql } from "@/lib/database/sql";
import { AppError } from "@/lib/errors";
import { changeByStatement } from "@/lib/events/change-transaction";
import { validate } from "@/lib/text/validate";

/** A type has at most 64 code points, which are at most 128 UTF-16 units. */
const Type = z.string().max(128);
/** The maximum number of muted types per app. */
export const maxMutedTypes = 100;

/**
 * Mutes or unmutes one notification type of an app. Does not depend on an earlier read, so no
 * concurrent call is lost.
 * @throws {AppError} 400 if the type is invalid, or if the app already has the maximum number of
 * other muted types
 */
export async function muteType(owner: OwnerActor, appId: string, type: string, muted: boolean): Promise<void> {
  const named = validate(Type, type);
  const others = sql`array_remove(app_preferences.muted_types, ${named})`;
  const [changed] = await changeByStatement(
    owner,
    sql`
      INSERT INTO app_preferences (owner_id, app_id, muted_types)
      VALUES (${owner.ownerId}, ${appId}, ${muted ? [named] : []})
      ON CONFLICT (owner_id, app_id) DO UPDATE SET
        updated_at = now(),
        muted_types = CASE WHEN ${muted} THEN array_append(${others}, ${named}) ELSE ${others} END
      WHERE NOT ${muted} OR cardinality(${others}) < ${maxMutedTypes}
      RETURNING owner_id`,
  );
  if (!changed) throw new AppError(400, "Too many muted types for this app. Mute the app instead.");
}
