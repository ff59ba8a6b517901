import type { OwnerTable } from "@/lib/database/owner-data-table";
import { type Executor, sql } from "@/lib/database/sql";
import { unseal } from "./crypto";
import { loadRetainedKeys, retainedPurposes, sealedWith } from "./retained-keys";
import { hashSecret } from "./secret-tokens";

/*
 * An owner's file contains hashes and encrypted values as they are, so it works only with the keys
 * of the service that wrote it. Data keys are in the file, encrypted as in the database.
 */

/** The data keys that a statement selects by their IDs. */
export const dataKeys = (used: Required<OwnerTable>["condition"]): OwnerTable => ({
  table: "data_key",
  condition: (ownerId) => sql`t.id IN (${used(ownerId)})`,
  withheld: "whole",
});

/** Identifies the key of all hashes of tokens, without revealing it. */
export const hashKeyName = (): string => hashSecret("owner file").toString("hex").slice(0, 24);

/** The retained keys by purpose, encrypted under SECRET, in base64. */
export type SealedKeys = Readonly<Record<string, string>>;

/** Returns the retained keys that the database stores. */
export async function readSealedKeys(): Promise<SealedKeys> {
  const rows = await sql<{ purpose: string; sealed: string }>`
    SELECT purpose, encode(sealed, 'base64') AS sealed
    FROM retained_key`.rows();
  return Object.fromEntries(rows.map(({ purpose, sealed }) => [purpose, sealed.replaceAll("\n", "")]));
}

/**
 * Stores another service's retained keys in a database that has none and no owners, and loads them.
 * @returns whether it did, and this process now has the key with the name
 */
export async function adoptSealedKeys(keys: SealedKeys, name: string, mayAdopt: () => Promise<boolean>) {
  const known = Object.entries(keys).filter(([purpose]) => retainedPurposes.some((it) => it === purpose));
  const readable = known.length > 0 && known.every(([purpose, sealed]) => isReadable(purpose, sealed));
  if (!readable || !(await mayAdopt()) || Object.keys(await readSealedKeys()).length > 0) return false;
  await store(known);
  await loadRetainedKeys(false);
  if (hashKeyName() === name) return true;
  await sql`DELETE FROM retained_key`.run();
  await loadRetainedKeys(false);
  return false;
}

function isReadable(purpose: string, sealed: string): boolean {
  try {
    unseal(sealedWith, Buffer.from(sealed, "base64"), purpose);
    return true;
  } catch {
    return false;
  }
}

async function store(keys: [purpose: string, sealed: string][], on?: Executor): Promise<void> {
  for (const [purpose, sealed] of keys)
    await sql`
      INSERT INTO retained_key (purpose, sealed)
      VALUES (${purpose}, ${Buffer.from(sealed, "base64")})`.run(on);
}
