import type { OwnerActor } from "@/lib/actor";
import { isDeferred } from "@/lib/approvals/approval-sql-for-other-domains";
import { db, type Transaction } from "@/lib/database/db";
import { type Sql, sql } from "@/lib/database/sql";
import { isSnoozed } from "@/lib/notifications/notification-sql-for-other-domains";
import { openAlertSubjects } from "./needs-alert-sql";

/**
 * SQL pattern for the host of Apple's push service, which gets no withdrawals. Safari revokes the
 * push permission of sites that receive pushes without showing a notification. Safari's alerts
 * close when the owner opens one of our pages.
 */
export const appleService = "%.push.apple.com";

/**
 * Closes the owner's alerts whose content is no longer current. Unsent messages are canceled, and
 * sent messages are withdrawn. A snoozed question, or one with a clarification, may cause a new
 * alert when it returns.
 */
export async function closeResolvedAlerts(tx: Transaction, ownerId: string): Promise<void> {
  await sql`
    DELETE FROM alert_subject s
    USING alert al
    WHERE al.owner_id = ${ownerId}
      AND al.closed_at IS NULL
      AND s.owner_id = al.owner_id
      AND s.alert_id = al.id
      AND (${isDeferred(sql`s.subject`)} OR ${isSnoozed(sql`s.subject`)})`.run(tx);
  const closed = await sql<{ id: string }>`
    UPDATE alert al
    SET closed_at = now()
    WHERE al.owner_id = ${ownerId} AND al.closed_at IS NULL AND NOT EXISTS (${openAlertSubjects})
    RETURNING al.id`.rows(tx);
  if (closed.length === 0) return;
  const ids = closed.map(({ id }) => id);
  await sql`
    UPDATE alert_delivery
    SET ended_at = now(), outcome = 'dropped'
    WHERE owner_id = ${ownerId}
      AND alert_id = ANY (${ids})
      AND kind = 'show'
      AND ended_at IS NULL
      AND attempts = 0`.run(tx);
  await withdraw(tx, ownerId, ids, sql`t.service NOT LIKE ${appleService}`);
}

/**
 * Withdraws the sent messages of these alerts of the owner from some destinations.
 * @param where selects the destinations: a condition on each `alert_target` t
 */
export async function withdraw(tx: Transaction, ownerId: string, ids: string[], where: Sql): Promise<void> {
  await sql`
    INSERT INTO alert_delivery (owner_id, alert_id, target_id, kind)
    SELECT d.owner_id, d.alert_id, d.target_id, 'close'
    FROM alert_delivery d
      JOIN alert_target t ON t.owner_id = d.owner_id AND t.id = d.target_id
    WHERE d.owner_id = ${ownerId}
      AND d.alert_id = ANY (${ids})
      AND d.kind = 'show'
      AND coalesce(d.outcome, 'sent') = 'sent'
      AND ${where}
    ON CONFLICT DO NOTHING`.run(tx);
}

/** Returns those of the given tags that belong to the owner's open alerts. */
export async function openAlerts({ ownerId }: OwnerActor, tags: string[]): Promise<string[]> {
  const open = await db.alert.findMany({
    where: { ownerId, tag: { in: tags }, closedAt: null },
    select: { tag: true },
  });
  return open.map(({ tag }) => tag);
}
