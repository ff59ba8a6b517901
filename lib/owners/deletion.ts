import type { SessionOwner } from "@/lib/actor";
import { pool } from "@/lib/db";
import { badRequest, notFound } from "@/lib/errors";
import { type Change, change } from "@/lib/events/change";
import { record } from "@/lib/events/events";
import { identifier, literal, type On, row, rows, run, type Sql, sql } from "@/lib/sql";
import type { Deletion } from "./schema";
import { requireFresh } from "./sessions";

/*
 * A new table that names an owner goes into this list, and each of its columns into `parts` or `withheld` of
 * `data-export.ts`. Tests name what is missing.
 */

type Theirs = { table: string; whose?: (ownerId: string) => Sql };
const ofOwner = (ownerId: string) => sql`owner_id = ${ownerId}`;
const grantsOf = (ownerId: string) => sql`SELECT id FROM app_grant WHERE owner_id = ${ownerId}`;
const ofTheirGrants = (ownerId: string) => sql`grant_id IN (${grantsOf(ownerId)})`;

/**
 * What goes with an owner, in an order that foreign keys allow. Tables of every domain, since leaving takes along what all of
 * them hold, in one transaction. A test compares this with the tables there are.
 */
const theirs: readonly Theirs[] = [
  { table: "authorization_code", whose: ofTheirGrants },
  { table: "refresh_token", whose: ofTheirGrants },
  { table: "token", whose: ofTheirGrants },
  { table: "grant_scope", whose: ofTheirGrants },
  { table: "grant_integration", whose: ofTheirGrants },
  {
    table: "webhook_delivery",
    whose: (id) => sql`owner_id = ${id} OR endpoint_id IN (SELECT id FROM webhook_endpoint WHERE owner_id = ${id})`,
  },
  { table: "device_code", whose: (id) => sql`owner_id = ${id} OR ${ofTheirGrants(id)}` },
  { table: "link_attempt" },
  { table: "consent_request" },
  { table: "app_grant" },
  { table: "integration" },
  { table: "app_choice" },
  { table: "approval_desk" },
  { table: "approval" },
  // Gone with their approvals.
  { table: "approval_question" },
  { table: "approval_addition" },
  { table: "approval_outcome" },
  { table: "notification" },
  { table: "webhook_endpoint" },
  { table: "idempotency" },
  { table: "api_request" },
  { table: "alert" },
  { table: "alert_watch" },
  { table: "push_subscription" },
  { table: "owner_settings" },
  { table: "owner_session" },
  { table: "passkey" },
  { table: "passkey_challenge" },
  { table: "recovery_code" },
  { table: "sign_in_link" },
  { table: "sign_in_refusal" },
];

/** Every table of which something goes. */
export const emptied: readonly string[] = theirs.map(({ table }) => table);

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
      const found = await row<{ email: string }>(sql`SELECT email FROM owner WHERE id = ${ownerId} FOR UPDATE`, tx);
      if (!found) throw notFound();
      if (typed.email.trim().toLowerCase() !== found.email) throw badRequest("That is not your e-mail", "email");
      const apps = await endApps(tx, ownerId);
      for (const each of theirs) await deleteAll(tx, ownerId, each);
      const letIn = sql`EXISTS (SELECT FROM app_grant g WHERE g.app_id = app.id)`;
      await run(sql`DELETE FROM app WHERE id = ANY (${apps}) AND NOT ${letIn}`, tx);
      await run(sql`DELETE FROM owner WHERE id = ${ownerId}`, tx);
      await record(tx, { ownerId, type: "owner.deleted", subject: ownerId });
    },
    { timeout: 120_000 },
  );
  // What an app was sending in that same moment.
  for (const table of ["approval", "notification", "idempotency", "api_request", "webhook_delivery"])
    await deleteAll(pool(), ownerId, { table });
}

/** @returns the apps that the owner registered, which are ended for everybody who had let one of them in */
async function endApps(tx: Change, ownerId: string): Promise<string[]> {
  const ended = sql`UPDATE app SET deleted_at = coalesce(deleted_at, now()), owner_id = NULL, secret_hash = NULL, secret_last4 = NULL,
      old_secret_hash = NULL, old_secret_last4 = NULL, old_secret_until = NULL,
      redirect_uris = '{}'
    WHERE owner_id = ${ownerId} RETURNING id`;
  const apps = (await rows<{ id: string }>(ended, tx)).map(({ id }) => id);
  const takenBack = sql`UPDATE app_grant SET revoked_at = now() WHERE app_id = ANY (${apps}) AND revoked_at IS NULL AND owner_id <> ${ownerId}
    RETURNING id, owner_id AS "ownerId", app_id AS "appId"`;
  const revoked = { type: "grant.revoked", data: { deleted: true } } as const;
  const grants = await rows<{ id: string; ownerId: string; appId: string }>(takenBack, tx);
  await record(tx, ...grants.map(({ id: subject, ...whose }) => ({ ...revoked, ...whose, subject })));
  for (const table of ["authorization_code", "device_code", "consent_request", "pushed_request"]) {
    await run(sql`DELETE FROM ${identifier(table)} WHERE app_id = ANY (${apps})`, tx);
  }
  return apps;
}

async function deleteAll(on: On, ownerId: string, { table, whose = ofOwner }: Theirs) {
  const name = identifier(table);
  const some = sql`SELECT ctid FROM ${name} WHERE ${whose(ownerId)} LIMIT ${literal(batch)}`;
  while ((await run(sql`DELETE FROM ${name} WHERE ctid = ANY (ARRAY(${some}))`, on)) === batch);
}
