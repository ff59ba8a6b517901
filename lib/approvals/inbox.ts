import type { OwnerActor } from "@/lib/actor";
import { serviceApp } from "@/lib/apps/sql";
import { empty, epochMs, literal, type Sql, sql } from "@/lib/database/sql";
import { notFound } from "@/lib/errors";
import { isId } from "@/lib/keys/ids";
import { localHour } from "@/lib/text/local-time";
import {
  type OwnedRow,
  type OwnerApproval,
  overtaken,
  ownerApprovalColumns,
  ownerApprovalFrom,
  toOwnerApproval,
} from "./owner-view";
import { isUnanswered } from "./predicates";
import type { Resolution } from "./schema";

const recent = 50;
/** Counting stops here: beyond 99 it shows as "99+", where there is no room for more. */
const countCap = 100;
const mostCounted = 10_000;

/** One approval; `timeZone`, an IANA name, is whose day "today" is. @throws {AppError} 404 */
export async function readApproval(
  owner: OwnerActor,
  id: string,
  { timeZone }: { timeZone?: string } = {},
): Promise<OwnerApproval> {
  const found = await sql<OwnedRow>`SELECT ${ownerApprovalColumns(today(timeZone))} FROM ${ownerApprovalFrom}
    WHERE a.owner_id = ${owner.ownerId} AND a.id = ${isId("apr", id) ? id : ""}`.row();
  if (!found) throw notFound();
  return toOwnerApproval(found);
}

/** How an approval ended, `byDefault` when nobody was in time; `missed` when its app answered while the owner's answer was being held and they have not seen so yet; `own` when the service itself asked. */
export type RecentEnding = { id: string; resolution: Resolution; missed: boolean; byDefault: boolean; own: boolean };

/** How the last fifty ended, latest first, and no more than that: what an open page compares its rows with. */
export const recentEndings = (owner: OwnerActor): Promise<RecentEnding[]> =>
  sql<RecentEnding>`SELECT a.id, a.resolution, ${overtaken} AND d.seen_at IS NULL AS missed,
      a.deadline_passed_at IS NOT NULL AS "byDefault", (a.app_id = ${serviceApp(owner.ownerId)}) IS TRUE AS own
    FROM approval a LEFT JOIN approval_desk d ON d.approval_id = a.id
    WHERE a.owner_id = ${owner.ownerId} AND ${lists.answered.where}
    ORDER BY a.resolved_at DESC, a.id DESC LIMIT ${literal(recent)}`.rows();

/** The owner's answers of one round, as the database has them: how many, from when to when, which, and what came of them so far. */
export type Round = {
  count: number;
  /** From the first answer to the last, in milliseconds. */
  tookMs: number;
  endedAt: number;
  /** The labels of the options chosen, the most frequent first; what was said in the owner's own words is under null. */
  labels: { label: string | null; count: number }[];
  /** How many of them their apps have reported as done, and as failed. */
  done: number;
  failed: number;
};

/**
 * The owner's latest round: their answers of the last hours, back to the first pause of ten minutes. Absent when it ended more
 * than an hour ago.
 */
export async function latestRound({ ownerId }: OwnerActor): Promise<Round | undefined> {
  type Row = Omit<Round, "tookMs"> & { beganAt: number };
  const found = await sql<Row>`WITH answers AS (
      SELECT a.id, a.resolved_at, CASE WHEN a.resolution ->> 'kind' = 'option' THEN coalesce(
          (SELECT o ->> 'label' FROM json_array_elements(a.options) o WHERE o ->> 'id' = a.resolution ->> 'optionId' LIMIT 1),
          a.resolution ->> 'optionId') END AS label,
        (SELECT t.status FROM approval_outcome t WHERE t.approval_id = a.id ORDER BY t.nth DESC LIMIT 1) AS outcome,
        lag(a.resolved_at, 1, now()::timestamptz(3)) OVER later - a.resolved_at AS pause
      FROM approval a
      WHERE a.owner_id = ${ownerId} AND ${lists.answered.where} AND a.resolution ->> 'resolvedBy' = 'owner'
        AND a.resolved_at > now() - interval '12 hours'
      WINDOW later AS (ORDER BY a.resolved_at DESC, a.id DESC)
    ), numbered AS (
      SELECT *, count(*) FILTER (WHERE pause > interval '10 minutes') OVER (ORDER BY resolved_at DESC, id DESC) AS pauses FROM answers
    ), round AS (
      SELECT * FROM numbered WHERE pauses = (SELECT min(pauses) FROM numbered)
    ), its AS (
      SELECT count(*)::int AS count, min(resolved_at) AS began, max(resolved_at) AS ended,
        (count(*) FILTER (WHERE outcome = 'done'))::int AS done, (count(*) FILTER (WHERE outcome = 'failed'))::int AS failed FROM round
    ) SELECT count, done, failed, ${epochMs("began")} AS "beganAt", ${epochMs("ended")} AS "endedAt",
        (SELECT json_agg(json_build_object('label', label, 'count', times) ORDER BY times DESC, label)
          FROM (SELECT label, count(*) AS times FROM round GROUP BY label) AS each) AS labels
      FROM its WHERE ended > now() - interval '1 hour'`.row();
  if (!found) return undefined;
  const { beganAt, ...round } = found;
  return { ...round, tookMs: round.endedAt - beganAt };
}

