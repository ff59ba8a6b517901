import { authenticate, runAuthorized } from "@/lib/access/authorization";
import type { AppActor } from "@/lib/actor";
import { canonicalJson } from "@/lib/client/canonical-json";
import { sql } from "@/lib/database/sql";
import { sha256 } from "@/lib/keys/crypto";
import { withAdvisoryLock } from "@/lib/requests/advisory-lock";
import { deleteStoredReply, storedReply, storeReply } from "@/lib/requests/idempotency";
import { deadlineOf, isMismatched } from "./approval-state-sql";

/*
 * An agent that lost its connection and asks again must not create a second question. To prevent
 * that, a hash of each question is stored like an idempotency key. `approval.undelivered` is true until
 * the app has received the answer, so every statement that reads answers for an app must clear it
 * with `approval_mark_delivered`.
 */

/** The operation ID under which the hashes are stored. No actual operation has this ID. */
const operation = "askOwner";
/**
 * SQL: whether an approval `a` is pending, or was answered so recently that an agent may still
 * repeat an interrupted call.
 */
const fresh = sql`coalesce(a.resolved_at, now()) > now() - interval '24 hours'`;

/**
 * SQL: whether to keep a stored hash longer than idempotency keys are kept. A hash is kept until a
 * day after the approval's answer, so that an agent does not ask twice.
 */
export const dedupRetention = sql`operation = ${operation}
  AND EXISTS (SELECT FROM approval a WHERE a.id = reply::"json" ->> 'id' AND ${fresh})`;

type DeduplicatedApproval = { id: string; before: boolean };

/**
 * Asks the owner. If the app asked the same before and has not received the answer, returns the
 * earlier approval instead, even if the deadline or the number differs. Asks again if the earlier
 * deadline has passed, or the owner picked a wrong number.
 * @param submit creates the approval
 * @returns the approval's ID, and whether it was asked `before`
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
        AND a.undelivered
        AND ${fresh}
        AND coalesce(${deadlineOf(sql`a`)} > now(), true)
        AND ${isMismatched} IS NOT TRUE`.row(client);
    if (before) return { id: before.id, before: true };
    const { id } = await submit();
    await sql`
      WITH asked AS (
        UPDATE approval SET undelivered = true WHERE id = ${id}
      ) ${storeReply(call, hash, { status: 201, text: JSON.stringify({ id }) })}`.run(client);
    return { id, before: false };
  });
}

/**
 * The result of claiming an answer. `first`: this call claimed the answer. `again`: an earlier call
 * claimed it. `unknown`: the question was not created by `submitDeduplicated`, or was answered more
 * than a day ago.
 */
export type ClaimResult = "first" | "again" | "unknown";

/** Claims an answer, so that of several calls with the same question, only one proceeds. */
export async function claimAnswer(app: AppActor, id: string): Promise<ClaimResult> {
  const { taking } = await runAuthorized<{ taking: ClaimResult }>(app, {
    work: sql`taken AS (${deleteStoredReply(operation, id)})`,
    result: sql`CASE
      WHEN EXISTS (SELECT FROM taken) THEN 'first'
      WHEN EXISTS (
        SELECT FROM approval a JOIN caller c ON a.owner_id = c.owner_id AND a.app_id = c.app_id
        WHERE a.id = ${id} AND a.undelivered IS NOT NULL AND ${fresh}
      ) THEN 'again'
      ELSE 'unknown'
    END AS taking`,
  });
  return taking;
}
