import type { OwnerActor } from "@/lib/actor";
import { pool } from "@/lib/db";
import { badRequest, notFound } from "@/lib/errors";
import { type Change, change } from "@/lib/events/change";
import { record } from "@/lib/events/events";
import { identifier, literal, type On, type Sql, sql } from "@/lib/sql";
import { names, ofOwner, ofTheirGrants } from "./data-export";
import type { Deletion } from "./schema";

/*
 * A new table that names an owner goes into this list, and each of its columns into `parts` or `withheld` of
 * `data-export.ts`. Tests name what is missing.
 */

type Theirs = { table: string; whose?: (ownerId: string) => Sql };
const tables = (text: string, whose = ofOwner): Theirs[] => names(text).map((table) => ({ table, whose }));

/**
 * What goes with an owner, in an order that foreign keys allow. Tables of every domain, since leaving takes along what all of
 * them hold, in one transaction.
 */
const theirs: readonly Theirs[] = [
  ...tables("authorization_code refresh_token token grant_scope grant_integration", ofTheirGrants),
  {
    table: "webhook_delivery",
    whose: (id) => sql`t.owner_id = ${id} OR t.endpoint_id IN (SELECT id FROM webhook_endpoint WHERE owner_id = ${id})`,
  },
  { table: "device_code", whose: (id) => sql`t.owner_id = ${id} OR ${ofTheirGrants(id)}` },
  ...tables(`
    link_attempt consent_request app_grant integration app_choice approval_desk approval
    approval_question approval_addition approval_outcome notification webhook_endpoint idempotency api_request
    alert alert_watch push_subscription owner_settings owner_session passkey passkey_challenge recovery_code
    sign_in_link sign_in_refusal`),
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
 * @throws {AppError} 400 when it is another one; 404 when the account is gone already
 */
export async function deleteOwner(owner: OwnerActor, typed: Deletion): Promise<void> {
  const { ownerId } = owner;
  await change(
    owner,
    async (tx) => {
      // Sessions that begin meanwhile wait for this row, and then find nobody.
      const found = await sql<{ email: string }>`SELECT email FROM owner WHERE id = ${ownerId} FOR UPDATE`.row(tx);
      if (!found) throw notFound();
      if (typed.email.trim().toLowerCase() !== found.email) throw badRequest("That is not your e-mail", "email");
      const apps = await endApps(tx, ownerId);
      for (const each of theirs) await deleteAll(tx, ownerId, each);
      const letIn = sql`EXISTS (SELECT FROM app_grant g WHERE g.app_id = app.id)`;
      await sql`DELETE FROM app WHERE id = ANY (${apps}) AND NOT ${letIn}`.run(tx);
      await sql`DELETE FROM owner WHERE id = ${ownerId}`.run(tx);
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
  const ended = sql<{ id: string }>`UPDATE app
    SET deleted_at = coalesce(deleted_at, now()), owner_id = NULL, secret_hash = NULL, secret_last4 = NULL,
      old_secret_hash = NULL, old_secret_last4 = NULL, old_secret_until = NULL,
      redirect_uris = '{}'
    WHERE owner_id = ${ownerId} RETURNING id`;
  const apps = (await ended.rows(tx)).map(({ id }) => id);
  const takenBack = sql<{ id: string; ownerId: string; appId: string }>`UPDATE app_grant SET revoked_at = now()
    WHERE app_id = ANY (${apps}) AND revoked_at IS NULL AND owner_id <> ${ownerId}
    RETURNING id, owner_id AS "ownerId", app_id AS "appId"`;
  const revoked = { type: "grant.revoked", data: { deleted: true } } as const;
  const grants = await takenBack.rows(tx);
  await record(tx, ...grants.map(({ id: subject, ...whose }) => ({ ...revoked, ...whose, subject })));
  for (const table of ["authorization_code", "device_code", "consent_request", "pushed_request"]) {
    await sql`DELETE FROM ${identifier(table)} WHERE app_id = ANY (${apps})`.run(tx);
  }
  return apps;
}

async function deleteAll(on: On, ownerId: string, { table, whose = ofOwner }: Theirs) {
  const name = identifier(table);
  const some = sql`SELECT ctid FROM ${name} t WHERE ${whose(ownerId)} LIMIT ${literal(batch)}`;
  while ((await sql`DELETE FROM ${name} WHERE ctid = ANY (ARRAY(${some}))`.run(on)) === batch);
}
