import type { Actor, AppActor } from "@/lib/actor";
import { env } from "@/lib/config/env";
import { empty, literal, sql } from "@/lib/database/sql";
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
import type { RawJson } from "@/lib/operation";
import { batchedStatement } from "@/lib/requests/batched-statement";
import { type PageParams, pageReader, recordReader } from "@/lib/requests/pagination";
import { contentHash } from "./content-hash";
import { recordPassedDeadlines } from "./deadlines";
import { contentHashOf, isExpired, isUnanswered, isWaiting } from "./predicates";
import type { Answer, Approval, NewApproval, Resolution } from "./schema";

/**
 * Asks the owner to decide. Durable when it returns.
 * @throws {AppError} 400 for a deadline that is too near or too far; 403 for a default from an app
 *   that may not answer its own questions; 429 at the app's limit of pending approvals
 */
export async function submitApproval(app: AppActor, ask: NewApproval): Promise<{ id: string }> {
  const id = newId("apr");
  const { maxPending } = env();
  const most = maxPending === 0 ? null : maxPending;
  // The database's hash function would need an eighth of the statement, so Node computes the hash.
  // It is computed again from the row before an owner's answer counts.
  const hash = contentHash(ask);
  const { made, timely, entitled } = await submit(app, { ...ask, ownerOnly: ask.ownerOnly ?? false, id, most, hash });
  if (!entitled) throw forbidden(answersItself, undefined, "defaultOptionId");
  if (!timely) throw badRequest("Must be 10 seconds to 366 days from now", "expiresAt");
  if (!made) throw tooMany(`Too many pending approvals (limit ${most})`, 60);
  return { id };
}

/**
 * Concurrent statements may each count before the others commit, so within this margin of the limit
 * one grant's submissions run one at a time. It exceeds what a few instances have in progress
 * together.
 */
const margin = literal(512);

type Made = { made: boolean; timely: boolean; entitled: boolean };

type Submission = NewApproval & { id: string; ownerOnly: boolean; most: number | null; hash: string };
const submit = batchedStatement<Submission, Made>({
  announces: true,
  fields: {
    id: "text",
    question: "text",
    options: "json",
    backgroundContext: "text",
    recommendation: "text",
    expiresAt: "bigint",
    defaultOptionId: "text",
    ownerOnly: "boolean",
    risk: "text",
    hash: "text",
    most: "int",
  },
  work: () => sql`terms AS (
      SELECT r.*, at, at IS NULL OR at BETWEEN clock_timestamp() + interval '10 seconds' AND clock_timestamp() + interval '366 days' AS timely,
        r."defaultOptionId" IS NULL OR ${answersItself} = ANY (r.scopes) AS entitled
      FROM asked r CROSS JOIN LATERAL (SELECT to_timestamp(r."expiresAt" / 1000.0)::timestamptz(3) AS at) AS wanted
    ), room AS MATERIALIZED (
      SELECT g.grant_id, CASE WHEN (SELECT count(*) FROM (SELECT FROM open_approval p WHERE p.owner_id = g.owner_id AND p.app_id = g.app_id
          LIMIT greatest(0, g.most - ${margin})) AS waiting) < g.most - ${margin} THEN ${margin}
        ELSE approval_room(g.grant_id, g.owner_id, g.app_id, g.most) END AS places
      FROM (SELECT DISTINCT grant_id, owner_id, app_id, most FROM terms WHERE most IS NOT NULL AND timely AND entitled ORDER BY grant_id) AS g
    ), made AS (
      INSERT INTO approval (id, owner_id, app_id, question, options, background_context, recommendation,
        expires_at, default_option_id, owner_only, risk, content_hash)
      SELECT id, owner_id, app_id, question, options, "backgroundContext", recommendation, at, "defaultOptionId", "ownerOnly", risk, hash
      FROM terms t WHERE timely AND entitled AND (most IS NULL OR (SELECT places FROM room WHERE room.grant_id = t.grant_id) >
        (SELECT count(*) FROM terms b WHERE b.n < t.n AND b.grant_id = t.grant_id AND b.timely AND b.entitled))
      RETURNING owner_id, app_id, id
    ), ${recorded("approval.submitted", sql`made`)}, done AS MATERIALIZED (
      SELECT t.n, made.id IS NOT NULL AS made, t.timely, t.entitled FROM terms t LEFT JOIN made ON made.id = t.id)`,
});

