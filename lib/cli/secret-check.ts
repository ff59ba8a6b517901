import { createHmac } from "node:crypto";
import { join, resolve } from "node:path";
import { env, readSettings } from "@/lib/config/env";
import { db, type Transaction } from "@/lib/database/db";
import { inEveryShard, inService } from "@/lib/database/shards/marks";
import { type Sql, sql } from "@/lib/database/sql";
import { derivedFrom } from "@/lib/keys/crypto";
import { deleteRetainedKeys, loadRetainedKeys, storeRetainedKeys } from "@/lib/keys/retained-keys";
import { hasOwners } from "@/lib/owners/owner-sql-for-other-domains";
import { withClient } from "@/lib/postgres/with-client";
import { OperatorError } from "./command";

const replaceIt = 'To continue with a new secret, run "npm run -s countersign -- secret replace".';

/**
 * The number of days for which SECRET_PREVIOUS is useful after a rotation: the lifetime of a session
 * (`sessionSeconds`).
 */
export const overlapDays = 30;

/** Returns the path of the generated secret, which is used if SECRET is not set. */
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

/** Derives a fingerprint of a secret that cannot be reversed (HKDF and HMAC with SHA-256). */
const checkValue = (secret: string) =>
  createHmac("sha256", derivedFrom(secret, "secret-check")).update("secret").digest("hex");

/** The secret on which a database depends: SECRET, SECRET_PREVIOUS or another one. */
export type KnownSecret = "current" | "previous" | "other";

function identify(value: string): KnownSecret {
  const { secret, secretPrevious } = env();
  if (value === checkValue(secret)) return "current";
  return secretPrevious !== undefined && value === checkValue(secretPrevious) ? "previous" : "other";
}

/**
 * Returns which secret is recorded for this database. If no secret is recorded, or if neither
 * SECRET nor SECRET_PREVIOUS is and the database has no owners, records SECRET.
 * @throws {OperatorError} if SECRET_PREVIOUS is set, but no secret is recorded for the owners
 */
export async function knownSecret(): Promise<KnownSecret> {
  const recorded = sql<{ value: string }>`SELECT value FROM secret_check`;
  const found = await recorded.row();
  const known = found && identify(found.value);
  if (known === "current" || known === "previous") return known;
  if (!found && env().secretPrevious !== undefined && (await sql`SELECT WHERE ${hasOwners}`.row()))
    throw new OperatorError(
      "This database has not recorded the secret that it depends on. Set SECRET to this secret, unset SECRET_PREVIOUS, and start the service once.",
    );
  await db.$transaction(async (tx) => {
    const changed = await recordSecret(sql`NOT ${hasOwners}`).run(tx);
    if (changed > 0) await deleteRetainedKeys(tx);
  });
  return identify((await recorded.row())?.value ?? "");
}

/**
 * Returns which secret is recorded, like `knownSecret`, but records nothing. Returns undefined
 * while any secret is valid, because none is recorded or the database has no owners.
 */
export async function readKnownSecret(): Promise<KnownSecret | undefined> {
  const found = await sql<{ value: string | null; owned: boolean }>`
    SELECT (SELECT value FROM secret_check) AS value,
      ${hasOwners} AS owned`.row();
  if (!found?.value) return undefined;
  const known = identify(found.value);
  return known === "other" && !found.owned ? undefined : known;
}

/**
 * Returns the error for a secret that does not match.
 * @param whence the secret's source, as the beginning of a sentence
 */
export const wrongSecret = (whence: string) =>
  new OperatorError(
    env().secretPrevious === undefined
      ? `${whence} does not match this database. Restore the previous secret. ${replaceIt}`
      : `${whence} and SECRET_PREVIOUS do not match this database. Set one of them to the secret that the database depends on. ${replaceIt}`,
  );

/**
 * Checks that SECRET or SECRET_PREVIOUS belongs to the database, and loads the keys that do not
 * derive from SECRET.
 * @param whence as for `wrongSecret`
 * @throws {OperatorError} if the database belongs to another SECRET
 */
export async function checkSecret(whence: string): Promise<void> {
  const known = await knownSecret();
  if (known === "other") throw wrongSecret(whence);
  await loadRetainedKeys(known === "previous");
}

/**
 * Checks that SECRET or SECRET_PREVIOUS belongs to a shard other than the directory. Records SECRET
 * if the shard has no owners yet.
 * @param url the shard's address
 * @param whence as for `wrongSecret`
 * @throws {OperatorError} if the shard belongs to another SECRET
 */
export async function checkSecretOf(url: string, whence: string): Promise<void> {
  const value = await withClient(url, async (client) => {
    await recordSecret(sql`NOT ${hasOwners}`).run(client);
    return (await sql<{ value: string }>`SELECT value FROM secret_check`.row(client))?.value ?? "";
  });
  if (identify(value) === "other") throw wrongSecret(whence);
}

/**
 * Records SECRET as this database's only valid secret. Everything that depends on another secret
 * becomes invalid.
 */
export async function replaceSecret(): Promise<void> {
  await inService(() =>
    db.$transaction(async (tx) => {
      await record(tx);
      await deleteRetainedKeys(tx);
    }),
  );
  await recordOnShards();
}

/**
 * Records SECRET as this database's secret. If it replaces another secret, stores the keys that
 * stay the same.
 * @returns whether the database depended on another secret before
 */
export async function recordRotation(): Promise<boolean> {
  const rotated = await inService(() =>
    db.$transaction(async (tx) => {
      const rotated = (await record(tx)) > 0;
      if (rotated) await storeRetainedKeys(tx);
      return rotated;
    }),
  );
  await recordOnShards();
  return rotated;
}

const record = (tx?: Transaction) => recordSecret(sql`secret_check.value <> excluded.value`).run(tx);

/** Also has no effect where SECRET is recorded, so an interrupted command can run again. */
const recordOnShards = () => inEveryShard(() => record());

const recordSecret = (when: Sql) => sql`
  INSERT INTO secret_check (id, value)
  VALUES (1, ${checkValue(env().secret)})
  ON CONFLICT (id) DO UPDATE SET value = excluded.value
    WHERE ${when}`;
