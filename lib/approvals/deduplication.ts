import { authenticate, runAuthorized } from "@/lib/access/authorization";
import type { AppActor } from "@/lib/actor";
import { canonicalJson } from "@/lib/client/canonical";
import { sql } from "@/lib/database/sql";
import { sha256 } from "@/lib/keys/crypto";
import { withAdvisoryLock } from "@/lib/requests/advisory-lock";
import { deleteStoredReply, storedReply, storeReply } from "@/lib/requests/idempotency";

/*
 * Kept among the idempotency keys: which question was asked in which words. Every way of reading an answer ends
 * `approval.untold` in the statement that reads it (`approval_told`, in `wire`, the events and `attemptRecorder` of webhooks); a
 * new one must do the same.
 */

/** Where these stand among the keys of idempotent operations. No operation has this id. */
const operation = "askOwner";
/** Whether an approval `a` still waits, or was answered so lately that a call which was cut off may be made again. */
const fresh = sql`coalesce(a.resolved_at, now()) > now() - interval '24 hours'`;

/**
 * What is remembered for longer than other keys: what waits for its owner, for as long as it does and a day longer, so that an
 * agent does not ask it twice.
 */
export const dedupRetention = sql`operation = ${operation}
  AND EXISTS (SELECT FROM approval a WHERE a.id = reply::json ->> 'id' AND ${fresh})`;

type Asked = { id: string; before: boolean };

/**
 * Ask, unless the app has asked the same before and was never told the answer: then it is that one. An agent whose call was
 * cut off knows no id, and asks again; the owner is not asked twice. Once any door has told the answer (`approval.untold`) the
 * same words are a new question, so that no yes is used twice. A deadline does not make another question of it until it has
 * passed.
 * @param submit which asks
 */
export async function submitDeduplicated(
  app: AppActor,
  { expiresAt: _, ...ask }: Record<string, unknown>,
  submit: () => Promise<{ id: string }>,
): Promise<Asked> {
  const { ownerId, appId } = await authenticate(app);
  const hash = sha256(canonicalJson(ask));
  const call = { ownerId, appId, operation, key: hash.toString("base64url") };
  return withAdvisoryLock(app, `askOwner ${ownerId} ${appId} ${call.key}`, async (client) => {
    const before = await sql<{ id: string }>`SELECT a.id FROM approval a
       WHERE a.id = ${storedReply(call)} ->> 'id' AND a.untold AND ${fresh} AND coalesce(a.expires_at > now(), true)`.row(
      client,
    );
    if (before) return { id: before.id, before: true };
    const { id } = await submit();
    await sql`WITH asked AS (UPDATE approval SET untold = true WHERE id = ${id})
       ${storeReply(call, hash, { status: 201, text: JSON.stringify({ id }) })}`.run(client);
    return { id, before: false };
  });
}

/** `first`: nobody had taken it. `again`: another call had. `unknown`: it was not asked by its words, or long ago. */
export type ClaimResult = "first" | "again" | "unknown";

/** Take the answer for one call, which is told to go on by it: of several that asked the same, one alone. */
export async function claimAnswer(app: AppActor, id: string): Promise<ClaimResult> {
  const { taking } = await runAuthorized<{ taking: ClaimResult }>(app, {
    work: sql`taken AS (${deleteStoredReply(operation, id)})`,
    result: sql`CASE WHEN EXISTS (SELECT FROM taken) THEN 'first' WHEN EXISTS (SELECT FROM approval a JOIN caller c
      ON a.owner_id = c.owner_id AND a.app_id = c.app_id WHERE a.id = ${id} AND a.untold IS NOT NULL AND ${fresh})
      THEN 'again' ELSE 'unknown' END AS taking`,
  });
  return taking;
}
