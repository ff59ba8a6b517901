import { existsSync, readdirSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { pool } from "@/lib/database/db";
import type { ExportedTable, OwnerTable } from "@/lib/database/owner-data-table";
import { inService } from "@/lib/database/shards/marks";
import { deletedTables, deliveryTables, exportedTables } from "./exported-and-deleted-tables";

/** Tables whose rows other statements or PostgreSQL delete, or whose rows stay. */
const apart = ["app", "event", "owner", "integration_secret", "webhook_secret"];

/** The tables that domains declare. */
let named: OwnerTable[];
beforeAll(async () => {
  const domains = readdirSync("lib").filter((domain) => existsSync(`lib/${domain}/owner-data-tables.ts`));
  const modules: object[] = await Promise.all(domains.map((domain) => import(`../${domain}/owner-data-tables.ts`)));
  named = modules.flatMap((exported) => Object.values(exported)).filter((it) => typeof it === "object");
});

const isTaken = (it: OwnerTable): it is ExportedTable => it.withheld !== "whole";
const tables = (them: Iterable<OwnerTable>) => [...new Set([...them].map(({ table }) => table))].sort();
/** Reads the tables of one database. Every shard has the same. */
const query = async <Row extends object>(text: string) => (await inService(() => pool().query<Row>(text))).rows;

test("includes every table with owners' rows in an account deletion", async () => {
  const found = await query<{ name: string; cascades: boolean }>(
    `SELECT DISTINCT table_name AS name,
        EXISTS (SELECT FROM pg_constraint c WHERE c.conrelid = table_name::regclass AND c.confdeltype = 'c') AS cascades
      FROM information_schema.columns JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE t.table_type = 'BASE TABLE' AND table_schema = 'public' AND column_name = 'owner_id'
        AND NOT (SELECT relispartition FROM pg_class WHERE oid = table_name::regclass)`,
  );
  const listed = [...tables(deletedTables), "app", "event"].sort();
  // PostgreSQL deletes the rows of other tables together with the rows that they refer to.
  const must = found.filter(({ name, cascades }) => !cascades || listed.includes(name));
  expect(listed).toEqual(must.map(({ name }) => name).sort());
  expect(tables(deletedTables)).toHaveLength(deletedTables.length);
  expect(tables(deletedTables)).toEqual(expect.arrayContaining(tables(deliveryTables)));
});

test("lists every table whose rows remain after an account deletion", async () => {
  const others = await query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND NOT relispartition AND relnamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conrelid = pg_class.oid AND c.confdeltype = 'c')`,
  );
  const rest = others.map(({ name }) => name).filter((name) => !tables(named).includes(name));
  // Tables without owners' data, or with only short-lived data. The rate limiter stores hashes for
  // at most a day.
  const ours = [
    "data_key",
    "skipped_transaction",
    "receipt_key",
    "retained_key",
    "retention",
    "secret_check",
    "webhook_cursor",
    "_prisma_migrations",
    ...["shard", "home_placement", "placement_version", "instance_placement"],
  ];
  expect(rest.sort()).toEqual([...ours, "throttle"].sort());
});

test("exports every table with owners' rows unless the whole table is withheld", () => {
  expect(tables(named)).toEqual([...tables(deletedTables), ...apart].sort());
  expect(tables(Object.values(exportedTables))).toEqual(tables(named.filter(isTaken)));
});

test("exports or explicitly withholds every column of owners' tables", async () => {
  const rows = await query<{ table: string; columns: string[] }>(
    `SELECT table_name AS table, array_agg(column_name::text ORDER BY column_name) AS columns
      FROM information_schema.columns WHERE table_schema = 'public' GROUP BY 1`,
  );
  const columnsOf = new Map(rows.map(({ table, columns }) => [table, columns]));
  for (const { table, columns, withheld } of named.filter(isTaken))
    expect([table, [...columns, ...withheld].sort()]).toEqual([table, columnsOf.get(table)]);
});
