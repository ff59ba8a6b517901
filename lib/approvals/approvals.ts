import { act, identify } from "@/lib/access/admission";
import { alone } from "@/lib/access/alone";
import { one, type Page, page } from "@/lib/access/page";
import type { Actor, AppActor } from "@/lib/actor";
import { env } from "@/lib/env";
import {
  alreadyResolved,
  badRequest,
  deadlinePassed,
  forbidden,
  notFound,
  ownerOnly,
  questionChanged,
  tooMany,
} from "@/lib/errors";
import { recorded } from "@/lib/events/events";
import { isId, newId } from "@/lib/keys/ids";
import type { Wire } from "@/lib/operation";
import { sql } from "@/lib/sql";
import { contentHash } from "./content-hash";
import { recordPassedDeadlines } from "./deadlines";
import type { Answer, Approval, NewApproval, Resolution } from "./schema";
import { hashOf, isMissed, isPassed, isWaiting } from "./terms";

/**
 * Ask the owner to decide. Durable when it returns.
 * @throws {AppError} 400 for a deadline that is too near or too far, 403 for a default from an app that may not answer itself,
 *   429 while the app already has as many waiting as it may
 */
export async function submitApproval(app: AppActor, ask: NewApproval): Promise<{ id: string }> {
  const id = newId("apr");
  const most = env().maxPending;
  const made =
    most === 0
      ? await insert(app, id, ask, null)
      : (most > margin && (await insert(app, id, ask, most - margin))) || (await insertNearCap(app, id, ask, most));
  if (!made) throw tooMany(`Too many approvals are waiting: at most ${most} at a time`, 60);
  return { id };
}

/**
 * Requests at once may each count before the others commit, so the last places below the cap are given out one at a time:
 * more than the connections of a few copies together.
 */
const margin = 100;

const insertNearCap = async (app: AppActor, id: string, ask: NewApproval, most: number) => {
  const { grantId } = await identify(app);
  return alone(app, `submit ${grantId}`, () => insert(app, id, ask, most));
};

type Made = { made: boolean; timely: boolean; entitled: boolean };

/** @param below how many of the app's approvals may wait for one more to be made; null for any number. @returns whether it was */
async function insert(app: AppActor, id: string, ask: NewApproval, below: number | null): Promise<boolean> {
  // The hash made by the database would be an eighth of the statement; from the row it is made again before an owner's answer counts.
  const { made, timely, entitled } = await act<Made>(app, {
    announces: true,
    work: sql`terms AS (
      SELECT at AS expires_at, at IS NULL OR at BETWEEN clock_timestamp() + interval '10 seconds' AND clock_timestamp() + interval '366 days' AS timely,
        ${ask.defaultOptionId ?? null}::text IS NULL OR EXISTS (SELECT FROM caller WHERE ${answersItself} = ANY (scopes)) AS entitled
      FROM (SELECT to_timestamp(${ask.expiresAt ?? null}::bigint / 1000.0)::timestamptz(3) AS at) AS wanted
    ), made AS (
      INSERT INTO approval (id, owner_id, app_id, question, options, background_context, recommendation,
        expires_at, default_option_id, owner_only, risk, content_hash)
      SELECT ${id}, c.owner_id, c.app_id, ${ask.question}, ${JSON.stringify(ask.options)}::json, ${ask.backgroundContext ?? null},
        ${ask.recommendation ?? null}, t.expires_at, ${ask.defaultOptionId ?? null}, ${ask.ownerOnly ?? false}::boolean,
        ${ask.risk ?? null}, ${contentHash(ask)}
      FROM caller c, terms t
      WHERE t.timely AND t.entitled AND (${below}::int IS NULL OR ${below} > (SELECT count(*) FROM (
        SELECT FROM open_approval p WHERE p.owner_id = c.owner_id AND p.app_id = c.app_id LIMIT ${below}) AS waiting))
      RETURNING owner_id, app_id, id
    ), ${recorded("approval.submitted", sql`made`)}`,
    result: sql`EXISTS (SELECT FROM made) AS made, (SELECT timely FROM terms) AS timely, (SELECT entitled FROM terms) AS entitled`,
  });
  if (!entitled) throw forbidden(answersItself);
  if (!timely) throw badRequest("Must be 10 seconds to 366 days from now", "expiresAt");
  return made;
}

/** Who may give a default answers for itself. */
const answersItself = "approvals:resolve";

/** One approval that the app submitted. One whose deadline has passed is told as such, on time. @throws {AppError} 404 */
export const getApproval = (app: AppActor, id: string): Promise<Wire> =>
  settled(app, () => one(app, "apr", id, submitted));

/** What the app has submitted, newest first. @throws {AppError} 400 for a cursor that is not one of ours */
export function listApprovals(app: AppActor, filter: Page & { status?: Approval["status"] }): Promise<Wire> {
  return settled(app, () => page(app, filter, { ...submitted, ...listed[filter.status ?? "all"] }));
}

/**
 * What was read; where a deadline has passed and nobody wrote that down yet, it is written down first, so that no reader sees
 * pending what the default has decided.
 */
async function settled(app: AppActor, read: () => Promise<Wire>): Promise<Wire> {
  const wire = await read();
  // Inside a text the quotation marks would be escaped.
  if (!wire.text.includes('"deadlinePassed":true') || !app.admitted) return wire;
  const done = await recordPassedDeadlines(app.admitted);
  return done > 0 || wire.text.includes('"defaultOptionId":') ? read() : wire;
}

type Asked = { status: string | null; offered: boolean; late: boolean; other: boolean; closed: boolean } & Ended;
type Ended = { won: true; resolution: Resolution } | { won: false; resolution: Resolution | null };

