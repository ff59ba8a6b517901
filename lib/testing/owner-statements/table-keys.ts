import type { ClientBase } from "pg";
import type { TableKeys } from "./scans-across-owners";

/** The tables with an owner's ID that belong to the service: an app's owner is its developer. */
const ofService = ["app", "webhook_endpoint", "consent_request", "device_code", "email_route", "passkey_challenge"];

/** Columns that name rows of one owner, although no index makes them unique. */
const namesOneOwner: Readonly<Record<string, readonly string[]>> = {
  // All tokens of a family come from one authorization, and so from one grant.
  refresh_token: ["family_id"],
  token: ["family_id"],
};

type Reference = { table: string; parent: string; columns: string[] };
type UniqueIndex = { table: string; columns: string[] };

/** Reads the keys of all tables from a database's catalogs. */
export async function readTableKeys(database: ClientBase): Promise<Map<string, TableKeys>> {
  const rows = async <Row>(text: string) => (await database.query(text)).rows as Row[];
  const tables = new Map<string, { ofOwners: boolean; keys: string[][] }>();
  for (const { table, owned } of await rows<{ table: string; owned: boolean }>(ownedTables)) {
    const ofOwners = table === "owner" || (owned && !ofService.includes(table));
    tables.set(table, { ofOwners, keys: ofOwners && owned ? [["owner_id"]] : [] });
  }
  const parts = (await rows<Reference>(references)).filter(({ table, parent }) => table !== parent);
  // A part of an owner's row belongs to the same owner, and so do the parts of that part.
  for (let changed = true; changed; ) {
    changed = false;
    for (const { table, parent, columns } of parts) {
      const [whole, part] = [tables.get(parent), tables.get(table)];
      if (!whole?.ofOwners || !part || parent === "owner" || ofService.includes(table)) continue;
      if (part.keys.some((key) => String(key) === String(columns))) continue;
      part.ofOwners = true;
      part.keys.push(columns);
      changed = true;
    }
  }
  for (const { table, columns } of await rows<UniqueIndex>(uniqueIndexes)) tables.get(table)?.keys.push(columns);
  for (const [table, columns] of Object.entries(namesOneOwner))
    tables.get(table)?.keys.push(...columns.map((column) => [column]));
  return tables;
}

const ownedTables = `
  SELECT c.relname AS table, EXISTS (
    SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'owner_id'
  ) AS owned
  FROM pg_class c
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relnamespace = 'public'::regnamespace`;

const names = (relation: string, columns: string) => `ARRAY(
  SELECT a.attname::text
  FROM unnest(${columns}) WITH ORDINALITY AS k(number, nth)
    JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = k.number
  ORDER BY nth
)`;

const references = `
  SELECT conrelid::regclass::text AS table, confrelid::regclass::text AS parent,
    ${names("conrelid", "conkey")} AS columns
  FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`;

const uniqueIndexes = `
  SELECT c.relname AS table, ${names("indrelid", "(indkey::int2[])[0:indnkeyatts - 1]")} AS columns
  FROM pg_index JOIN pg_class c ON c.oid = indrelid
  WHERE indisunique AND indexprs IS NULL AND c.relnamespace = 'public'::regnamespace`;