/**
 * How many wait, are put off, and were not answered in time, of connected and revoked apps alike; and of what waits how many by
 * app, of what stands aside how many `asked` and `muted`. Of what was not answered in time never more than 100, of all else
 * 10,000: where that is reached (`isCapped`) there may be more of each, and of what has no number here.
 */
export type InboxCounts = {
  waiting: number;
  snoozed: number;
  passed: number;
  folds: Record<string, number>;
  isCapped: boolean;
};
export async function countInbox(owner: OwnerActor, { appId }: { appId?: string } = {}): Promise<InboxCounts> {
  const mine = sql`a.owner_id = ${owner.ownerId}${appId === undefined ? empty : sql` AND a.app_id = ${appId}`}`;
  const { passed } = lists;
  const counted = await sql<{ place: string; key: string; count: number }>`
    SELECT o.place, CASE o.place WHEN 'waiting' THEN o.app_id ELSE o.place END AS key, count(*)::int AS count
      FROM (SELECT a.place, a.app_id FROM open_approval a WHERE ${mine} AND NOT a.held AND a.place <> 'passed'
        LIMIT ${literal(mostCounted)}) AS o GROUP BY 1, 2
    UNION ALL SELECT 'late', 'late', count(*)::int FROM (SELECT FROM ${passed.from} WHERE ${mine} AND ${passed.where}
      LIMIT ${literal(countCap)}) AS late`.rows();
  const of = (place: string) => counted.reduce((sum, it) => (it.place === place ? sum + it.count : sum), 0);
  const folds = Object.fromEntries(counted.map(({ key, count }) => [key, count]));
  const isCapped = counted.reduce((sum, it) => sum + it.count, 0) >= mostCounted;
  return { waiting: of("waiting"), snoozed: of("snoozed"), passed: of("late"), folds, isCapped };
}

/** A part of the owner's approvals: those of `from`, under the alias `a`, for which `where` holds. */
export type ApprovalList = { from: Sql; where: Sql };

const pending = (where: Sql) => ({ from: sql`open_approval a`, where });

/** The parts that the owner's approvals fall into; each is in exactly one. `passed`: pending for ever, since nobody was in time. */
export const lists = {
  waiting: pending(sql`a.place = 'waiting' AND NOT a.held`),
  muted: pending(sql`a.place = 'muted' AND NOT a.held`),
  /** Asked back, and not put off besides. */
  asked: pending(sql`a.place = 'asked' AND NOT a.held`),
  snoozed: pending(sql`a.place = 'snoozed' AND NOT a.held`),
  passed: { from: sql`approval a`, where: isUnanswered },
  answered: { from: sql`approval a`, where: sql`a.status = 'resolved'` },
};
/** What waits, and what was answered and can still be taken back: that keeps its row's place. */
export const waitingOrHeld = pending(sql`(a.place = 'waiting' OR a.held)`);

/** How many wait of apps that are let in: what every page shows as to be answered. Never more than 100. */
export const waitingCount = (ownerId: string): Sql => sql`(SELECT count(*)::int FROM (
  SELECT FROM live_grant g CROSS JOIN LATERAL (SELECT FROM ${lists.waiting.from}
    WHERE a.owner_id = g.owner_id AND a.app_id = g.app_id AND ${lists.waiting.where} LIMIT ${literal(countCap)}) AS of_each
  WHERE g.owner_id = ${ownerId} LIMIT ${literal(countCap)}) AS capped)`;

/** When the day began; the service's own clock is good enough for what is only told. */
const today = (timeZone = "UTC") => localHour(Date.now(), timeZone);
