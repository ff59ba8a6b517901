import type { Actor, AppActor } from "@/lib/actor";
import { env } from "@/lib/env";
import { alreadyResolved, badRequest, notFound, tooMany } from "@/lib/errors";
import { act, identify } from "@/lib/grants/admission";
import { alone } from "@/lib/grants/alone";
import { type Page, page } from "@/lib/grants/page";
import { isId, newId } from "@/lib/ids";
import { Wire } from "@/lib/operation";
import type { Answer, Approval, NewApproval } from "./schema";

/**
 * Ask the owner to decide. Durable when it returns.
 * @throws {AppError} 429 while the app already has as many waiting as it may
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

/** @param below how many of the app's approvals may wait for one more to be made; null for any number. @returns whether it was */
async function insert(app: AppActor, id: string, ask: NewApproval, below: number | null): Promise<boolean> {
  const { made } = await act<{ made: boolean }>(app, {
    name: "submit-approval",
    tells: true,
    work: `made AS (
      INSERT INTO approval (id, owner_id, app_id, question, options, background_context, recommendation)
      SELECT $3, c.owner_id, c.app_id, $4, $5::json, $6, $7 FROM caller c
      WHERE $8::int IS NULL OR $8 > (SELECT count(*) FROM (
        SELECT FROM approval p WHERE p.owner_id = c.owner_id AND p.app_id = c.app_id AND p.status = 'pending' LIMIT $8) AS waiting)
      RETURNING owner_id, app_id, id
    ), told AS (
      INSERT INTO event (owner_id, app_id, type, subject) SELECT owner_id, app_id, 'approval.submitted', id FROM made
    )`,
    result: "EXISTS (SELECT FROM made) AS made",
    values: [
      id,
      ask.question,
      JSON.stringify(ask.options),
      ask.backgroundContext ?? null,
      ask.recommendation ?? null,
      below,
    ],
  });
  return made;
}

/** One approval that the app submitted. @throws {AppError} 404 */
export async function getApproval(app: AppActor, id: string): Promise<Wire> {
  const { found } = await act<{ found: string | null }>(app, {
    name: "get-approval",
    result: `(SELECT ${wire} FROM approval a JOIN caller c ON a.owner_id = c.owner_id AND a.app_id = c.app_id WHERE a.id = $3) AS found`,
    values: [isId("apr", id) ? id : ""],
  });
  if (found === null) throw notFound();
  return new Wire(found);
}

/** What the app has submitted, newest first. @throws {AppError} 400 for a cursor that is not one of ours */
export async function listApprovals(app: AppActor, filter: Page & { status?: Approval["status"] }): Promise<Wire> {
  const { status } = filter;
  return page(app, filter, {
    name: `list-approvals-${status ?? "all"}`,
    from: "approval a",
    where: status ? `a.status = '${status}'` : "true",
    item: wire,
  });
}

/**
 * Pending → resolved happens here and nowhere else: one conditional UPDATE, so the database picks the single winner. The
 * role recorded is the channel's, never the caller's word.
 * @throws {AppError} 404 out of reach, 409 already resolved, 400 an option that was not offered
 */
export async function resolveApproval(actor: Actor, id: string, answer: Answer): Promise<void> {
  const { status, offered, won } = await act<{ status: string | null; offered: boolean | null; won: boolean }>(actor, {
    name: "resolve-approval",
    tells: true,
    work: `asked AS (
      SELECT a.id, a.status, $5::text IS NULL OR EXISTS (SELECT FROM json_array_elements(a.options) AS o WHERE o ->> 'id' = $5) AS offered
      FROM approval a JOIN caller c ON a.owner_id = c.owner_id AND (c.app_id IS NULL OR a.app_id = c.app_id) WHERE a.id = $3
    ), moment AS (
      SELECT clock_timestamp()::timestamptz(3) AS at
    ), won AS (
      UPDATE approval a SET status = 'resolved', resolved_at = m.at, resolution = json_strip_nulls(json_build_object(
        'kind', $4::text, 'optionId', $5::text, 'otherText', $6::text, 'note', $7::text,
        'resolvedBy', CASE WHEN c.app_id IS NULL THEN 'owner' ELSE 'api' END, 'resolvedAt', (extract(epoch FROM m.at) * 1000)::bigint))
      FROM asked, caller c, moment m WHERE a.id = asked.id AND a.status = 'pending' AND asked.offered
      RETURNING a.owner_id, a.app_id, a.id, a.resolution
    ), told AS (
      INSERT INTO event (owner_id, app_id, type, subject, data)
      SELECT owner_id, app_id, 'approval.resolved', id, jsonb_build_object('by', resolution ->> 'resolvedBy', 'kind', $4::text) FROM won
    )`,
    result: "(SELECT status FROM asked), (SELECT offered FROM asked), EXISTS (SELECT FROM won) AS won",
    values: [
      isId("apr", id) ? id : "",
      answer.kind,
      answer.optionId ?? null,
      answer.otherText ?? null,
      answer.note ?? null,
    ],
  });
  if (won) return;
  if (status === null) throw notFound();
  if (status === "pending" && !offered) throw badRequest("Not one of this approval's options", "optionId");
  throw alreadyResolved();
}

/**
 * An approval as the wire has it. The database keeps the text of what was asked, which never changes, so that a list is bound
 * neither by JSON in Node nor by building it again in SQL.
 */
const wire = `a.wire || coalesce(a.talk, '') || CASE WHEN a.resolution IS NULL THEN ',"status":"pending"}'
  ELSE ',"status":"resolved","resolution":' || a.resolution || '}' END`;
