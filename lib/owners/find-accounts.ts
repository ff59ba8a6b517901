import { db } from "@/lib/database/db";
import { isOneDatabase, isOwnerInDirectory, shardOfOwner, shardsWithHomes } from "@/lib/database/shards/each-shard";
import {
  forEachReachableShardOf,
  inEveryShard,
  inHomeFoundBy,
  inHomeOf,
  inOtherShards,
  inReachableShards,
} from "@/lib/database/shards/marks";
import { type Executor, epochMs, sql } from "@/lib/database/sql";
import { asAppError } from "../errors";
import { isId, newOwnerId } from "../ids";
import type { OwnerSummary } from "./schema";

/*
 * Finds accounts without an owner's ID. `email_route` in the directory has the owner of each email,
 * over all shards. A passkey without a user handle can be on any shard.
 *
 * A trigger keeps the routes of owners who are in the directory themselves, so with one database the
 * functions for routes send no statements. For other owners, an email is reserved before the account
 * gets it, and released after the account has another one. If the service stops in between, the
 * account has an additional route, which finds nothing, and which a chore deletes after an hour.
 */

/**
 * Returns an ID for a new owner. With several databases, its home is on a shard that responds.
 * @throws if no shard with homes responds
 */
export async function newReachableOwnerId(): Promise<string> {
  const away = new Set<number>();
  for (;;) {
    const ownerId = newOwnerId();
    if (isOneDatabase()) return ownerId;
    const shard = shardOfOwner(ownerId);
    if (away.has(shard)) continue;
    try {
      await inHomeOf(ownerId, () => sql`SELECT now()`.run());
      return ownerId;
    } catch (error) {
      away.add(shard);
      if (asAppError(error)?.status !== 503 || shardsWithHomes().every((number) => away.has(number))) throw error;
    }
  }
}

/** Whether any account exists. */
export async function anyOwner(): Promise<boolean> {
  return (await sql`SELECT FROM email_route LIMIT 1`.row()) !== undefined;
}

const summary = sql`id AS "ownerId", email, name, ${epochMs("created_at")} AS "createdAt"`;

export const findOwnerByEmail = (email: string): Promise<OwnerSummary | undefined> =>
  whereEmailIs(email.trim().toLowerCase(), () =>
    sql<OwnerSummary>`
      SELECT ${summary}
      FROM owner
      WHERE email = ${email.trim().toLowerCase()}`.row(),
  );

/** Returns an account by its email address, which is in lowercase. */
export const ownerOfEmail = (email: string) =>
  whereEmailIs(email, async () => db.owner.findUnique({ where: { email } }));

/** The ID of an owner that doesn't exist, for work that must take as long as for one who does. */
export const nobody = `own_${"0".repeat(32)}`;

/**
 * Returns a passkey with its owner.
 * @param ownerId the owner that the passkey names (its user handle), if it names one
 */
export async function findPasskey(id: string, ownerId: string | undefined) {
  const find = async () => db.passkey.findUnique({ where: { id }, include: { owner: true } });
  if (ownerId !== undefined && isId("own", ownerId)) return inHomeOf(ownerId, find);
  return (await inReachableShards(find)).find((passkey) => passkey !== null) ?? null;
}

/**
 * Ends a browser's session on any other shard than an owner's. With one database, it does nothing.
 */
export const endSessionElsewhere = (ownerId: string, session: string): Promise<void> =>
  inOtherShards(ownerId, () =>
    sql`
      UPDATE owner_session
      SET ended_at = now()
      WHERE id = ${session} AND ended_at IS NULL`.run(),
  );

/** Returns an owner's name. The current work can concern another owner. */
export const nameOfOwner = async (ownerId: string): Promise<string | undefined> =>
  (await inHomeOf(ownerId, () => sql<{ name: string }>`SELECT name FROM owner WHERE id = ${ownerId}`.row()))?.name;

/** Returns all accounts, oldest first, for the operator. */
export const listOwners = async (): Promise<OwnerSummary[]> =>
  (await inEveryShard(() => sql<OwnerSummary>`SELECT ${summary} FROM owner ORDER BY id`.rows()))
    .flat()
    .sort((one, other) => (one.ownerId < other.ownerId ? -1 : 1));

/** Returns the ID of the owner of an email, which is in lowercase. */
const ownerOfRoute = async (email: string): Promise<string | undefined> =>
  (await sql<{ id: string }>`SELECT owner_id AS id FROM email_route WHERE email = ${email}`.row())?.id;