/**
 * What an owner answers by: the hash of the question as they saw it, whether they gave the answer before and it was held, and
 * whether rules answer in their place.
 */
export type Seen = { contentHash?: string; held?: boolean; simulated?: boolean };

/** Answer it, or be told that somebody did. @throws as `decide`, and 409 where it is resolved already */
export async function resolveApproval(actor: Actor, id: string, answer: Answer, seen: Seen = {}): Promise<void> {
  const { won } = await decide(actor, id, answer, seen);
  if (!won) throw alreadyResolved();
}

/**
 * Pending → resolved happens here, and for defaults in deadlines.ts: one conditional UPDATE, so the database picks the single
 * winner. The role recorded is the channel's, never the caller's word. What an owner answers is compared, in that UPDATE, with
 * what stands in the row and with the hash that was made when it was asked.
 * @returns whether this answer won, and the resolution that holds
 * @throws {AppError} 404 out of reach; 403 an app where only the owner may; 409 too late, or not what the owner saw; 400 an
 *   option that was not offered
 */
export async function decide(
  actor: Actor,
  id: string,
  answer: Answer,
  seen: Seen = {},
): Promise<{ won: boolean; resolution: Resolution }> {
  const { kind, optionId, otherText, note } = answer;
  const { contentHash, held = false, simulated = false } = seen;
  for (let look = 0; look < mostLooks; look++) {
    const { status, offered, late, other, closed, won, resolution } = await act<Asked>(actor, {
      announces: true,
      work: sql`moment AS (
        SELECT clock_timestamp()::timestamptz(3) AS at
      ), asked AS (
        SELECT a.id, a.status, a.resolution, c.app_id IS NOT NULL AND a.owner_only AS closed,
          NOT ${held}::boolean AND coalesce(a.deadline_passed_at, a.expires_at) <= m.at AS late,
          c.app_id IS NULL AND NOT approval_is_as_seen(a, ${contentHash ?? null}) AS other,
          ${optionId ?? null}::text IS NULL OR EXISTS (SELECT FROM json_array_elements(a.options) AS o WHERE o ->> 'id' = ${optionId ?? null}) AS offered
        FROM approval a JOIN caller c ON a.owner_id = c.owner_id AND (c.app_id IS NULL OR a.app_id = c.app_id), moment m WHERE a.id = ${isId("apr", id) ? id : ""}
      ), won AS (
        UPDATE approval a SET status = 'resolved', resolved_at = m.at, simulated = ${simulated}, untold = a.untold AND c.app_id IS NULL, resolution = json_strip_nulls(json_build_object(
          'kind', ${kind}::text, 'optionId', ${optionId ?? null}::text, 'otherText', ${otherText ?? null}::text, 'note', ${note ?? null}::text,
          'resolvedBy', CASE WHEN c.app_id IS NULL THEN 'owner' ELSE 'api' END, 'resolvedAt', (extract(epoch FROM m.at) * 1000)::bigint))
        FROM asked, caller c, moment m WHERE a.id = asked.id AND a.status = 'pending' AND asked.offered AND NOT asked.closed
          AND (${held}::boolean OR a.deadline_passed_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > m.at))
          AND (c.app_id IS NOT NULL OR approval_is_as_seen(a, ${contentHash ?? null}))
        RETURNING a.owner_id, a.app_id, a.id, a.resolution
      ), ${recorded("approval.resolved", sql`won`, sql`jsonb_build_object('by', resolution ->> 'resolvedBy', 'kind', ${kind}::text)`)}`,
      result: sql`(SELECT status FROM asked), (SELECT offered FROM asked), (SELECT late FROM asked), (SELECT other FROM asked),
        (SELECT closed FROM asked), EXISTS (SELECT FROM won) AS won,
        coalesce((SELECT resolution FROM won), (SELECT resolution FROM asked)) AS resolution`,
    });
    if (won) return { won, resolution };
    if (status === null) throw notFound();
    if (closed) throw ownerOnly();
    if (resolution) return { won, resolution };
    if (late) throw deadlinePassed();
    if (other) throw questionChanged();
    if (!offered) throw badRequest("Not one of this approval's options", "optionId");
    // Resolved, or added to, while this one waited for its turn: the next look says which.
  }
  throw alreadyResolved();
}

const mostLooks = 5;

/**
 * An approval as the wire has it. The database keeps the text of what was asked, which never changes, so that a list is bound
 * neither by JSON in Node nor by building it again in SQL. Who reads an answer was told it (`untold`), by that statement.
 */
const wire = sql`a.wire || coalesce(',"expiresAt":' || (extract(epoch FROM a.expires_at) * 1000)::bigint, '')
  || coalesce(',"defaultOptionId":' || to_json(a.default_option_id), '') || CASE WHEN a.owner_only THEN ',"ownerOnly":true' ELSE '' END
  || coalesce(',"risk":"' || a.risk || '"', '') || coalesce(a.talk, '') || ',"contentHash":"' || ${hashOf} || '"' || CASE WHEN a.resolution IS NULL
  THEN CASE WHEN ${isPassed} THEN ',"deadlinePassed":true' ELSE '' END || ',"status":"pending"}'
  ELSE ',"status":"resolved","resolution":' || a.resolution || CASE WHEN a.untold THEN approval_told(a.id) ELSE '' END || '}' END`;
const submitted = { from: sql`approval a`, item: wire };
const listed = {
  all: { where: sql`true` },
  resolved: { where: sql`a.status = 'resolved'` },
  pending: { where: isWaiting, or: isMissed },
};
