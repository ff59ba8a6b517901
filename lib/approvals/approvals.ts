import type { Actor, AppActor } from "@/lib/actor";
import type { RawJson } from "@/lib/api-operation";
import { env } from "@/lib/config/env";
import { sql } from "@/lib/database/sql";
import {
  alreadyResolved,
  badRequest,
  deadlinePassed,
  forbidden,
  notFound,
  numberMismatched,
  numberNotPicked,
  ownerOnly,
  questionChanged,
  tooMany,
} from "@/lib/errors";
import { frozenQuestion } from "@/lib/frozen-errors";
import { isId, newId } from "@/lib/ids";
import { type PageParams, pageReader, recordReader } from "@/lib/requests/pagination";
import { contentHashOf, isExpired, isUnanswered, isWaiting } from "./approval-state-sql";
import { contentHash } from "./content-hash";
import { recordPassedDeadlines } from "./deadlines";
import { checkedValues } from "./fields/checked-values";
import { hasNone } from "./fields/schema";
import { storeFields } from "./fields/stored-fields";
import type { Approval, NewApproval, Resolution, SignedAnswer } from "./schema";
import { requiresSignature } from "./sign/schema";
import { unsignedAnswer } from "./sign/signing-errors";
import { requireSigningOwner, signedAt, signedByOwnerJson, storeSigning } from "./sign/signing-sql";
import { offerNumbers } from "./statements/number-match";
import { resolve } from "./statements/resolve-approvals";
import { answersItself, submit } from "./statements/submit-approvals";

/**
 * Asks the owner to decide. The approval is durable when the call returns.
 * @throws {AppError} 400 for a deadline that is too near or too far; 403 for a default from an app
 *   that may not answer its own questions; 422 if the app requires a signature and the owner has no
 *   passkey; 429 at the app's limit of pending approvals
 */
export async function submitApproval(app: AppActor, given: NewApproval): Promise<{ id: string }> {
  const mustSign = requiresSignature(given.signedByOwner);
  const ask = mustSign || given.fields ? withImpliedTerms(given, mustSign) : given;
  if (mustSign) await requireSigningOwner(app, ask.signedByOwner);
  const id = newId("apr");
  const { maxPending } = env();
  const pendingLimit = maxPending === 0 ? null : maxPending;
  // Node computes the hash, because the database function would take an eighth of the statement's
  // time. The database computes it again from the row before an owner's answer counts.
  const hash = contentHash(ask);
  const { verdict } = await submit(app, {
    ...ask,
    facts: ask.facts?.length ? ask.facts : undefined,
    ownerOnly: ask.ownerOnly ?? false,
    once: ask.once ?? false,
    fields: ask.fields && storeFields(ask.fields),
    match: ask.match === undefined ? undefined : offerNumbers(ask.match),
    signedByOwner: storeSigning(ask.signedByOwner),
    id,
    pendingLimit,
    hash,
  });
  switch (verdict) {
    case "ok":
      return { id };
    case "not_entitled":
      throw forbidden(answersItself, undefined, "defaultOptionId");
    case "untimely":
      throw badRequest("Must be 10 seconds to 366 days from now", "expiresAt");
    case "full":
      throw tooMany(`Too many pending approvals (limit ${pendingLimit}). Wait for answers before you ask again.`, 60);
  }
}

/** Adds `ownerOnly` to a question that must be signed, and drops empty fields. */
const withImpliedTerms = ({ fields, ...ask }: NewApproval, mustSign: boolean): NewApproval => ({
  ...ask,
  ...(fields && !hasNone(fields) && { fields }),
  ...(mustSign && { ownerOnly: true }),
});

/**
 * Reads one approval of the app. If its deadline has passed, records the passed deadline first.
 * @throws {AppError} 404
 */
export const getApproval = (app: AppActor, id: string): Promise<RawJson> =>
  withDeadlinesSettled(app, () => read(app, id));

/** Lists the app's approvals, newest first. @throws {AppError} 400 for an invalid cursor */
export function listApprovals(app: AppActor, filter: PageParams & { status?: Approval["status"] }): Promise<RawJson> {
  return withDeadlinesSettled(app, () => listed[filter.status ?? "all"](app, filter));
}

/**
 * Reads approvals. If a deadline has passed, records it and reads again, so that no app sees an
 * approval as pending after its default applies.
 */
async function withDeadlinesSettled(app: AppActor, read: () => Promise<RawJson>): Promise<RawJson> {
  const approvalJson = await read();
  // The search finds only the field itself, because quotation marks in JSON strings are escaped.
  if (!approvalJson.text.includes('"deadlinePassed":true') || !app.admitted) return approvalJson;
  const done = await recordPassedDeadlines(app.admitted);
  return done > 0 || approvalJson.text.includes('"defaultOptionId":') ? read() : approvalJson;
}

