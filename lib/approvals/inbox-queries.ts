import type { OwnerActor } from "@/lib/actor";
import { appName, serviceApp } from "@/lib/apps/app-sql-for-other-domains";
import { clock } from "@/lib/clock";
import { empty, epochMs, literal, type Sql, sql } from "@/lib/database/sql";
import { notFound } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { localHour } from "@/lib/text/local-time";
import { isOpen, isUnanswered } from "./approval-state-sql";
import {
  type OwnedRow,
  type OwnerApproval,
  overtaken,
  ownerApprovalColumns,
  ownerApprovalFrom,
  toOwnerApproval,
} from "./owner-view";
import type { Resolution } from "./schema";
import { withoutSignature } from "./sign/without-signature";

const recent = 50;
/**
 * How far approvals are counted: to 100 in the badge and for expired ones, where 100 shows as
 * "99+", and to 10,000 otherwise.
 */
const countCap = 100;
const maxCounted = 10_000;

/**
 * Reads one approval. `timeZone`, an IANA name, decides which questions are from today.
 * @throws {AppError} 404
 */
export async function readApproval(
  owner: OwnerActor,
  id: string,
  { timeZone }: { timeZone?: string } = {},
): Promise<OwnerApproval> {
  const found = await sql<OwnedRow>`
    SELECT ${ownerApprovalColumns(today(timeZone))}
    FROM ${ownerApprovalFrom}
    WHERE a.owner_id = ${owner.ownerId} AND a.id = ${isId("apr", id) ? id : ""}`.row();
  if (!found) throw notFound();
  return toOwnerApproval(found);
}

/**
 * How an approval ended. `byDefault`: its deadline passed and the default was recorded. `missed`:
 * its app answered while the owner's answer was held, and the owner has not seen that yet. `own`:
 * the service itself asked.
 */
export type RecentEnding = { id: string; resolution: Resolution; missed: boolean; byDefault: boolean; own: boolean };

/**
 * Returns how the last fifty resolved approvals ended, latest first. An open page compares its rows
 * with this list.
 */
export async function recentEndings(owner: OwnerActor): Promise<RecentEnding[]> {
  const rows = await sql<RecentEnding>`
    SELECT a.id, a.resolution, ${overtaken} AND d.seen_at IS NULL AS missed,
      a.deadline_passed_at IS NOT NULL AS "byDefault",
      (a.app_id = ${serviceApp(owner.ownerId)}) IS TRUE AS own
    FROM approval a LEFT JOIN approval_triage d ON d.approval_id = a.id
    WHERE a.owner_id = ${owner.ownerId} AND ${lists.answered.where}
    ORDER BY a.resolved_at DESC, a.id DESC LIMIT ${literal(recent)}`.rows();
  return rows.map((row) => ({ ...row, resolution: withoutSignature(row.resolution) }));
}

/** A round of the owner's answers: a series without a pause of more than ten minutes. */
export type Round = {
  count: number;
  /** Time from the first answer to the last, in milliseconds. */
  tookMs: number;
  endedAt: number;
  /** How many of these answers apps reported as done, and as failed. */
  done: number;
  failed: number;
};

/**
 * Returns the owner's latest round, from the answers of the last 12 hours. Undefined if the round
 * ended more than an hour ago.
 */
export async function latestRound({ ownerId }: OwnerActor): Promise<Round | undefined> {
  type RoundRow = Omit<Round, "tookMs"> & { beganAt: number };
  const found = await sql<RoundRow>`
    WITH answers AS (
      SELECT a.id, a.resolved_at,
        (
          SELECT t.status
          FROM approval_outcome t
          WHERE t.approval_id = a.id
          ORDER BY t.nth DESC LIMIT 1
        ) AS outcome,
        lag(a.resolved_at, 1, now()::timestamptz(3)) OVER (
          ORDER BY a.resolved_at DESC, a.id DESC
        ) - a.resolved_at AS pause
      FROM approval a
      WHERE a.owner_id = ${ownerId} AND ${lists.answered.where}
        AND a.resolution ->> 'resolvedBy' = 'owner'
        AND a.resolved_at > now() - interval '12 hours'
    ), numbered AS (
      SELECT *,
        count(*) FILTER (WHERE pause > interval '10 minutes') OVER (
          ORDER BY resolved_at DESC, id DESC
        ) AS pauses
      FROM answers
    ), round AS (
      SELECT *
      FROM numbered
      WHERE pauses = (SELECT min(pauses) FROM numbered)
    ), its AS (
      SELECT count(*)::int AS count, min(resolved_at) AS began, max(resolved_at) AS ended,
        (count(*) FILTER (WHERE outcome = 'done'))::int AS done,
        (count(*) FILTER (WHERE outcome = 'failed'))::int AS failed
      FROM round
    )
    SELECT count, done, failed, ${epochMs("began")} AS "beganAt", ${epochMs("ended")} AS "endedAt"
    FROM its
    WHERE ended > now() - interval '1 hour'`.row();
  if (!found) return undefined;
  const { beganAt, ...round } = found;
  return { ...round, tookMs: round.endedAt - beganAt };
}

