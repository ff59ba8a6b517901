import type { Change } from "@/lib/events/change";
import { newId } from "@/lib/keys/ids";
import type { Scope } from "@/lib/scopes";
import { row, rows, run, sql } from "@/lib/sql";

export type OpenGrant = { id: string; expiresAt: Date | null };

/**
 * The owner's one live grant to the app, made if need be, and held until the transaction ends. The partial unique index
 * lets only one of several racers make it. One whose time is up is ended first and never revived, so that nothing issued
 * under it works again.
 */
export async function openGrant(tx: Change, ownerId: string, appId: string): Promise<OpenGrant> {
  await run(
    sql`UPDATE app_grant SET revoked_at = now()
    WHERE owner_id = ${ownerId} AND app_id = ${appId} AND revoked_at IS NULL AND expires_at <= now()`,
    tx,
  );
  const grant = (await row<{ id: string; expires_at: Date | null }>(
    sql`INSERT INTO app_grant (id, owner_id, app_id) VALUES (${newId("grt")}, ${ownerId}, ${appId})
    ON CONFLICT (owner_id, app_id) WHERE revoked_at IS NULL DO UPDATE SET owner_id = excluded.owner_id
    RETURNING id, expires_at`,
    tx,
  ))!;
  return { id: grant.id, expiresAt: grant.expires_at };
}

/** Add scopes to a grant, each with its time; those it has keep theirs. @returns the ones that are new */
export async function addScopes(tx: Change, grantId: string, scopes: readonly Scope[]): Promise<string[]> {
  const added = await rows<{ scope: string }>(
    sql`INSERT INTO grant_scope (grant_id, scope) SELECT ${grantId}, unnest(${[...scopes]}::text[])
    ON CONFLICT DO NOTHING RETURNING scope`,
    tx,
  );
  return added.map(({ scope }) => scope);
}

/** Have a grant end after so many days; undefined: not by itself. */
export const limitGrant = (tx: Change, grantId: string, days: number | undefined) =>
  run(
    sql`UPDATE app_grant SET expires_at = now() + make_interval(days => ${days ?? null}::int) WHERE id = ${grantId}`,
    tx,
  );

/** Take scopes from a grant that it has had since then or longer. @returns those that it had */
export async function removeScopes(
  tx: Change,
  grantId: string,
  scopes: readonly Scope[],
  since: Date,
): Promise<string[]> {
  const removed = await rows<{ scope: string }>(
    sql`DELETE FROM grant_scope WHERE grant_id = ${grantId} AND scope = ANY (${[...scopes]}) AND granted_at <= ${since}
      RETURNING scope`,
    tx,
  );
  return removed.map(({ scope }) => scope);
}
