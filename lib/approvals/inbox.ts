import type { OwnerActor } from "@/lib/actor";
import { pool } from "@/lib/db";
import { notFound } from "@/lib/errors";
import { isId } from "@/lib/keys/ids";
import { localHour } from "@/lib/text/local-time";
import { type OwnedApproval, type OwnedRow, onTop, overtaken, owned, ownedColumns, ownedFrom } from "./owned";
import type { Resolution } from "./schema";
import { isOpen } from "./terms";

const recent = 50;
/** Counting stops here: beyond 99 it shows as "99+". */
const countCap = 100;

/** One approval; `timeZone`, an IANA name, is whose day "today" is. @throws {AppError} 404 */
export async function readApproval(
  owner: OwnerActor,
  id: string,
  { timeZone }: { timeZone?: string } = {},
): Promise<OwnedApproval> {
  const { rows } = await pool().query<OwnedRow>({
    name: "inbox/read",
    text: `SELECT ${ownedColumns("$3")} FROM ${ownedFrom} WHERE a.owner_id = $1 AND a.id = $2`,
    values: [owner.ownerId, isId("apr", id) ? id : "", today(timeZone)],
  });
  if (!rows[0]) throw notFound();
  return owned(rows[0]);
}

/** How an approval ended, `byDefault` when nobody was in time; `missed` when its app answered while the owner's answer was being held and they have not seen so yet. */
export type RecentEnding = { id: string; resolution: Resolution; missed: boolean; byDefault: boolean };

/** How the last fifty ended, latest first, and no more than that: what an open page compares its rows with. */
export async function recentEndings(owner: OwnerActor): Promise<RecentEnding[]> {
  const { rows } = await pool().query<RecentEnding>({
    name: "inbox/recent-endings",
    text: `SELECT a.id, a.resolution, ${overtaken} AND d.seen_at IS NULL AS missed, a.deadline_passed_at IS NOT NULL AS "byDefault"
      FROM approval a LEFT JOIN approval_desk d ON d.approval_id = a.id
      WHERE a.owner_id = $1 AND ${lists.answered} ORDER BY a.resolved_at DESC, a.id DESC LIMIT ${recent}`,
    values: [owner.ownerId],
  });
  return rows;
}

/** How many wait, are put off, and were not answered in time, of connected and revoked apps alike. Never more than 100 of each. */
export type InboxCounts = { waiting: number; snoozed: number; passed: number };
export async function countInbox(owner: OwnerActor, { appId }: { appId?: string } = {}): Promise<InboxCounts> {
  const count = (list: keyof typeof lists) =>
    `(SELECT count(*)::int FROM (SELECT FROM ${ownedFrom} WHERE a.owner_id = $1 AND ${lists[list]}
      ${appId ? "AND a.app_id = $2" : ""} LIMIT ${countCap}) AS capped) AS ${list}`;
  const { rows } = await pool().query<InboxCounts>({
    name: `inbox/counts${appId ? "-app" : ""}`,
    text: `SELECT ${count("waiting")}, ${count("snoozed")}, ${count("passed")}`,
    values: [owner.ownerId, ...(appId ? [appId] : [])],
  });
  return rows[0] ?? { waiting: 0, snoozed: 0, passed: 0 };
}

/** How many wait, as `waiting` lists them. Never more than 100. */
export const countWaiting = async (owner: OwnerActor, only: { appId?: string } = {}): Promise<number> =>
  (await countInbox(owner, only)).waiting;

/** The parts that the owner's approvals fall into; each is in exactly one. `passed`: pending for ever, since nobody was in time. */
export const lists = {
  waiting: `${isOpen} AND ${onTop} AND coalesce(ch.questions_muted, false) = false`,
  muted: `${isOpen} AND ${onTop} AND ch.questions_muted`,
  /** Asked back, and not put off besides. */
  asked: `${isOpen} AND d.held_answer IS NULL AND d.asked_back_at IS NOT NULL
    AND (d.snoozed_until IS NULL OR d.snoozed_until <= now())`,
  snoozed: `${isOpen} AND d.held_answer IS NULL AND d.snoozed_until > now()`,
  held: `a.status = 'pending' AND d.held_answer IS NOT NULL`,
  passed: `a.status = 'pending' AND a.deadline_passed_at IS NOT NULL AND d.held_answer IS NULL`,
  answered: `a.status = 'resolved'`,
};

/** When the day began; the service's own clock is good enough for what is only told. */
const today = (timeZone = "UTC") => localHour(Date.now(), timeZone);
