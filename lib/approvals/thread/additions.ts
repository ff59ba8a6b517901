import { authenticate, runAuthorized } from "@/lib/access/authorization";
import type { AppActor } from "@/lib/actor";
import { sql } from "@/lib/database/sql";
import { alreadyResolved, deadlinePassed, notFound, threadFull } from "@/lib/errors";
import { recorded } from "@/lib/events/record-events";
import { isId } from "@/lib/ids";
import { withAdvisoryLock } from "@/lib/requests/advisory-lock";
import { isLate } from "../approval-state-sql";
import type { Approval } from "../schema";
import { maxAddedCharacters, maxEntriesOfKind, type NewAddition } from "./schema";

type Added = { status: Approval["status"] | null; late: boolean | null; at: number | null };

const nthAdded = sql`jsonb_build_object('nth', added.nth)`;

/**
 * Adds the app's text to a pending question, and leaves the original text unchanged. After a
 * clarification, the question is pending for the owner again, as if it were new.
 * @returns the time of the addition, in epoch milliseconds
 * @throws {AppError} 404 for another app's approval; 409 if it is resolved, its deadline has
 * passed, or it has too many additions
 */
export async function addToApproval(app: AppActor, id: string, { text }: NewAddition): Promise<{ createdAt: number }> {
  const { ownerId, appId } = await authenticate(app);
  if (!isId("apr", id)) throw notFound();
  return withAdvisoryLock(app, `add ${id}`, async (client) => {
    // Locks the triage row before the approval, in the same order as sending a held answer. The
    // reverse order could cause a deadlock.
    const triage = sql`
      INSERT INTO approval_triage (approval_id, owner_id)
      SELECT id, owner_id
      FROM approval
      WHERE id = ${id} AND owner_id = ${ownerId} AND app_id = ${appId}
      ON CONFLICT (approval_id) DO UPDATE SET owner_id = approval_triage.owner_id`;
    await triage.run(client);
    const { status, late, at } = await runAuthorized<Added>(app, {
      announces: true,
      work: sql`
        asked AS (
          SELECT a.id, a.owner_id, a.app_id, a.status,
            ${isLate} AS late
          FROM approval a JOIN caller c ON a.owner_id = c.owner_id AND a.app_id = c.app_id
          WHERE a.id = ${id}
          FOR UPDATE OF a
        ), added AS (
          INSERT INTO approval_addition (approval_id, owner_id, nth, text)
          SELECT asked.id, asked.owner_id, so_far.n + 1, ${text}::text
          FROM asked,
            (
              SELECT count(*)::int AS n, coalesce(sum(char_length(text)), 0) AS size
              FROM approval_addition
              WHERE approval_id = ${id}
            ) AS so_far
          WHERE asked.status = 'pending'
            AND asked.late IS NOT TRUE
            AND so_far.n < ${maxEntriesOfKind}
            AND so_far.size + char_length(${text}::text) <= ${maxAddedCharacters}
          RETURNING approval_id, nth, created_at
        ), back AS (
          UPDATE approval_triage d
          SET seen_at = NULL, clarification_asked_at = NULL,
            returned_at = CASE
              WHEN d.clarification_asked_at IS NULL THEN d.returned_at
              ELSE added.created_at
            END
          FROM added
          WHERE d.approval_id = added.approval_id
        ), ${recorded("approval.addition_made", sql`asked, added`, nthAdded)}`,
      result: sql`(SELECT status FROM asked), (SELECT late FROM asked),
        (SELECT (extract(epoch FROM created_at) * 1000)::float8 FROM added) AS at`,
    });
    if (status === null) throw notFound();
    if (status !== "pending") throw alreadyResolved();
    if (late) throw deadlinePassed();
    if (at === null)
      throw threadFull(
        `An approval accepts at most ${maxEntriesOfKind} additions with ${maxAddedCharacters.toLocaleString("en")} characters in total. Send a shorter addition, or submit a new approval.`,
      );
    await sql`
      UPDATE approval a
      SET content_hash = approval_current_hash(a)
      WHERE a.id = ${id}`.run(client);
    return { createdAt: at };
  });
}
