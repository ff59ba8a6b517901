import type { OwnerActor } from "@/lib/actor";
import { deactivateAppsOf, deleteApps } from "@/lib/apps/account-deletion";
import { pool } from "@/lib/database/db";
import { type OwnerTable, ownedBy } from "@/lib/database/owner-table";
import { type Executor, identifier, literal, sql } from "@/lib/database/sql";
import { badRequest } from "@/lib/errors";
import { change } from "@/lib/events/change";
import { revokeGrantsTo, wasEverConnected } from "@/lib/grants/account-deletion";
import { deletePendingRequests } from "@/lib/oauth/account-deletion";
import { deleteAccount, lockOwner } from "@/lib/owners/owners";
import type { Deletion } from "@/lib/owners/schema";
import { deletedTables, deliveryTables } from "./tables";

/**
 * Delete an owner's account and everything that is theirs, for good. Apps that they let in are refused from their next
 * call. Apps that they registered are deleted for everybody; of those that other owners had let in, the name stays, so that
 * these can still read who asked them. The activity log is append-only and stays under an id that is nobody's.
 * @param typed the account's e-mail, typed by whoever wants this
 * @throws {AppError} 400 when it is another one; 404 when the account is gone already
 */
export async function deleteOwner(owner: OwnerActor, typed: Deletion): Promise<void> {
  const { ownerId } = owner;
  await change(
    owner,
    async (tx) => {
      const { email } = await lockOwner(tx, ownerId);
      if (typed.email.trim().toLowerCase() !== email) throw badRequest("That is not your e-mail", "email");
      const apps = await deactivateAppsOf(tx, ownerId);
      await revokeGrantsTo(tx, apps, ownerId);
      await deletePendingRequests(tx, apps);
      for (const each of deletedTables) await deleteAll(tx, ownerId, each);
      await deleteApps(tx, apps, wasEverConnected(sql`app.id`));
      await deleteAccount(tx, ownerId);
    },
    { timeout: 120_000 },
  );
  for (const { table } of deliveryTables) await deleteAll(pool(), ownerId, { table });
}

/** Statements have three seconds: so many rows go at a time. */
const batch = 10_000;

async function deleteAll(
  on: Executor,
  ownerId: string,
  { table, whose = ownedBy }: Pick<OwnerTable, "table" | "whose">,
) {
  const name = identifier(table);
  const some = sql`SELECT ctid FROM ${name} t WHERE ${whose(ownerId)} LIMIT ${literal(batch)}`;
  while ((await sql`DELETE FROM ${name} WHERE ctid = ANY (ARRAY(${some}))`.run(on)) === batch);
}
