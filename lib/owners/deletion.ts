import type { SessionOwner } from "@/lib/actor";
import { db, type Transaction } from "@/lib/db";
import { badRequest, notFound } from "@/lib/errors";
import { type Change, change } from "@/lib/events/change";
import { record } from "@/lib/events/events";
import type { Deletion } from "./schema";
import { requireFresh } from "./sessions";

/*
 * A new table that names an owner goes into this list, and each of its columns into `parts` or `withheld` of
 * `data-export.ts`. Tests name what is missing.
 */

/**
 * What goes with an owner, in an order that foreign keys allow; $1 is the owner's id. Tables of every domain, since leaving
 * takes along what all of them hold. A test compares this with the tables there are.
 */
const theirs: readonly (readonly [table: string, whose: string])[] = [
  ...["authorization_code", "refresh_token", "token", "grant_scope", "grant_integration"].map(
    (table) => [table, "grant_id IN (SELECT id FROM app_grant WHERE owner_id = $1)"] as const,
  ),
  ["webhook_delivery", "owner_id = $1 OR endpoint_id IN (SELECT id FROM webhook_endpoint WHERE owner_id = $1)"],
  ["device_code", "owner_id = $1 OR grant_id IN (SELECT id FROM app_grant WHERE owner_id = $1)"],
  ...[
    ...[
      "link_attempt",
      "consent_request",
      "app_grant",
      "integration",
      "app_choice",
      "approval_desk",
      "approval",
      // Gone with their approvals.
      ...["approval_question", "approval_addition", "approval_outcome"],
      "notification",
    ],
    ...["webhook_endpoint", "idempotency", "api_request", "alert", "alert_watch", "push_subscription"],
    ...["owner_settings", "owner_session", "passkey", "passkey_challenge", "recovery_code", "sign_in_link"],
    "sign_in_refusal",
  ].map((table) => [table, "owner_id = $1"] as const),
];

/** Every table of which something goes. */
export const emptied: readonly string[] = theirs.map(([table]) => table);

/** Statements have three seconds: so many rows go at a time. */
const batch = 10_000;

/**
 * Delete an owner's account and everything that is theirs, for good. Apps that they let in are refused from their next
 * call. Apps that they registered are deleted for everybody; of those that other owners had let in, the name stays, so that
 * these can still read who asked them. The activity log is append-only and stays under an id that is nobody's.
 * @param typed the account's e-mail, typed by whoever wants this
 * @throws {AppError} 400 when it is another one; 403 unless the sign-in is fresh; 404 when the account is gone already
 */
export async function deleteOwner(owner: SessionOwner, typed: Deletion): Promise<void> {
  requireFresh(owner);
  const { ownerId } = owner;
  await change(
    owner,
    async (tx) => {
      // Sessions that begin meanwhile wait for this row, and then find nobody.
      const [found] = await tx.$queryRaw<{ email: string }[]>`SELECT email FROM owner WHERE id = ${ownerId} FOR UPDATE`;
      if (!found) throw notFound();
      if (typed.email.trim().toLowerCase() !== found.email) throw badRequest("That is not your e-mail", "email");
      const apps = await endApps(tx, ownerId);
      for (const [table, whose] of theirs) await deleteAll(tx, table, whose, ownerId);
      await tx.$executeRaw`
        DELETE FROM app WHERE id = ANY (${apps}) AND NOT EXISTS (SELECT FROM app_grant g WHERE g.app_id = app.id)`;
      await tx.$executeRaw`DELETE FROM owner WHERE id = ${ownerId}`;
      await record(tx, { ownerId, type: "owner.deleted", subject: ownerId });
    },
    { timeout: 120_000 },
  );
  // What an app was sending in that same moment.
  for (const table of ["approval", "notification", "idempotency", "api_request", "webhook_delivery"])
    await deleteAll(db, table, "owner_id = $1", ownerId);
}

/** @returns the apps that the owner registered, which are ended for everybody who had let one of them in */
async function endApps(tx: Change, ownerId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    UPDATE app SET deleted_at = coalesce(deleted_at, now()), owner_id = NULL, secret_hash = NULL, secret_last4 = NULL,
      old_secret_hash = NULL, old_secret_last4 = NULL, old_secret_until = NULL,
      redirect_uris = '{}'
    WHERE owner_id = ${ownerId} RETURNING id`;
  const apps = rows.map(({ id }) => id);
  const ended = await tx.$queryRaw<{ id: string; owner_id: string; app_id: string }[]>`
    UPDATE app_grant SET revoked_at = now() WHERE app_id = ANY (${apps}) AND revoked_at IS NULL AND owner_id <> ${ownerId}
    RETURNING id, owner_id, app_id`;
  const revoked = { type: "grant.revoked", data: { deleted: true } } as const;
  await record(
    tx,
    ...ended.map(({ id, owner_id: ownerId, app_id: appId }) => ({ ...revoked, ownerId, appId, subject: id })),
  );
  for (const table of ["authorization_code", "device_code", "consent_request", "pushed_request"]) {
    await tx.$executeRawUnsafe(`DELETE FROM ${table} WHERE app_id = ANY ($1)`, apps);
  }
  return apps;
}

async function deleteAll(tx: Pick<Transaction, "$executeRawUnsafe">, table: string, whose: string, ownerId: string) {
  let deleted = batch;
  while (deleted === batch) {
    deleted = await tx.$executeRawUnsafe(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${whose} LIMIT ${batch}))`,
      ownerId,
    );
  }
}
