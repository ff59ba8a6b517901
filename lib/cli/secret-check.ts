import { createHmac } from "node:crypto";
import { join, resolve } from "node:path";
import { readSettings } from "@/lib/config/env";
import { sql } from "@/lib/database/sql";
import { key } from "@/lib/keys/crypto";
import { hasOwners } from "@/lib/owners/owner-sql-for-other-domains";
import { withClient } from "@/lib/postgres/with-client";
import { OperatorError } from "./command";

const replaceIt = 'To continue with a new secret, run "npm run -s countersign -- secret replace".';

/** Returns the path of the generated secret, which is used when SECRET is not set. */
export const secretFile = () => join(resolve(readSettings(process.env).DATA_DIR), "secret");

/**
 * Checks that a new secret may be generated. The database must have no owners, because their access
 * would depend on the old secret.
 * @throws {OperatorError} if the database has owners
 */
export async function mayBeNew(databaseUrl: string): Promise<void> {
  // This query must not need the secret.
  const anyOwner = sql`SELECT WHERE ${hasOwners}`;
  const found = await withClient(databaseUrl, (client) => anyOwner.row(client));
  if (found)
    throw new OperatorError(
      `The secret file ${secretFile()} is missing, but the database has owners whose access depends on the secret. Restore the file, or set SECRET to the previous secret. ${replaceIt}`,
    );
}

/** Derives a fingerprint of SECRET that cannot be reversed (HKDF and HMAC with SHA-256). */
const checkValue = () => createHmac("sha256", key("secret-check")).update("secret").digest("hex");

/**
 * Returns whether SECRET is the secret recorded for this database. If none is recorded, or the
 * database has no owners, records SECRET and returns true.
 */
export async function secretFits(): Promise<boolean> {
  const value = checkValue();
  const kept = sql<{ value: string }>`SELECT value FROM secret_check`;
  if ((await kept.row())?.value === value) return true;
  await sql`
    INSERT INTO secret_check AS c (id, value)
    VALUES (1, ${value})
    ON CONFLICT (id) DO UPDATE SET value = excluded.value
      WHERE NOT ${hasOwners}`.run();
  return (await kept.row())?.value === value;
}

/**
 * Checks SECRET like `secretFits`, without recording anything. Returns undefined while any secret
 * is valid, because none is recorded or the database has no owners.
 */
export async function isKnownSecret(): Promise<boolean | undefined> {
  const found = await sql<{ value: string | null; owned: boolean }>`
    SELECT (SELECT value FROM secret_check) AS value,
      ${hasOwners} AS owned`.row();
  if (found?.value === checkValue()) return true;
  return found?.value && found.owned ? false : undefined;
}

/**
 * Returns the error for a secret that does not match.
 * @param whence the secret's source, for the beginning of a sentence
 */
export const wrongSecret = (whence: string) =>
  new OperatorError(`${whence} does not match this database. Restore the previous secret. ${replaceIt}`);

/**
 * Checks that SECRET belongs to the database.
 * @param whence as for `wrongSecret`
 * @throws {OperatorError} if the database belongs to another SECRET
 */
export async function checkSecret(whence: string): Promise<void> {
  if (!(await secretFits())) throw wrongSecret(whence);
}

/** Records the current SECRET as this database's valid secret. */
export async function replaceSecret(): Promise<void> {
  await sql`
    INSERT INTO secret_check (id, value)
    VALUES (1, ${checkValue()})
    ON CONFLICT (id) DO UPDATE SET value = excluded.value`.run();
}
