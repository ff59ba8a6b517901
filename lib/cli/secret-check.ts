import { createHmac } from "node:crypto";
import { join, resolve } from "node:path";
import { readSettings } from "@/lib/config/env";
import { sql } from "@/lib/database/sql";
import { key } from "@/lib/keys/crypto";
import { hasOwners } from "@/lib/owners/sql";
import { withClient } from "@/lib/postgres/with-client";
import { OperatorError } from "./command";

const replaceIt = 'continue with a new secret using "npm run -s countersign -- secret replace"';

/** Path of the generated secret, used when SECRET is not set. */
export const secretFile = () => join(resolve(readSettings(process.env).DATA_DIR), "secret");

/**
 * Check that a new secret may be generated: the database must have no owners, whose access would
 * depend on the old one.
 * @throws {OperatorError} if the database has owners
 */
export async function mayBeNew(databaseUrl: string): Promise<void> {
  // This query must not need the secret.
  const anyOwner = sql`SELECT WHERE ${hasOwners}`;
  const found = await withClient(databaseUrl, (client) => anyOwner.row(client));
  if (found)
    throw new OperatorError(
      `The secret ${secretFile()} is missing, and the database has owners whose access depends on it. Restore the file or set SECRET, or ${replaceIt}`,
    );
}

/** The same value for the same SECRET, and irreversible (HKDF and HMAC with SHA-256). */
const checkValue = () => createHmac("sha256", key("secret-check")).update("secret").digest("hex");

/**
 * Whether SECRET is the one this database was first used with, or becomes it: a database without
 * owners accepts any.
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

/** The same check without any change; undefined if any secret would do. */
export async function isKnownSecret(): Promise<boolean | undefined> {
  const found = await sql<{ value: string | null; owned: boolean }>`
    SELECT (SELECT value FROM secret_check) AS value,
      ${hasOwners} AS owned`.row();
  if (found?.value === checkValue()) return true;
  return found?.value && found.owned ? false : undefined;
}

/** @param whence the secret's source, for the beginning of a sentence */
export const wrongSecret = (whence: string) =>
  new OperatorError(`${whence} does not match this database. Restore the previous secret, or ${replaceIt}`);

/**
 * @param whence as for `wrongSecret`
 * @throws {OperatorError} if the database belongs to another SECRET
 */
export async function checkSecret(whence: string): Promise<void> {
  if (!(await secretFits())) throw wrongSecret(whence);
}

/** Make the current SECRET the valid one from now on. */
export async function replaceSecret(): Promise<void> {
  await sql`
    INSERT INTO secret_check (id, value)
    VALUES (1, ${checkValue()})
    ON CONFLICT (id) DO UPDATE SET value = excluded.value`.run();
}
