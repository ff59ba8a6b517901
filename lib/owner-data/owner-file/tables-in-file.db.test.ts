import { expect, test } from "vitest";
import { pool } from "@/lib/database/db";
import { inService } from "@/lib/database/shards/marks";
import { leftBehind, tablesInFile } from "./tables-in-file";

/** Reads the tables of one database. Every shard has the same. */
const query = async <Row extends object>(text: string) => (await inService(() => pool().query<Row>(text))).rows;

test("restores every table of owners, or says why not", async () => {
  const found = await query<{ name: string }>(
    `SELECT c.relname AS name
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'owner_id'
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
  );
  // The keys and secrets have no owner, but belong to rows that do.
  const others = ["owner", "data_key", "receipt_key", "webhook_secret"];
  const listed = [...new Set(Object.values(tablesInFile).map(({ of }) => of.table)), ...Object.keys(leftBehind)];
  expect(listed.sort()).toEqual([...found.map(({ name }) => name), ...others].sort());
});

test("names only columns that exist", async () => {
  const rows = await query<{ table: string; columns: string[] }>(
    `SELECT table_name AS table, array_agg(column_name::text) AS columns
     FROM information_schema.columns WHERE table_schema = 'public' GROUP BY 1`,
  );
  const columnsOf = new Map(rows.map(({ table, columns }) => [table, columns]));
  for (const { of, omits = [], only = [], values = {} } of Object.values(tablesInFile))
    expect(columnsOf.get(of.table)).toEqual(expect.arrayContaining([...omits, ...only, ...Object.keys(values)]));
});
