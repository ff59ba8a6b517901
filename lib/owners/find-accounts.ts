import { db } from "@/lib/database/db";
import { inEveryShard, inHomeOf, inService } from "@/lib/database/shards/marks";
import { epochMs, sql } from "@/lib/database/sql";
import { isId } from "../ids";
import { hasOwners } from "./owner-sql-for-other-domains";
import type { OwnerSummary } from "./schema";

/*
 * Finds accounts without an owner's ID. An email address names no home, nor does a passkey without
 * a user handle, so they are looked up in the directory.
 */

/** Whether any account exists. */
export async function anyOwner(): Promise<boolean> {
  return (await inService(() => sql`SELECT WHERE ${hasOwners}`.row())) !== undefined;
}

const summary = sql`id AS "ownerId", email, name, ${epochMs("created_at")} AS "createdAt"`;

export const findOwnerByEmail = (email: string): Promise<OwnerSummary | undefined> =>
  inService(() =>
    sql<OwnerSummary>`
      SELECT ${summary}
      FROM owner
      WHERE email = ${email.trim().toLowerCase()}`.row(),
  );

/** Returns an account by its email address, which is in lowercase and names no home. */
export const ownerOfEmail = (email: string) => inService(() => db.owner.findUnique({ where: { email } }));

/** The ID of an owner that doesn't exist, for work that must take as long as for one who does. */
export const nobody = `own_${"0".repeat(32)}`;

/**
 * Returns a passkey with its owner.
 * @param ownerId the owner that the passkey names (its user handle), if it names one
 */
export function findPasskey(id: string, ownerId: string | undefined) {
  const find = () => db.passkey.findUnique({ where: { id }, include: { owner: true } });
  return ownerId !== undefined && isId("own", ownerId) ? inHomeOf(ownerId, find) : inService(find);
}

/** Returns all accounts, oldest first, for the operator. */
export const listOwners = async (): Promise<OwnerSummary[]> =>
  (await inEveryShard(() => sql<OwnerSummary>`SELECT ${summary} FROM owner ORDER BY id`.rows()))
    .flat()
    .sort((one, other) => (one.ownerId < other.ownerId ? -1 : 1));
