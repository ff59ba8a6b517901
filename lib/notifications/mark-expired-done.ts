import type { OwnerActor } from "@/lib/actor";
import { empty, literal, sql } from "@/lib/database/sql";

const batchSize = literal(1000);

/**
 * Marks up to 1,000 expired notifications as done, for one owner or for all. This only cleans up,
 * because the inbox already leaves out expired ones. Safe on concurrent instances.
 */
export async function markExpiredDone(owner?: Pick<OwnerActor, "ownerId">): Promise<void> {
  const ofOwner = owner ? sql` AND owner_id = ${owner.ownerId}` : empty;
  await sql`
    UPDATE notification
    SET done_at = expires_at
    WHERE id IN (
        SELECT id
        FROM notification
        WHERE expires_at <= now() AND done_at IS NULL${ofOwner}
        LIMIT ${batchSize}
        FOR UPDATE SKIP LOCKED
      )
      AND done_at IS NULL`.run();
}
