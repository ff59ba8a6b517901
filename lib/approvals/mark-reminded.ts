import { type Executor, sql } from "@/lib/database/sql";
import { isReminderDue } from "./approval-state-sql";

/**
 * Records that the owner was reminded of the deadlines of these approvals. Locks rows in the order
 * of their IDs to prevent deadlocks.
 */
export const markReminded = (on: Executor, ownerId: string, ids: string[]) =>
  sql`
    INSERT INTO approval_triage (approval_id, owner_id, reminded_at)
    SELECT a.id, a.owner_id, now()
    FROM approval a
    WHERE a.owner_id = ${ownerId} AND a.id = ANY (${ids}) AND ${isReminderDue}
    ORDER BY a.id
    ON CONFLICT (approval_id) DO UPDATE SET reminded_at = excluded.reminded_at`.run(on);

/** Records that the owner was emailed about the deadlines of these approvals. */
export const markMailed = (ownerId: string, ids: string[]) =>
  sql`
    INSERT INTO approval_triage (approval_id, owner_id, remind_mailed_at)
    SELECT id, ${ownerId}, now()
    FROM unnest(${ids}::text[]) AS id
    ORDER BY id
    ON CONFLICT (approval_id) DO UPDATE SET remind_mailed_at = now()`.run();