/**
 * The context of an owner's answer. `contentHash`: the hash of the question as the owner saw it.
 * `held`: whether the answer was held before. `simulated`: whether simulation rules gave the
 * answer.
 */
export type AnswerContext = { contentHash?: string; held?: boolean; simulated?: boolean };

/**
 * Resolves the approval.
 * @throws as `tryResolve`, and 409 if it is already resolved
 */
export async function resolveApproval(
  actor: Actor,
  id: string,
  answer: SignedAnswer,
  seen: AnswerContext = {},
): Promise<void> {
  const { won } = await tryResolve(actor, id, answer, seen);
  if (!won) throw alreadyResolved();
}

/**
 * Moves an approval from pending to resolved. Like the defaults in deadlines.ts, this is one
 * conditional UPDATE, so the database picks the single winner. The recorded role comes from the
 * authenticated actor. For an owner's answer, the UPDATE also compares the displayed hash with the
 * row's content and with the stored hash.
 * @returns whether this answer won, and the valid resolution
 * @throws {AppError} 404 for an approval that isn't the actor's; 403 for an app if only the owner
 *   may answer; 409 after the deadline, if the question changed, without the right number or a
 *   required signature, or if it is frozen; 400 for an option that was not offered
 */
export async function tryResolve(
  actor: Actor,
  id: string,
  answer: SignedAnswer,
  seen: AnswerContext = {},
): Promise<{ won: boolean; resolution: Resolution }> {
  const { contentHash, held = false, simulated = false } = seen;
  // An answer without values skips the asynchronous check, because most answers have none.
  const values = answer.values && (await checkedValues(actor, id, answer));
  const at = signedAt(answer.signature);
  const given = { ...answer, values, signedAt: at, id: isId("apr", id) ? id : "", seen: contentHash, held, simulated };
  for (let look = 0; look < maxAttempts; look++) {
    const resolved = await (look === 0 ? resolve : resolve.runAlone)(actor, given);
    switch (resolved.verdict) {
      case "ok":
        return { won: true, resolution: resolved.resolution };
      case "resolved":
        return { won: false, resolution: resolved.resolution };
      case "overtaken":
        break;
      default:
        throw refusals[resolved.verdict]();
    }
  }
  throw alreadyResolved();
}

const maxAttempts = 5;

/** The error for each verdict that rejects an answer. */
export const refusals = {
  missing: notFound,
  owner_only: ownerOnly,
  expired: deadlinePassed,
  changed: questionChanged,
  values: () => badRequest("Send values if the option takes fields, and only then", "values"),
  invalid_option: () => badRequest("Must be the ID of one of this approval's options", "optionId"),
  unpicked: numberNotPicked,
  mismatched: numberMismatched,
  frozen: frozenQuestion,
  unsigned: unsignedAnswer,
};

/**
 * SQL: an approval's JSON for the API. The question never changes, so the row stores its part of
 * the JSON (`question_json`). A statement that reads an answer also records the answer's delivery
 * (`undelivered`).
 */
const approvalJson = sql`a.question_json
  || coalesce(',"expiresAt":' || (extract(epoch FROM a.expires_at) * 1000)::bigint, '')
  || coalesce(',"dueAt":' || (extract(epoch FROM a.due_at) * 1000)::bigint, '')
  || coalesce(',"defaultOptionId":' || to_json(a.default_option_id), '')
  || coalesce(',"facts":' || a.facts, '')
  || CASE
    WHEN a.signed_by_owner IS NOT NULL
      THEN CASE WHEN a.owner_only THEN ',"ownerOnly":true' ELSE '' END
        || ',"signedByOwner":' || ${signedByOwnerJson(sql`a`)}
    WHEN a.owner_only THEN ',"ownerOnly":true'
    ELSE ''
  END
  || coalesce(',"fields":' || (a.fields -> 'schema'), '')
  || CASE WHEN a.once THEN ',"once":true' ELSE '' END
  || coalesce(',"risk":"' || a.risk || '"', '') || coalesce(a.thread_json, '') || ',"contentHash":"'
  || ${contentHashOf} || '"'
  || CASE
    WHEN a.resolution IS NULL
      THEN CASE WHEN ${isExpired} THEN ',"deadlinePassed":true' ELSE '' END
        || ',"status":"pending"}'
    ELSE ',"status":"resolved","resolution":' || a.resolution
      || CASE WHEN a.undelivered THEN approval_mark_delivered(a.id) ELSE '' END || '}'
  END`;
const submitted = { from: sql`approval a`, item: approvalJson };
const read = recordReader("apr", submitted);
const listed = {
  all: pageReader({ ...submitted, where: sql`true` }),
  resolved: pageReader({ ...submitted, where: sql`a.status = 'resolved'` }),
  pending: pageReader({ ...submitted, where: isWaiting, or: isUnanswered }),
};
