import { z } from "zod";
import type { OwnerActor } from "@/lib/actor";
import { db } from "@/lib/db";
import { announce } from "@/lib/events/hub";
import { validate } from "@/lib/text/validate";

/** 64 code points, which are at most 128 of what JavaScript counts. */
const Type = z.string().max(128);
const mostMuted = 100;

/**
 * Mute one type of an app's notifications, or no longer. Several at once each count, since nothing is read before.
 * @throws {AppError} 400 for what cannot be a type
 */
export async function muteType({ ownerId }: OwnerActor, appId: string, type: string, muted: boolean): Promise<void> {
  const named = validate(Type, type);
  await db.$executeRaw`
    INSERT INTO app_choice (owner_id, app_id, muted_types) VALUES (${ownerId}, ${appId}, ${muted ? [named] : []})
    ON CONFLICT (owner_id, app_id) DO UPDATE SET updated_at = now(), muted_types = CASE
      WHEN ${muted} AND cardinality(app_choice.muted_types) < ${mostMuted} THEN array_append(array_remove(app_choice.muted_types, ${named}), ${named})
      ELSE array_remove(app_choice.muted_types, ${named}) END`;
  announce(ownerId);
}
