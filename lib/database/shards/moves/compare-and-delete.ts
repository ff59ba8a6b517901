import type pg from "pg";
import { retryOnConflict } from "../../retry-conflict";
import type { Home } from "../homes";
import { isOfHomes, movedTables } from "./owner-tables";

/** The number of rows of the moved homes in a table, and a checksum of their contents. */
export type TableContent = { readonly table: string; readonly rows: string; readonly checksum: string };

/** Opens a snapshot that later `readTableContents` calls use. */
export const openSnapshot = (client: pg.ClientBase): Promise<unknown> =>
  client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1 FROM public.placement_version");

/** Reads each table's rows and checksum. Reads whole tables, so it can take long. */
export async function readTableContents(client: pg.ClientBase, homes: readonly Home[]): Promise<TableContent[]> {
  const content: TableContent[] = [];
  // The texts of rows must not depend on a session's settings.
  await client.query("SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres'");
  for (const table of await movedTables(client)) {
    const { rows } = await client.query<Omit<TableContent, "table">>(
      `SELECT count(*)::text AS rows,
         coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text AS checksum
       FROM public."${table.name}" t
       WHERE ${isOfHomes(table, homes)}`,
    );
    content.push({ table: table.name, ...rows[0]! });
  }
  return content;
}

/** Returns a sentence for each table whose contents differ. */
export const differences = (former: readonly TableContent[], moved: readonly TableContent[]): string[] =>
  former.flatMap(({ table, rows, checksum }) => {
    const there = moved.find((it) => it.table === table);
    if (there?.rows === rows && there.checksum === checksum) return [];
    return [`${table} has ${rows} rows on the former shard and ${there?.rows ?? 0} on the new shard`];
  });

const batch = 5000;
/**
 * How often a batch is deleted again after a deadlock. Work that began before the switch, such as
 * sending a webhook, can still lock former rows, in another order.
 */
const maxRetries = 20;

/**
 * Deletes the rows of homes from a shard that does not store these homes. Triggers don't run, so
 * that nothing is recorded and immutable rows can be deleted.
 * @returns the number of deleted rows
 */
export async function deleteHomes(
  client: pg.ClientBase,
  homes: readonly Home[],
  tell: (rows: number) => void = () => {},
): Promise<number> {
  let deleted = 0;
  await client.query("SET session_replication_role = replica");
  try {
    for (const table of await movedTables(client)) {
      for (;;) {
        const deletion = `DELETE FROM public."${table.name}"
           WHERE (tableoid, ctid) IN (
             SELECT tableoid, ctid FROM public."${table.name}"
             WHERE ${isOfHomes(table, homes)} LIMIT ${batch}
           )`;
        const { rowCount } = await retryOnConflict(() => client.query(deletion), maxRetries);
        deleted += rowCount ?? 0;
        if ((rowCount ?? 0) < batch) break;
        tell(deleted);
      }
    }
  } finally {
    await client.query("SET session_replication_role = DEFAULT");
  }
  return deleted;
}
