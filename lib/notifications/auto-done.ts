import type { OwnerActor } from "@/lib/actor";
import { empty, literal, sql } from "@/lib/database/sql";

const most = literal(1000);

/**
 * Put what has expired among what is done, the owner's or everybody's. Nothing waits for it: what has expired is out of the
 * inbox already. Safe on several copies at once.
 */
export async function markExpiredDone(owner?: Pick<OwnerActor, "ownerId">): Promise<void> {
  const whose = owner ? sql` AND owner_id = ${owner.ownerId}` : empty;
  await sql`UPDATE notification SET done_at = expires_at WHERE id IN (
    SELECT id FROM notification WHERE expires_at <= now() AND done_at IS NULL${whose}
    LIMIT ${most} FOR UPDATE SKIP LOCKED) AND done_at IS NULL`.run();
}
