import type { OwnerActor } from "@/lib/actor";
import { sql } from "@/lib/database/sql";
import { AppError, notFound, notResolved } from "@/lib/errors";
import { change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { isId } from "@/lib/ids";

/**
 * Withdraws the owner's answer, so that it can no longer be used. The resolution stays. Only an
 * answer to a question with `once` can be withdrawn, and only until it is used.
 * @throws {AppError} 404; 409 if the answer was used, or can't be withdrawn
 */
export async function withdrawAnswer(owner: OwnerActor, id: string): Promise<void> {
  if (!isId("apr", id)) throw notFound();
  const { ownerId } = owner;
  await change(owner, async (tx) => {
    const withdrawn = await sql<{ app_id: string }>`
      WITH withdrawn AS (
        INSERT INTO approval_use (approval_id, owner_id, kind)
        SELECT id, owner_id, 'withdrawn'
        FROM approval
        WHERE id = ${id}
          AND owner_id = ${ownerId}
          AND once
          AND resolution ->> 'resolvedBy' = 'owner'
        ON CONFLICT DO NOTHING
        RETURNING approval_id
      )
      SELECT a.app_id FROM approval a JOIN withdrawn w ON w.approval_id = a.id`.row(tx);
    if (withdrawn) {
      await record(tx, { ownerId, appId: withdrawn.app_id, subject: id, type: "approval.withdrawn" });
      return;
    }
    const found = await sql<{ kind: "used" | "withdrawn" | null; resolved: boolean }>`
      SELECT u.kind, a.status = 'resolved' AS resolved
      FROM approval a LEFT JOIN approval_use u ON u.approval_id = a.id
      WHERE a.id = ${id} AND a.owner_id = ${ownerId}`.row(tx);
    if (!found) throw notFound();
    if (found.kind === "withdrawn") return;
    if (found.kind === "used") throw new AppError(409, "Your answer was already used, so it can’t be withdrawn.");
    if (!found.resolved) throw notResolved();
    throw new AppError(409, "This answer can’t be withdrawn.");
  });
}