/** The scope that a default needs. */
const answersItself = "approvals:resolve";

/** Reads one approval of the app. A passed deadline shows on time. @throws {AppError} 404 */
export const getApproval = (app: AppActor, id: string): Promise<RawJson> =>
  withDeadlinesSettled(app, () => read(app, id));

/** Lists the app's approvals, newest first. @throws {AppError} 400 for an invalid cursor */
export function listApprovals(app: AppActor, filter: PageParams & { status?: Approval["status"] }): Promise<RawJson> {
  return withDeadlinesSettled(app, () => listed[filter.status ?? "all"](app, filter));
}

/**
 * Reads, but records a passed deadline first if necessary, so that no reader sees an approval as
 * pending that its default has decided.
 */
async function withDeadlinesSettled(app: AppActor, read: () => Promise<RawJson>): Promise<RawJson> {
  const approvalJson = await read();
  // Within a JSON string, quotation marks are escaped.
  if (!approvalJson.text.includes('"deadlinePassed":true') || !app.admitted) return approvalJson;
  const done = await recordPassedDeadlines(app.admitted);
  return done > 0 || approvalJson.text.includes('"defaultOptionId":') ? read() : approvalJson;
}

type Asked = { status: string | null; offered: boolean; late: boolean; other: boolean; closed: boolean } & Ended;
type Ended = { won: true; resolution: Resolution } | { won: false; resolution: Resolution | null };

/**
 * Conditions of an owner's answer: the hash of the question as they saw it, whether the answer was
 * held before, and whether simulation rules answer in their place.
 */
export type AnswerContext = { contentHash?: string; held?: boolean; simulated?: boolean };

/** Resolves the approval. @throws as `decide`, and 409 if it is already resolved */
export async function resolveApproval(
  actor: Actor,
  id: string,
  answer: Answer,
  seen: AnswerContext = {},
): Promise<void> {
  const { won } = await tryResolve(actor, id, answer, seen);
  if (!won) throw alreadyResolved();
}

/**
 * Moves pending to resolved, as deadlines.ts does for defaults: one conditional UPDATE, so the
 * database picks the single winner. The recorded role comes from the channel, never from the
 * caller. For an owner's answer, the UPDATE also compares the displayed hash with the row's content
 * and with the original hash.
 * @returns whether this answer won, and the valid resolution
 * @throws {AppError} 404 out of reach; 403 for an app if only the owner may answer; 409 after the
 * deadline, or if the question changed; 400 for an option that was not offered
 */
export async function tryResolve(
  actor: Actor,
  id: string,
  answer: Answer,
  seen: AnswerContext = {},
): Promise<{ won: boolean; resolution: Resolution }> {
  const { contentHash, held = false, simulated = false } = seen;
  const given = { ...answer, id: isId("apr", id) ? id : "", seen: contentHash, held, simulated };
  for (let look = 0; look < mostLooks; look++) {
    const { status, offered, late, other, closed, won, resolution } = await (look === 0 ? resolve : resolve.runAlone)(
      actor,
      given,
    );
    if (won) return { won, resolution };
    if (status === null) throw notFound();
    if (closed) throw ownerOnly();
    if (resolution) return { won, resolution };
    if (late) throw deadlinePassed();
    if (other) throw questionChanged();
    if (!offered) throw badRequest("Not one of this approval's options", "optionId");
    // The approval was resolved or added to while this statement waited for the lock. The next
    // attempt sees which.
  }
  throw alreadyResolved();
}

const mostLooks = 5;

