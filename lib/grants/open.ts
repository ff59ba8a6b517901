import type { Transaction } from "@/lib/db";
import { newId } from "@/lib/keys/ids";
import type { Scope } from "@/lib/scopes";
import { row, rows, run, sql } from "@/lib/sql";

export type OpenGrant = { id: string; expiresAt: Date | null };

/**
 * The owner's one live grant to the app, made if need be, and held until the transaction ends. The partial unique index
 * lets only one of several racers make it. One whose time is up is ended first and never revived, so that nothing issued
 * under it works again.
 */
export async function openGrant(tx: Transaction, ownerId: string, appId: string): Promise<OpenGrant> {
  await run(
    sql`
    UPDATE app_grant SET revoked_at = now()
    WHERE owner_id = ${ownerId} AND app_id = ${appId} AND revoked_at IS NULL AND expires_at <= now()`,
    tx,
  );
  const grant = (await row<{ id: string; expires_at: Date | null }>(
    sql`
    INSERT INTO app_grant (id, owner_id, app_id) VALUES (${newId("grt")}, ${ownerId}, ${appId})
    ON CONFLICT (owner_id, app_id) WHERE revoked_at IS NULL DO UPDATE SET owner_id = excluded.owner_id
    RETURNING id, expires_at`,
    tx,
  ))!;
  return { id: grant.id, expiresAt: grant.expires_at };
}

/** Add scopes to a grant, each with its time; those it has keep theirs. @returns the ones that are new */
export async function addScopes(tx: Transaction, grantId: string, scopes: readonly Scope[]): Promise<string[]> {
  const added = await rows<{ scope: string }>(
    sql`
    INSERT INTO grant_scope (grant_id, scope) SELECT ${grantId}, unnest(${[...scopes]}::text[])
    ON CONFLICT DO NOTHING RETURNING scope`,
    tx,
  );
  return added.map(({ scope }) => scope);
}