/** Runs work that finds an account by its email on the shard of the account. */
const whereEmailIs = <T>(email: string, work: () => Promise<T>): Promise<T> =>
  inHomeFoundBy(() => ownerOfRoute(email), work);

/** Whether another account has an email. */
export const isEmailTaken = async (email: string, ownerId: string): Promise<boolean> =>
  (await sql`SELECT FROM email_route WHERE email = ${email} AND owner_id <> ${ownerId}`.row()) !== undefined;

/**
 * Reserves an email for a new account.
 * @param first whether to reserve it only for the service's first account
 * @returns whether the account may have the email
 */
export async function reserveEmail(ownerId: string, email: string, first: boolean): Promise<boolean> {
  if (isOwnerInDirectory(ownerId)) return true;
  const made = await sql`
    INSERT INTO email_route (email, owner_id, first)
    SELECT ${email}, ${ownerId}, ${first ? true : null}::boolean
    WHERE NOT ${first} OR NOT EXISTS (SELECT FROM email_route)
    ON CONFLICT DO NOTHING`.run();
  return made > 0;
}

/**
 * Reserves a new email for an account, whose row is then locked until the transaction ends. The
 * reservation itself does not depend on the transaction.
 * @returns whether the account may have the email
 */
export async function reserveNewEmail(tx: Executor, ownerId: string, email: string): Promise<boolean> {
  if (isOwnerInDirectory(ownerId)) return true;
  // Changes of the same account run one at a time, so their reservations are in the same order.
  await sql`SELECT FROM owner WHERE id = ${ownerId} FOR NO KEY UPDATE`.run(tx);
  const reserved = await sql`
    INSERT INTO email_route (email, owner_id)
    VALUES (${email}, ${ownerId})
    ON CONFLICT (email) DO UPDATE SET created_at = clock_timestamp()
    WHERE email_route.owner_id = excluded.owner_id`.run();
  return reserved > 0;
}

/** Releases an email that a new account could not get. */
export async function releaseEmail(ownerId: string, email: string): Promise<void> {
  if (isOwnerInDirectory(ownerId)) return;
  await sql`DELETE FROM email_route WHERE email = ${email} AND owner_id = ${ownerId}`.run();
}

/** Releases the emails that an account had before this one. */
export async function releaseFormerEmails(ownerId: string, email: string): Promise<void> {
  if (isOwnerInDirectory(ownerId)) return;
  await sql`
    DELETE FROM email_route r
    USING email_route current
    WHERE r.owner_id = ${ownerId}
      AND r.email <> ${email}
      AND current.email = ${email}
      AND current.owner_id = r.owner_id
      AND r.created_at < current.created_at`.run();
}

type Route = { email: string; owner_id: string };

/** The maximum number of routes per statement. */
const batch = 500;

/**
 * Deletes the routes of other shards' owners that no account has, and that are older than an hour.
 * Routes of a shard that is away stay.
 * @param finishDeletion deletes the rest of an account that no longer exists
 * @returns the number of deleted routes
 */
export async function deleteUnusedRoutes(finishDeletion: (ownerId: string) => Promise<void>): Promise<number> {
  let [deleted, after] = [0, ""];
  for (;;) {
    const routes = await sql<Route>`
      SELECT email, owner_id
      FROM email_route
      WHERE email > ${after} AND created_at < now() - interval '1 hour'
      ORDER BY email LIMIT ${batch}`.rows();
    const elsewhere = routes.filter((route) => !isOwnerInDirectory(route.owner_id));
    for (const { email, owner_id: ownerId, isGone } of await unused(elsewhere)) {
      if (isGone) await finishDeletion(ownerId);
      deleted += await sql`
        DELETE FROM email_route
        WHERE email = ${email}
          AND owner_id = ${ownerId}
          AND created_at < now() - interval '1 hour'`.run();
    }
    if (routes.length < batch) return deleted;
    after = routes.at(-1)!.email;
  }
}

/** Returns the routes whose owner has another email or no longer exists (`isGone`). */
async function unused(routes: Route[]): Promise<(Route & { isGone: boolean })[]> {
  const check = async (some: Route[]) => {
    const ids = some.map((route) => route.owner_id);
    const owners = await sql<{ id: string; email: string }>`
      SELECT id, email
      FROM owner
      WHERE id = ANY (${ids})`.rows();
    const emails = new Map(owners.map(({ id, email }) => [id, email]));
    return some.flatMap((route) => {
      const email = emails.get(route.owner_id);
      return email === route.email ? [] : [{ ...route, isGone: email === undefined }];
    });
  };
  return (await forEachReachableShardOf(routes, (route) => route.owner_id, check)).flat();
}
