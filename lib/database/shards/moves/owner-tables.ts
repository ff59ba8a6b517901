import type { ClientBase } from "pg";
import { type Home, homeText } from "../homes";
import { serviceTables } from "../service-tables";

/*
 * The tables whose rows move with their owners. The list is read from the database, so that no new
 * table can be forgotten: every table with an owner moves, unless it belongs to the service.
 */

/** A table of owners. `owner` is the column with the owner's ID. */
export type MovedTable = { readonly name: string; readonly owner: "id" | "owner_id" };

/** Returns the tables whose rows move, in alphabetical order. A partitioned table counts once. */
export async function movedTables(client: ClientBase): Promise<MovedTable[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name
     FROM pg_class c
       JOIN pg_attribute a
         ON a.attrelid = c.oid AND a.attname = 'owner_id' AND NOT a.attisdropped
     WHERE c.relnamespace = 'public'::regnamespace
       AND c.relkind IN ('r', 'p')
       AND NOT c.relispartition
     ORDER BY c.relname`,
  );
  const withOwner = rows.filter(({ name }) => !serviceTables.has(name));
  return [{ name: "owner", owner: "id" }, ...withOwner.map(({ name }) => ({ name, owner: "owner_id" }) as const)];
}

/** SQL: whether a row's owner has one of these homes. The texts contain only digits and letters. */
export const isOfHomes = ({ owner }: MovedTable, homes: readonly Home[]): string =>
  `substr(${owner}, 15, 2) = ANY ('{${homes.map(homeText).join(",")}}'::text[])`;
