import { createHmac } from "node:crypto";
import { join, resolve } from "node:path";
import pg from "pg";
import { pool } from "@/lib/db";
import { readSettings } from "@/lib/env";
import { key } from "@/lib/keys/crypto";
import { OperatorError } from "./preflight";

const replaceIt = 'continue with a new one using "npm run -s countersign -- secret replace"';

/** Where it is kept when SECRET is not set. */
export const secretFile = () => join(resolve(readSettings(process.env).DATA_DIR), "secret");

/** Whether somebody's sign-ins, tokens and apps depend on the secret. Needs none itself. */
async function hasOwners(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ yes: boolean }>("SELECT EXISTS (SELECT FROM owner) AS yes");
    return rows[0]?.yes === true;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * A secret may be made only for a database that nobody's access depends on.
 * @throws {OperatorError} when the database has owners
 */
export async function mayBeNew(databaseUrl: string): Promise<void> {
  if (await hasOwners(databaseUrl))
    throw new OperatorError(
      `The secret ${secretFile()} is missing, and the database has owners whose access depends on it: restore the file or set SECRET, or ${replaceIt}`,
    );
}

/** The same for the same SECRET, and no way back to it (HKDF and HMAC with SHA-256). */
const checkValue = () => createHmac("sha256", key("secret-check")).update("secret").digest("hex");

/** Whether SECRET is the one this database was first used with, or may become that: a database without owners takes any. */
export async function secretFits(): Promise<boolean> {
  const value = checkValue();
  const kept = () => pool().query<{ value: string }>("SELECT value FROM secret_check");
  if ((await kept()).rows[0]?.value === value) return true;
  await pool().query(
    `INSERT INTO secret_check AS c (id, value) VALUES (1, $1)
      ON CONFLICT (id) DO UPDATE SET value = excluded.value WHERE NOT EXISTS (SELECT FROM owner)`,
    [value],
  );
  return (await kept()).rows[0]?.value === value;
}

/**
 * @param whence where SECRET comes from, to be read at the beginning of a sentence
 * @throws {OperatorError} when the database belongs to another SECRET
 */
export async function checkSecret(whence: string): Promise<void> {
  if (!(await secretFits()))
    throw new OperatorError(
      `${whence} is not the one this database was used with: restore the former one, or ${replaceIt}`,
    );
}

/** Have SECRET be the one that counts from now on. */
export async function replaceSecret(): Promise<void> {
  await pool().query(
    "INSERT INTO secret_check (id, value) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET value = excluded.value",
    [checkValue()],
  );
}
