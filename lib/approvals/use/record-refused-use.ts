import { appName } from "@/lib/apps/app-sql-for-other-domains";
import { sql } from "@/lib/database/sql";
import { change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { notifyOwner } from "@/lib/events/service-notification";
import type { UsedBy } from "./answer-use-sql";

/**
 * Tells the owner that a program tried to use an answer that was already used, at most once an hour
 * for each answer. For a question with high risk, the owner also gets a notification and an alert.
 * @param by which kind of program tried it: the app, or one with the receipt
 */
export async function recordRefusedUse(
  { ownerId, appId }: { ownerId: string; appId: string },
  id: string,
  by: UsedBy,
): Promise<void> {
  await change({ ownerId }, async (tx) => {
    const due = await sql<{ question: string; high: boolean; name: string }>`
      UPDATE approval_use u
      SET refused_at = now()
      FROM approval a
      WHERE u.approval_id = ${id}
        AND a.id = u.approval_id
        AND (u.refused_at IS NULL OR u.refused_at < now() - interval '1 hour')
      RETURNING a.question, a.risk IS NOT DISTINCT FROM 'high' AS high,
        ${appName(sql`a.app_id`)} AS name`.row(tx);
    if (!due) return;
    await record(tx, { ownerId, appId, subject: id, type: "approval.use_refused", data: { by } });
    if (!due.high) return;
    const who = by === "app" ? due.name : `A program with the receipt from ${due.name}`;
    await notifyOwner(tx, {
      ownerId,
      title: `${who} tried to use your answer again`,
      body: `Your answer to “${due.question}” was already used, so the second attempt was refused.`,
      type: "security",
      priority: "high",
    });
  });
}
