import { authenticate, runAuthorized } from "@/lib/access/authorization";
import type { AppActor } from "@/lib/actor";
import { sql } from "@/lib/database/sql";
import { notFound, notResolved, threadFull } from "@/lib/errors";
import { recorded } from "@/lib/events/record-events";
import { isId } from "@/lib/ids";
import { withAdvisoryLock } from "@/lib/requests/advisory-lock";
import type { Approval } from "../schema";
import { maxEntriesOfKind, type NewOutcome } from "./schema";

/**
 * Reports the outcome of an answer on the app's behalf. The app may report again, for example
 * `done` after `started`, or correct itself. The latest report counts, and the owner can read all
 * reports.
 * @throws {AppError} 404 for another app's approval; 409 while the approval is pending, or after
 *   too many reports
 */
export async function reportOutcome(app: AppActor, id: string, { status, text, link }: NewOutcome): Promise<void> {
  await authenticate(app);
  if (!isId("apr", id)) throw notFound();
  const data = sql`jsonb_build_object('nth', reported.nth, 'outcome', ${status}::text)`;
  const found = await withAdvisoryLock(app, `report ${id}`, () =>
    runAuthorized<{ status: Approval["status"] | null; reported: boolean }>(app, {
      announces: true,
      work: sql`
        asked AS (
          SELECT a.id, a.owner_id, a.app_id, a.status
          FROM approval a JOIN caller c ON a.owner_id = c.owner_id AND a.app_id = c.app_id
          WHERE a.id = ${id}
          FOR UPDATE OF a
        ), reported AS (
          INSERT INTO approval_outcome (approval_id, owner_id, nth, status, text, link)
          SELECT asked.id, asked.owner_id, so_far.n + 1, ${status}::text, ${text ?? null}::text,
            ${link ?? null}::text
          FROM asked,
            (SELECT count(*)::int AS n FROM approval_outcome WHERE approval_id = ${id}) AS so_far
          WHERE asked.status = 'resolved' AND so_far.n < ${maxEntriesOfKind}
          RETURNING nth
        ), ${recorded("approval.outcome_reported", sql`asked, reported`, data)}`,
      result: sql`(SELECT status FROM asked), EXISTS (SELECT FROM reported) AS reported`,
    }),
  );
  if (found.status === null) throw notFound();
  if (found.status === "pending") throw notResolved();
  if (!found.reported)
    throw threadFull(
      `Too many outcome reports (limit ${maxEntriesOfKind}). The last accepted report remains the outcome.`,
    );
}