/**
 * The numbers of pending (`waiting`) and snoozed approvals that are not frozen, and of expired
 * (`passed`) approvals. `folds` maps each app to its number of pending approvals, and places like
 * `asked` and `muted` to theirs, including frozen approvals. At most 100 expired approvals and
 * 10,000 others are counted; `isCapped` is whether there may be more.
 */
export type InboxCounts = {
  waiting: number;
  snoozed: number;
  passed: number;
  folds: Record<string, number>;
  isCapped: boolean;
};
export async function countInbox(owner: OwnerActor, { appId }: { appId?: string } = {}): Promise<InboxCounts> {
  const ofApp = appId === undefined ? empty : sql` AND a.app_id = ${appId}`;
  const mine = sql`a.owner_id = ${owner.ownerId}${ofApp}`;
  const { passed } = lists;
  const counted = await sql<{ place: string; key: string; count: number; running: number }>`
    SELECT o.place,
      CASE o.place WHEN 'waiting' THEN o.app_id ELSE o.place END AS key,
      count(*)::int AS count,
      (count(*) FILTER (WHERE o.frozen_at IS NULL))::int AS running
    FROM (
      SELECT a.place, a.app_id, a.frozen_at
      FROM open_approval a
      WHERE ${mine} AND NOT a.held AND a.place <> 'passed'
      LIMIT ${literal(maxCounted)}
    ) AS o
    GROUP BY 1, 2
    UNION ALL
    SELECT 'late', 'late', count(*)::int, count(*)::int
    FROM (
      SELECT FROM ${passed.from} WHERE ${mine} AND ${passed.where} LIMIT ${literal(countCap)}
    ) AS late`.rows();
  const of = (place: string) => counted.reduce((sum, it) => (it.place === place ? sum + it.running : sum), 0);
  const folds = Object.fromEntries(counted.map(({ key, count }) => [key, count]));
  const isCapped = counted.reduce((sum, it) => sum + it.count, 0) >= maxCounted;
  return { waiting: of("waiting"), snoozed: of("snoozed"), passed: of("late"), folds, isCapped };
}

/** A list of the owner's approvals: the rows of `from`, aliased as `a`, that match `where`. */
export type ApprovalList = { from: Sql; where: Sql };

const pending = (where: Sql) => ({ from: sql`open_approval a`, where });

/**
 * The lists of the owner's approvals. No approval is in two of them. `passed`: approvals that
 * expired without an answer and stay pending permanently.
 */
export const lists = {
  waiting: pending(sql`a.place = 'waiting' AND NOT a.held`),
  muted: pending(sql`a.place = 'muted' AND NOT a.held`),
  /** Approvals with an open clarification that are not snoozed. */
  asked: pending(sql`a.place = 'asked' AND NOT a.held`),
  snoozed: pending(sql`a.place = 'snoozed' AND NOT a.held`),
  passed: { from: sql`approval a`, where: isUnanswered },
  answered: { from: sql`approval a`, where: sql`a.status = 'resolved'` },
};
/**
 * Waiting approvals, and all with a held answer, so that an answered row keeps its place in the
 * list.
 */
export const waitingOrHeld = pending(sql`(a.place = 'waiting' OR a.held)`);

/** SQL: the badge's count of pending questions, without frozen ones. At most 100. */
export const waitingCount = (ownerId: string): Sql => sql`(
  SELECT count(*)::int
  FROM (
    SELECT FROM ${lists.waiting.from}
    WHERE a.owner_id = ${ownerId} AND ${lists.waiting.where} AND a.frozen_at IS NULL
    LIMIT ${literal(countCap)}
  ) AS capped
)`;

/**
 * Returns when today began in a time zone, by this instance's clock, which is accurate enough for
 * display.
 */
const today = (timeZone = "UTC") => localHour(clock.now(), timeZone);

/** A question in the command palette. */
export type FoundQuestion = { id: string; question: string; app: string };

/** SQL: an approval's fact values as one text; NULL if it has no facts. */
const factValues = sql`CASE
  WHEN a.facts IS NOT NULL
    THEN (SELECT string_agg(f ->> 'value', ' ') FROM json_array_elements(a.facts) AS f)
END`;

/**
 * Returns the oldest pending questions that match all these words in their text, facts or app's
 * name. Returns at most eight, and none for an empty search.
 */
export async function searchWaiting({ ownerId }: OwnerActor, words: string): Promise<FoundQuestion[]> {
  const patterns = words
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 8)
    .map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);
  if (patterns.length === 0) return [];
  return sql<FoundQuestion>`
    SELECT a.id, left(a.question, 200) AS question, app.name AS app
    FROM approval a CROSS JOIN LATERAL ${appName(sql`a.app_id`)} AS app
    WHERE a.owner_id = ${ownerId}
      AND ${isOpen}
      AND (
        SELECT bool_and(searched.text ILIKE pattern)
        FROM (
            SELECT concat_ws(' ', a.question, app.name, ${factValues}) AS text
            OFFSET 0
          ) AS searched,
          unnest(${patterns}::text[]) AS pattern
      )
    ORDER BY a.created_at, a.id LIMIT 8`.rows();
}
