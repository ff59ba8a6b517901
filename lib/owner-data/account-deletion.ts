import type { OwnerActor } from "@/lib/actor";
import { deactivateAppsOf, deleteApps } from "@/lib/apps/account-deletion";
import { type OwnerTable, ownedBy } from "@/lib/database/owner-data-table";
import { isTableOfService } from "@/lib/database/shards/each-shard";
import { inEveryShard, inReachableShards, inService } from "@/lib/database/shards/marks";
import { type Executor, identifier, literal, sql } from "@/lib/database/sql";
import { badRequest } from "@/lib/errors";
import { type Change, change, changeOnAllShards } from "@/lib/events/change-transaction";
import { everConnectedAmong, revokeGrantsTo } from "@/lib/grants/revoke-grants-to-apps";
import { log } from "@/lib/log";
import { deletePendingCodes, deletePendingRequests } from "@/lib/oauth/account-deletion";
import { keepOutRegistrations } from "@/lib/owners/account-locks";
import { deleteAccount, lockOwner } from "@/lib/owners/owners";
import type { Deletion } from "@/lib/owners/schema";
import { deletedTables, deliveryTables } from "./exported-and-deleted-tables";

/**
 * Permanently deletes an owner's account and data. Apps that the owner connected lose access
 * immediately, and apps that the owner registered are deleted for everyone, but other owners can
 * still see their names and questions. The activity log can't be deleted, and is kept under an ID
 * that no longer belongs to anyone.
 */
export async function deleteOwner(owner: OwnerActor, typed: Deletion): Promise<void> {
  const { ownerId } = owner;
  const deleteAccountData = async (tx: Change) => {
    await keepOutRegistrations(tx, ownerId);
    const { email } = await lockOwner(tx, ownerId);
    if (typed.email.trim().toLowerCase() !== email)
      throw badRequest("This email doesn’t match your account. Enter the email that you sign in with", "email");
    const apps = await deactivateAppsOf(tx, ownerId);
    await deletePendingRequests(tx, apps);
    for (const each of deletedTables) await deleteAll(tx, ownerId, each);
    await deleteAccount(tx, ownerId);
    return apps;
  };
  const apps = await changeOnAllShards(owner, deleteAccountData, endAccess, { timeout: 120_000 });
  await deleteUnconnected(apps);
  for (const { table } of deliveryTables) await deleteAll(undefined, ownerId, { table });
}

/** Ends the access of deactivated apps on one shard. */
async function endAccess(tx: Change, apps: string[]): Promise<void> {
  if (apps.length === 0) return;
  await revokeGrantsTo(tx, apps);
  await deletePendingCodes(tx, apps);
}

/** Deletes deactivated apps that no one has ever connected. After a failure, the sweeper does. */
async function deleteUnconnected(apps: string[]): Promise<void> {
  if (apps.length === 0) return;
  try {
    await deleteApps(apps, (await inEveryShard(() => everConnectedAmong(apps))).flat());
  } catch (error) {
    log.warn("could not delete the apps of a deleted account; the service will retry", { reason: String(error) });
  }
}

/**
 * Finishes the deletion of an account that is on another shard than the directory, if the service
 * stopped after the shard's part.
 */
export async function finishDeletion(ownerId: string): Promise<void> {
  const apps = await inService(() =>
    change(null, async (tx) => {
      const apps = await deactivateAppsOf(tx, ownerId);
      await deletePendingRequests(tx, apps);
      for (const each of deletedTables) if (isTableOfService(each.table)) await deleteAll(tx, ownerId, each);
      return apps;
    }),
  );
  await inReachableShards(() => change(null, (tx) => endAccess(tx, apps)));
}

/** The maximum number of rows per statement, because statements have a time limit. */
const batch = 10_000;

async function deleteAll(
  on: Executor | undefined,
  ownerId: string,
  { table, condition = ownedBy }: Pick<OwnerTable, "table" | "condition">,
) {
  const name = identifier(table);
  const some = sql`SELECT ctid FROM ${name} t WHERE ${condition(ownerId)} LIMIT ${literal(batch)}`;
  while ((await sql`DELETE FROM ${name} WHERE ctid = ANY (ARRAY(${some}))`.run(on)) === batch);
}
