import { db } from "@/lib/database/db";
import { inEveryShard, inHomeOf } from "@/lib/database/shards/marks";
import { epochMs, sql } from "@/lib/database/sql";
import { isId } from "../ids";
import { whereEmailIs } from "./email-routes";
import type { OwnerSummary } from "./schema";

/*
 * Finds accounts without an owner's ID. The directory has the owner of each email. A passkey without
 * a user handle can be on any shard.
 */

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
  return (await inEveryShard(find)).find((passkey) => passkey !== null) ?? null;
}

/** Returns an owner's name. The current work can concern another owner. */
export const nameOfOwner = async (ownerId: string): Promise<string | undefined> =>
  (await inHomeOf(ownerId, () => sql<{ name: string }>`SELECT name FROM owner WHERE id = ${ownerId}`.row()))?.name;

/** Returns all accounts, oldest first, for the operator. */
export const listOwners = async (): Promise<OwnerSummary[]> =>
  (await inEveryShard(() => sql<OwnerSummary>`SELECT ${summary} FROM owner ORDER BY id`.rows()))
    .flat()
    .sort((one, other) => (one.ownerId < other.ownerId ? -1 : 1));
