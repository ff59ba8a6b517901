import type { OwnerActor } from "@/lib/actor";
import { notFound } from "@/lib/errors";
import { type Change, change } from "@/lib/events/change";
import { type Sql, sql } from "@/lib/sql";
import type { Spent } from "@/lib/sweep";
import { recordGrantChanged } from "./open";

/** Accounts that apps are told of no longer. @param gone their ids, as SQL */
export const noLongerShared = (gone: Sql): Spent => ({
  table: "grant_integration",
  when: sql`integration_id IN (${gone})`,
});

/** Whether one is in the list of any app, also of one that is not let in any more. @param id as SQL */
export const isShared = (id: Sql): Sql => sql`EXISTS (SELECT FROM grant_integration s WHERE s.integration_id = ${id})`;

/** What a form about linked accounts shows: a removed one stands on none, and what apps see of it stays as it was. */
const shown = (ownerId: string) => ({ ownerId, status: { not: "disconnected" } });

/**
 * Share the owner's linked accounts as they were ticked, in the transaction of that decision.
 * @param ticked ids; what is no account of theirs, or removed, is passed over
 * @returns the ids of those that were shown and are shared now
 */
export async function shareTicked(tx: Change, { ownerId }: OwnerActor, grantId: string, ticked: string[]) {
  const own = await tx.integration.findMany({
    where: { ...shown(ownerId), id: { in: ticked } },
    select: { id: true },
  });
  const wanted = own.map(({ id }) => id);
  await tx.grantIntegration.deleteMany({
    where: { grantId, integrationId: { notIn: wanted }, integration: shown(ownerId) },
  });
  const data = wanted.map((integrationId) => ({ grantId, integrationId }));
  await tx.grantIntegration.createMany({ data, skipDuplicates: true });
  return wanted;
}

/**
 * Let the app see these linked accounts and no others.
 * @throws {AppError} 404 when the app is not let in, or an account is not the owner's
 */
export async function shareIntegrations(owner: OwnerActor, clientId: string, integrationIds: string[]): Promise<void> {
  const wanted = [...new Set(integrationIds)];
  await changeSharing(owner, clientId, async (tx, grantId) => {
    const own = await tx.integration.count({ where: { ownerId: owner.ownerId, id: { in: wanted } } });
    if (own !== wanted.length) throw notFound();
    await shareTicked(tx, owner, grantId, wanted);
    return true;
  });
}

/**
 * Let the app see one linked account, or no longer.
 * @throws {AppError} 404 when the app is not let in, or the account is not the owner's or removed
 */
export async function letSee(owner: OwnerActor, clientId: string, integrationId: string, see: boolean): Promise<void> {
  await changeSharing(owner, clientId, async (tx, grantId) => {
    const account = await tx.integration.findFirst({
      where: { ...shown(owner.ownerId), id: integrationId },
      select: { id: true },
    });
    if (!account) throw notFound();
    const one = { grantId, integrationId };
    const { count } = see
      ? await tx.grantIntegration.createMany({ data: [one], skipDuplicates: true })
      : await tx.grantIntegration.deleteMany({ where: one });
    return count > 0;
  });
}

/** Change what the app sees, and write down what that is then, unless nothing changed. Changes to one grant queue for each other. */
async function changeSharing(
  { ownerId }: OwnerActor,
  clientId: string,
  work: (tx: Change, grantId: string) => Promise<boolean>,
): Promise<void> {
  await change({ ownerId }, async (tx) => {
    const grant = await sql<{ id: string }>`SELECT id FROM live_grant
      WHERE owner_id = ${ownerId} AND app_id = ${clientId} FOR UPDATE`.row(tx);
    if (!grant) throw notFound();
    if (!(await work(tx, grant.id))) return;
    const seen = await tx.grantIntegration.findMany({
      where: { grantId: grant.id, integration: shown(ownerId) },
      select: { integrationId: true },
      orderBy: { integrationId: "asc" },
    });
    const data = { integrations: seen.map(({ integrationId }) => integrationId) };
    await recordGrantChanged(tx, { ownerId, appId: clientId, grantId: grant.id }, data);
  });
}
