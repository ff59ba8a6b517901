/*
 * Some tables belong to the service, not to an owner: apps, keys, throttles, and requests for
 * access before an owner decides. They are in the directory. A statement that names only these
 * tables goes there, whoever sent it, so domains never need to say so.
 *
 * A statement that reads such a table together with an owner's tables goes to the owner's shard,
 * which has a copy of `app`, `webhook_endpoint` and the keys (directory-copies.ts).
 */

export const serviceTables: ReadonlySet<string> = new Set([
  "app",
  "consent_request",
  "data_key",
  "device_code",
  "email_route",
  "home_placement",
  "instance_placement",
  "passkey_challenge",
  "placement_version",
  "receipt_key",
  "retained_key",
  "shard",
  "throttle",
  "webhook_endpoint",
  "webhook_secret",
]);

/** The tables that say which shard stores which homes. */
export const placementTables: readonly string[] = ["home_placement", "placement_version", "shard"];

/**
 * The tables that every shard has a copy of (./replication/replicate-directory.ts), because owners'
 * statements join them.
 */
export const replicatedTables: readonly string[] = [
  ...placementTables,
  "app",
  "data_key",
  "receipt_key",
  "retained_key",
  "webhook_endpoint",
  "webhook_secret",
];

/** Parts of a statement in which FROM or UPDATE is not followed by a table. */
const notBeforeTables =
  /--[^\n]*|'(?:[^']|'')*'|\bextract\s*\(\s*\w+\s+FROM\b|\bDISTINCT\s+FROM\b|\bDO\s+UPDATE\b|\bFOR\s+(?:NO\s+KEY\s+)?UPDATE\b/gi;
const named = /\b(?:FROM|JOIN|INTO|UPDATE|USING|LOCK\s+TABLE)\s+(?:ONLY\s+|LATERAL\s+)?"?([a-z_]\w*)"?(?!\w|\s*\()/gi;
const inserted = /\bINTO\s+"?([a-z_]\w*)"?/gi;
const ctes = /\b([a-z_]\w*)\s+AS\s+(?:(?:NOT\s+)?MATERIALIZED\s+)?\(/gi;

/** Returns the tables and views that a statement names. */
export function tablesIn(text: string): string[] {
  const plain = text.replaceAll(notBeforeTables, " ");
  const defined = new Set([...plain.matchAll(ctes)].map(([, name = ""]) => name));
  const names = [named, inserted].flatMap((form) => [...plain.matchAll(form)].map(([, name = ""]) => name));
  return [...new Set(names)].filter((name) => !defined.has(name));
}

/** Whether a statement only reads the clock, which needs no table. */
export const readsOnlyClock = (text: string): boolean =>
  /^\s*SELECT\b/i.test(text) &&
  tablesIn(text).length === 0 &&
  [...text.replaceAll(notBeforeTables, " (").matchAll(/\b([a-z_]\w*)\s*\(/gi)].every(([, name = ""]) =>
    /^(select|now|clock_timestamp|extract|floor)$/i.test(name),
  );

const known = new Map<string, boolean>();

/** Whether a statement names only tables of the service. */
export function isOfService(text: string): boolean {
  let it = known.get(text);
  if (it === undefined) {
    const tables = tablesIn(text);
    known.set(text, (it = tables.length > 0 && tables.every((table) => serviceTables.has(table))));
  }
  return it;
}

const models = new Set([...serviceTables].map((table) => table.replace(/_(.)/g, (_, letter) => letter.toUpperCase())));

/** Whether a Prisma model, like `deviceCode`, is a table of the service. */
export const isModelOfService = (model: string): boolean => models.has(model);