type Given = Answer & { id: string; seen: string | undefined; held: boolean; simulated: boolean };
const resolve = batchedStatement<Given, Asked>({
  announces: true,
  once: ({ id }) => id,
  fields: {
    id: "text",
    kind: "text",
    optionId: "text",
    otherText: "text",
    note: "text",
    seen: "text",
    held: "boolean",
    simulated: "boolean",
  },
  work: (several) => sql`moment AS (
      SELECT clock_timestamp()::timestamptz(3) AS at
    ), found AS MATERIALIZED (
      SELECT r.*, a.status, a.resolution, r.app_id IS NOT NULL AND a.owner_only AS closed,
        NOT r.held AND coalesce(a.deadline_passed_at, a.expires_at) <= m.at AS late,
        r.app_id IS NULL AND NOT approval_is_as_seen(a, r.seen) AS other,
        r."optionId" IS NULL OR EXISTS (SELECT FROM json_array_elements(a.options) AS o WHERE o ->> 'id' = r."optionId") AS offered
      FROM asked r JOIN approval a ON a.id = r.id AND a.owner_id = r.owner_id AND (r.app_id IS NULL OR a.app_id = r.app_id), moment m
    )${several ? reserved : empty}, won AS (
      UPDATE approval a SET status = 'resolved', resolved_at = m.at, simulated = r.simulated, untold = a.untold AND r.app_id IS NULL, resolution = json_strip_nulls(json_build_object(
        'kind', r.kind, 'optionId', r."optionId", 'otherText', r."otherText", 'note', r.note,
        'resolvedBy', CASE WHEN r.app_id IS NULL THEN 'owner' ELSE 'api' END, 'resolvedAt', (extract(epoch FROM m.at) * 1000)::bigint))
      FROM ${several ? sql`reserved` : sql`found`} r, moment m WHERE a.id = r.id AND a.status = 'pending' AND r.offered AND NOT r.closed
        AND (r.held OR a.deadline_passed_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > m.at))
        AND (r.app_id IS NOT NULL OR approval_is_as_seen(a, r.seen))
      RETURNING a.owner_id, a.app_id, a.id, a.resolution, r.kind
    ), ${recorded("approval.resolved", sql`won`, sql`jsonb_build_object('by', resolution ->> 'resolvedBy', 'kind', kind)`)}, done AS MATERIALIZED (
      SELECT r.n, r.status, r.offered, r.late, r.other, r.closed, won.id IS NOT NULL AS won, coalesce(won.resolution, r.resolution) AS resolution
      FROM found r LEFT JOIN won ON won.id = r.id)`,
});

/**
 * Locks rows in one order and skips rows locked elsewhere; waiting for one would delay everyone in
 * the batch.
 */
const reserved = sql`, reserved AS MATERIALIZED (
    SELECT r.* FROM (SELECT * FROM found WHERE status = 'pending' ORDER BY id) AS r
      CROSS JOIN LATERAL (SELECT FROM approval a WHERE a.id = r.id AND a.status = 'pending' FOR NO KEY UPDATE SKIP LOCKED) AS locked)`;

/**
 * An approval as its API JSON. The database stores the question's text, which never changes, so
 * lists rebuild JSON neither in Node nor in SQL. A statement that reads an answer also records its
 * delivery (`untold`).
 */
const approvalJson = sql`a.wire || coalesce(',"expiresAt":' || (extract(epoch FROM a.expires_at) * 1000)::bigint, '')
  || coalesce(',"defaultOptionId":' || to_json(a.default_option_id), '') || CASE WHEN a.owner_only THEN ',"ownerOnly":true' ELSE '' END
  || coalesce(',"risk":"' || a.risk || '"', '') || coalesce(a.talk, '') || ',"contentHash":"' || ${contentHashOf} || '"' || CASE WHEN a.resolution IS NULL
  THEN CASE WHEN ${isExpired} THEN ',"deadlinePassed":true' ELSE '' END || ',"status":"pending"}'
  ELSE ',"status":"resolved","resolution":' || a.resolution || CASE WHEN a.untold THEN approval_told(a.id) ELSE '' END || '}' END`;
const submitted = { from: sql`approval a`, item: approvalJson };
const read = recordReader("apr", submitted);
const listed = {
  all: pageReader({ ...submitted, where: sql`true` }),
  resolved: pageReader({ ...submitted, where: sql`a.status = 'resolved'` }),
  pending: pageReader({ ...submitted, where: isWaiting, or: isUnanswered }),
};
