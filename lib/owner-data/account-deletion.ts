import type { OwnerActor } from "@/lib/actor";
import { deactivateAppsOf, deleteApps } from "@/lib/apps/account-deletion";
import { type OwnerTable, ownedBy } from "@/lib/database/owner-data-table";
import { inEveryShard } from "@/lib/database/shards/marks";
import { type Executor, identifier, literal, sql } from "@/lib/database/sql";
import { badRequest } from "@/lib/errors";
import { change } from "@/lib/events/change-transaction";
import { revokeGrantsTo, wasEverConnected } from "@/lib/grants/revoke-grants-to-apps";
import { deletePendingRequests } from "@/lib/oauth/account-deletion";
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
  await inEveryShard(() =>
    change(
      owner,
      async (tx) => {
        const { email } = await lockOwner(tx, ownerId);
        if (typed.email.trim().toLowerCase() !== email)
          throw badRequest("This email doesn’t match your account. Enter the email that you sign in with", "email");
        const apps = await deactivateAppsOf(tx, ownerId);
        await revokeGrantsTo(tx, apps, ownerId);
        await deletePendingRequests(tx, apps);
        for (const each of deletedTables) await deleteAll(tx, ownerId, each);
        await deleteApps(tx, apps, wasEverConnected(sql`app.id`));
        await deleteAccount(tx, ownerId);
      },
      { timeout: 120_000 },
    ),
  );
  for (const { table } of deliveryTables) await deleteAll(undefined, ownerId, { table });
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
