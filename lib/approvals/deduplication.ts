import { authenticate, runAuthorized } from "@/lib/access/authorization";
import type { AppActor } from "@/lib/actor";
import { canonicalJson } from "@/lib/client/canonical-json";
import { sql } from "@/lib/database/sql";
import { sha256 } from "@/lib/keys/crypto";
import { withAdvisoryLock } from "@/lib/requests/advisory-lock";
import { deleteStoredReply, storedReply, storeReply } from "@/lib/requests/idempotency";
import { isMismatched } from "./approval-state-sql";

/*
 * An agent that lost its connection must not ask the same question twice. The question's text is
 * therefore stored among the idempotency keys. Every way to read an answer clears `approval.untold`
 * in the statement that reads it (`approval_told`, in `wire`, the events and webhooks'
 * `attemptRecorder`). A new way to read answers must do the same.
 */

/** The operation ID of these keys. No real operation has this ID. */
const operation = "askOwner";
/**
 * SQL: whether an approval `a` is pending, or was answered so recently that an interrupted call may
 * be repeated.
 */
const fresh = sql`coalesce(a.resolved_at, now()) > now() - interval '24 hours'`;

/**
 * SQL: keys that live longer than others. A pending approval's key lives until a day after its
 * answer, so that an agent does not ask twice.
 */
export const dedupRetention = sql`operation = ${operation}
  AND EXISTS (SELECT FROM approval a WHERE a.id = reply::json ->> 'id' AND ${fresh})`;

type DeduplicatedApproval = { id: string; before: boolean };

/**
 * Asks, unless the app already asked the same and has not received the answer. In that case it
 * returns the earlier approval. An agent whose call was interrupted does not know the ID and asks
 * again, but the owner sees one question. Once the answer was delivered anywhere
 * (`approval.untold`), the same words are a new question, so that no approval is used twice. A
 * different deadline makes a new question only after the old one has passed. A different number to
 * match does so only after the owner picked a wrong one.
 * @param submit creates the approval
 */
export async function submitDeduplicated(
  app: AppActor,
  { expiresAt: _, match: __, ...ask }: Record<string, unknown>,
  submit: () => Promise<{ id: string }>,
): Promise<DeduplicatedApproval> {
  const { ownerId, appId } = await authenticate(app);
  const hash = sha256(canonicalJson(ask));
  const call = { ownerId, appId, operation, key: hash.toString("base64url") };
  return withAdvisoryLock(app, `askOwner ${ownerId} ${appId} ${call.key}`, async (client) => {
    const before = await sql<{ id: string }>`
      SELECT a.id
      FROM approval a
      WHERE a.id = ${storedReply(call)} ->> 'id'
        AND a.untold
        AND ${fresh}
        AND coalesce(a.expires_at > now(), true)
        AND ${isMismatched} IS NOT TRUE`.row(client);
    if (before) return { id: before.id, before: true };
    const { id } = await submit();
    await sql`
      WITH asked AS (
        UPDATE approval SET untold = true WHERE id = ${id}
      ) ${storeReply(call, hash, { status: 201, text: JSON.stringify({ id }) })}`.run(client);
    return { id, before: false };
  });
}

/**
 * `first`: this call claims the answer. `again`: another call claimed it. `unknown`: the question
 * was not asked by its text, or too long ago.
 */
export type ClaimResult = "first" | "again" | "unknown";

/**
 * Claims the answer for one call, which may then proceed. Of several calls with the same question,
 * only one can claim it.
 */
export async function claimAnswer(app: AppActor, id: string): Promise<ClaimResult> {
  const { taking } = await runAuthorized<{ taking: ClaimResult }>(app, {
    work: sql`taken AS (${deleteStoredReply(operation, id)})`,
    result: sql`CASE
      WHEN EXISTS (SELECT FROM taken) THEN 'first'
      WHEN EXISTS (
        SELECT FROM approval a JOIN caller c ON a.owner_id = c.owner_id AND a.app_id = c.app_id
        WHERE a.id = ${id} AND a.untold IS NOT NULL AND ${fresh}
      ) THEN 'again'
      ELSE 'unknown'
    END AS taking`,
  });
  return taking;
}
