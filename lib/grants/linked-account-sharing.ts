import type { OwnerActor } from "@/lib/actor";
import type { ExpiryRule } from "@/lib/database/expired-row-sweeper";
import { type Sql, sql } from "@/lib/database/sql";
import { notFound } from "@/lib/errors";
import { type Change, change } from "@/lib/events/change-transaction";
import { lockGrant, recordGrantChanged } from "./create-and-change-grant";

/**
 * Returns an expiry rule that stops sharing these accounts with any app.
 * @param gone SQL: the accounts' IDs
 */
export const unshare = (gone: Sql): ExpiryRule => ({
  table: "grant_integration",
  when: sql`integration_id IN (${gone})`,
});

/**
 * SQL: whether an account is shared with any app, even with an app that is no longer connected.
 * @param id SQL: the account's ID
 */
export const isShared = (id: Sql): Sql => sql`EXISTS (
  SELECT FROM grant_integration s WHERE s.integration_id = ${id}
)`;

/**
 * SQL: the IDs of the linked accounts that a form shows. A form never shows removed accounts, so it
 * doesn't change whether they are shared.
 */
const shown = (ownerId: string) =>
  sql`SELECT a.id FROM linked_account a WHERE a.owner_id = ${ownerId} AND NOT a.removed`;

/**
 * Sets which of the linked accounts that a form shows are shared with a grant.
 * @param ids the selected IDs; unknown, foreign and removed accounts are ignored
 * @returns the IDs of the shown accounts that are now shared
 */
export async function shareSelected(tx: Change, { ownerId }: OwnerActor, grantId: string, ids: string[]) {
  const own = await sql<{ id: string }>`${shown(ownerId)} AND a.id = ANY (${ids})`.rows(tx);
  const wanted = own.map(({ id }) => id);
  await sql`
    DELETE FROM grant_integration
    WHERE owner_id = ${ownerId}
      AND grant_id = ${grantId}
      AND NOT integration_id = ANY (${wanted})
      AND integration_id IN (${shown(ownerId)})`.run(tx);
  const data = wanted.map((integrationId) => ({ ownerId, grantId, integrationId }));
  await tx.grantIntegration.createMany({ data, skipDuplicates: true });
  return wanted;
}

/**
 * Sets which linked accounts an app sees.
 * @throws {AppError} 404 if the app is not connected, or an account is not the owner's
 */
export async function shareIntegrations(owner: OwnerActor, clientId: string, integrationIds: string[]): Promise<void> {
  const wanted = [...new Set(integrationIds)];
  await changeSharing(owner, clientId, async (tx, grantId) => {
    const own = await sql`
      SELECT FROM linked_account
      WHERE owner_id = ${owner.ownerId} AND id = ANY (${wanted})`.rows(tx);
    if (own.length !== wanted.length) throw notFound();
    await shareSelected(tx, owner, grantId, wanted);
    return true;
  });
}

/**
 * Shares one linked account with an app, or stops sharing it.
 * @throws {AppError} 404 if the app is not connected, or the account is removed or not the owner's
 */
export async function shareWith(
  owner: OwnerActor,
  clientId: string,
  integrationId: string,
  see: boolean,
): Promise<void> {
  await changeSharing(owner, clientId, async (tx, grantId) => {
    const account = await sql`${shown(owner.ownerId)} AND a.id = ${integrationId}`.row(tx);
    if (!account) throw notFound();
    const one = { ownerId: owner.ownerId, grantId, integrationId };
    const { count } = see
      ? await tx.grantIntegration.createMany({ data: [one], skipDuplicates: true })
      : await tx.grantIntegration.deleteMany({ where: one });
    return count > 0;
  });
}

/**
 * Changes which linked accounts an app sees. Records the new accounts if `work` returns true. Locks
 * the grant, so that concurrent changes run one after another.
 */
async function changeSharing(
  { ownerId }: OwnerActor,
  clientId: string,
  work: (tx: Change, grantId: string) => Promise<boolean>,
): Promise<void> {
  await change({ ownerId }, async (tx) => {
    const grantId = await lockGrant(tx, ownerId, clientId);
    if (!(await work(tx, grantId))) return;
    const seen = await sql<{ id: string }>`
      SELECT integration_id AS id
      FROM grant_integration
      WHERE owner_id = ${ownerId}
        AND grant_id = ${grantId}
        AND integration_id IN (${shown(ownerId)})
      ORDER BY integration_id`.rows(tx);
    const data = { integrations: seen.map(({ id }) => id) };
    await recordGrantChanged(tx, { ownerId, appId: clientId, grantId }, data);
  });
}
