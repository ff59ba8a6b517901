import type { OwnerActor } from "@/lib/actor";
import type { ExpiryRule } from "@/lib/database/expired-row-sweeper";
import { literal, sql } from "@/lib/database/sql";
import { AppError, notFound } from "@/lib/errors";
import { change } from "@/lib/events/change-transaction";
import { isScope, type Scope } from "@/lib/scopes";
import { lockGrant, recordGrantChanged } from "./create-and-change-grant";

/** An owner with their current browser session. */
type Acting = OwnerActor & { readonly session: string };

/** Seconds during which a revoked scope can be restored. */
const undoSeconds = 10;

/** A scope that can still be restored, with the milliseconds left. */
export type RevokedScope = { scope: Scope; leftMs: number };

/**
 * Expiry rule for the rows that let an owner undo a revocation. These rows grant nothing, because
 * authorization reads only `grant_scope`.
 */
export const expiredRevocations: ExpiryRule = {
  table: "revoked_scope",
  when: sql`revoked_at < now() - interval '1 minute'`,
};

/**
 * Revokes one scope. The app's next call that needs the scope returns 403.
 * @throws {AppError} 404 when the scope is not granted
 */
export async function revokeScope({ ownerId, session }: Acting, clientId: string, scope: Scope): Promise<void> {
  await change({ ownerId }, async (tx) => {
    const taken = await sql<{ grant_id: string }>`
      WITH gone AS (
        DELETE FROM grant_scope s
        USING app_grant g
        WHERE g.owner_id = s.owner_id
          AND g.id = s.grant_id
          AND g.owner_id = ${ownerId}
          AND g.app_id = ${clientId}
          AND g.revoked_at IS NULL
          AND s.scope = ${scope}
        RETURNING s.*
      )
      INSERT INTO revoked_scope (
        owner_id, grant_id, scope, granted_at, last_used_at, session_id
      )
      SELECT owner_id, grant_id, scope, granted_at, last_used_at, ${session}
      FROM gone
      ON CONFLICT (grant_id, scope) DO UPDATE SET
        granted_at = excluded.granted_at, last_used_at = excluded.last_used_at,
        session_id = excluded.session_id, revoked_at = excluded.revoked_at
      RETURNING grant_id`.row(tx);
    if (!taken) throw notFound();
    await recordGrantChanged(tx, { ownerId, appId: clientId, grantId: taken.grant_id }, { removed: [scope] });
  });
}

/**
 * Restores a scope revoked a moment ago, with its original grant time, so that tokens issued before
 * the revocation have it again. This adds nothing that the owner had not granted ten seconds ago.
 * Only the session that revoked the scope can restore it, so a stolen older session can't undo the
 * owner's changes.
 * @throws {AppError} 404 when the app is not connected, 409 when it is too late, another session
 *   revoked the scope, or the scope was granted again in between
 */
export async function undoRevokeScope({ ownerId, session }: Acting, clientId: string, scope: Scope): Promise<void> {
  await change({ ownerId }, async (tx) => {
    const grantId = await lockGrant(tx, ownerId, clientId);
    const restored = await sql`
      WITH kept AS (
        DELETE FROM revoked_scope
        WHERE owner_id = ${ownerId}
          AND grant_id = ${grantId}
          AND scope = ${scope}
          AND session_id = ${session}
          AND ${isUndoable}
        RETURNING *
      )
      INSERT INTO grant_scope (owner_id, grant_id, scope, granted_at, last_used_at)
      SELECT owner_id, grant_id, scope, granted_at, last_used_at
      FROM kept
      ON CONFLICT DO NOTHING`.run(tx);
    if (restored === 0)
      throw new AppError(409, "It’s too late to undo this change. The app can ask for the permission again.");
    await recordGrantChanged(tx, { ownerId, appId: clientId, grantId }, { added: [scope], undone: true });
  });
}

/** Returns the scopes that this session revoked and can still restore. */
export async function restorableScopes({ ownerId, session }: Acting, clientId: string): Promise<RevokedScope[]> {
  const taken = await sql<{ scope: string; leftMs: number }>`
    SELECT t.scope,
      (
        extract(epoch FROM t.revoked_at - clock_timestamp()) * 1000
      )::float8 + ${literal(undoSeconds * 1000)} AS "leftMs"
    FROM revoked_scope t JOIN live_grant g ON g.owner_id = t.owner_id AND g.id = t.grant_id
    WHERE t.owner_id = ${ownerId}
      AND g.app_id = ${clientId}
      AND t.session_id = ${session}
      AND ${isUndoable}
      AND NOT EXISTS (
        SELECT FROM grant_scope s
        WHERE s.owner_id = t.owner_id AND s.grant_id = t.grant_id AND s.scope = t.scope
      )`.rows();
  return taken.flatMap(({ scope, leftMs }) => (isScope(scope) ? [{ scope, leftMs }] : []));
}

const isUndoable = sql`revoked_at > clock_timestamp() - make_interval(
  secs => ${literal(undoSeconds)}
)`;
