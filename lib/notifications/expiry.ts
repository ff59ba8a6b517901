import type { OwnerActor } from "@/lib/actor";
import { pool } from "@/lib/db";

const most = 1000;

/**
 * Put what has expired among what is done, the owner's or everybody's. Nothing waits for it: what has expired is out of the
 * inbox already. Safe on several copies at once.
 */
export async function fileExpired(owner?: Pick<OwnerActor, "ownerId">): Promise<void> {
  await pool().query({
    name: owner ? "file-expired-of" : "file-expired",
    text: `UPDATE notification SET done_at = expires_at WHERE id IN (
      SELECT id FROM notification WHERE expires_at <= now() AND done_at IS NULL ${owner ? "AND owner_id = $1" : ""}
      LIMIT ${most} FOR UPDATE SKIP LOCKED) AND done_at IS NULL`,
    values: owner ? [owner.ownerId] : [],
  });
}
