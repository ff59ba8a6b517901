import { sql } from "@/lib/database/sql";
import { notFound } from "@/lib/errors";
import type { Change } from "@/lib/events/change-transaction";
import { type NewEvent, record } from "@/lib/events/record-events";
import { newId } from "@/lib/ids";
import type { Scope } from "@/lib/scopes";

export type LiveGrant = { id: string; ownerId: string; expiresAt: Date | null };

/** A grant's ID, and its owner's. */
export type GrantRef = Pick<LiveGrant, "id" | "ownerId">;

/**
 * Returns the owner's only live grant to an app, created if needed and locked until the transaction
 * ends. A partial unique index lets one concurrent creator win. An expired grant is ended first and
 * never revived, so that tokens issued under it stay invalid.
 */
export async function getOrCreateGrant(tx: Change, ownerId: string, appId: string): Promise<LiveGrant> {
  await sql`
    UPDATE app_grant
    SET revoked_at = now()
    WHERE owner_id = ${ownerId}
      AND app_id = ${appId}
      AND revoked_at IS NULL
      AND expires_at <= now()`.run(tx);
  const grant = (await sql<{ id: string; expires_at: Date | null }>`
    INSERT INTO app_grant (id, owner_id, app_id)
    VALUES (${newId("grt")}, ${ownerId}, ${appId})
    ON CONFLICT (owner_id, app_id) WHERE revoked_at IS NULL
      DO UPDATE SET owner_id = excluded.owner_id
    RETURNING id, expires_at`.row(tx))!;
  return { id: grant.id, ownerId, expiresAt: grant.expires_at };
}

/**
 * Returns the ID of the owner's live grant to an app, and locks the grant.
 * @throws {AppError} 404
 */
export async function lockGrant(tx: Change, ownerId: string, appId: string): Promise<string> {
  const grant = await sql<{ id: string }>`
    SELECT id
    FROM live_grant
    WHERE owner_id = ${ownerId} AND app_id = ${appId}
    FOR UPDATE`.row(tx);
  if (!grant) throw notFound();
  return grant.id;
}

/**
 * Adds scopes to an open grant. Existing scopes keep their times. New rows use the clock's time,
 * because the transaction's start may precede another transaction's grant of the same scopes.
 * @returns the new scopes
 */
export async function addScopes(tx: Change, grant: GrantRef, scopes: readonly Scope[]): Promise<string[]> {
  const added = await sql<{ scope: string }>`
    INSERT INTO grant_scope (owner_id, grant_id, scope, granted_at)
    SELECT ${grant.ownerId}, ${grant.id}, unnest(${[...scopes]}::text[]), clock_timestamp()
    ON CONFLICT DO NOTHING
    RETURNING scope`.rows(tx);
  return added.map(({ scope }) => scope);
}

/** Sets the grant to end after the given number of days. `undefined` means never. */
export const setGrantExpiry = (tx: Change, grant: GrantRef, days: number | undefined) =>
  sql`
    UPDATE app_grant
    SET expires_at = now() + make_interval(days => ${days ?? null}::int)
    WHERE owner_id = ${grant.ownerId} AND id = ${grant.id}`.run(tx);

/** Removes scopes that a grant has held since before the given time. @returns the removed scopes */
export async function removeScopes(tx: Change, grant: GrantRef, scopes: Scope[], since: Date): Promise<string[]> {
  const removed = await sql<{ scope: string }>`
    DELETE FROM grant_scope
    WHERE owner_id = ${grant.ownerId}
      AND grant_id = ${grant.id}
      AND scope = ANY (${[...scopes]})
      AND granted_at <= ${since}
    RETURNING scope`.rows(tx);
  return removed.map(({ scope }) => scope);
}

/**
 * Records a grant change, with all of the grant's current scopes. The event notifies the app. Call
 * this function after the change, in the same transaction.
 */
export async function recordGrantChanged(
  tx: Change,
  { grantId, ...parties }: { ownerId: string; appId: string; grantId: string },
  data: NonNullable<NewEvent["data"]>,
): Promise<void> {
  const scopes = await sql<{ scope: string }>`
    SELECT scope
    FROM grant_scope
    WHERE owner_id = ${parties.ownerId} AND grant_id = ${grantId}
    ORDER BY scope`.rows(tx);
  const now = scopes.map(({ scope }) => scope);
  await record(tx, { ...parties, type: "grant.changed", subject: grantId, data: { ...data, now } });
}
