import { sql } from "@/lib/database/sql";
import type { Change } from "@/lib/events/change";
import { type NewEvent, record } from "@/lib/events/events";
import { newId } from "@/lib/keys/ids";
import type { Scope } from "@/lib/scopes";

export type LiveGrant = { id: string; expiresAt: Date | null };

/**
 * The owner's one live grant to the app, made if need be, and held until the transaction ends. The partial unique index
 * lets only one of several racers make it. One whose time is up is ended first and never revived, so that nothing issued
 * under it works again.
 */
export async function getOrCreateGrant(tx: Change, ownerId: string, appId: string): Promise<LiveGrant> {
  await sql`UPDATE app_grant SET revoked_at = now()
    WHERE owner_id = ${ownerId} AND app_id = ${appId} AND revoked_at IS NULL AND expires_at <= now()`.run(tx);
  const grant = (await sql<{ id: string; expires_at: Date | null }>`INSERT INTO app_grant (id, owner_id, app_id)
    VALUES (${newId("grt")}, ${ownerId}, ${appId})
    ON CONFLICT (owner_id, app_id) WHERE revoked_at IS NULL DO UPDATE SET owner_id = excluded.owner_id
    RETURNING id, expires_at`.row(tx))!;
  return { id: grant.id, expiresAt: grant.expires_at };
}

/**
 * Add scopes to an open grant, each with its time; those it has keep theirs. What is issued has the time of its own row too, not
 * of its transaction, which may have waited here for one that gave the same scopes later than it began.
 * @returns the ones that are new
 */
export async function addScopes(tx: Change, grantId: string, scopes: readonly Scope[]): Promise<string[]> {
  const added = await sql<{ scope: string }>`
    INSERT INTO grant_scope (grant_id, scope, granted_at) SELECT ${grantId}, unnest(${[...scopes]}::text[]), clock_timestamp()
    ON CONFLICT DO NOTHING RETURNING scope`.rows(tx);
  return added.map(({ scope }) => scope);
}

/** Have a grant end after so many days; undefined: not by itself. */
export const setGrantExpiry = (tx: Change, grantId: string, days: number | undefined) =>
  sql`UPDATE app_grant SET expires_at = now() + make_interval(days => ${days ?? null}::int)
    WHERE id = ${grantId}`.run(tx);

/** Take scopes from a grant that it has had since then or longer. @returns those that it had */
export async function removeScopes(tx: Change, grantId: string, scopes: Scope[], since: Date): Promise<string[]> {
  const removed = await sql<{ scope: string }>`DELETE FROM grant_scope
    WHERE grant_id = ${grantId} AND scope = ANY (${[...scopes]}) AND granted_at <= ${since}
      RETURNING scope`.rows(tx);
  return removed.map(({ scope }) => scope);
}

/**
 * Write down that a grant changed, with all its scopes as they are now: the app is told of it. After what
 * changed it, in the same change.
 */
export async function recordGrantChanged(
  tx: Change,
  { grantId, ...whose }: { ownerId: string; appId: string; grantId: string },
  data: NonNullable<NewEvent["data"]>,
): Promise<void> {
  const scopes = await sql<{ scope: string }>`SELECT scope FROM grant_scope
    WHERE grant_id = ${grantId} ORDER BY scope`.rows(tx);
  const now = scopes.map(({ scope }) => scope);
  await record(tx, { ...whose, type: "grant.changed", subject: grantId, data: { ...data, now } });
}
