import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pool } from "@/lib/database/db";

// The SQL migrations and schema.prisma are both written by hand. This test compares them.
const schema = readFileSync(join(import.meta.dirname, "../../prisma/schema.prisma"), "utf8");

const types: Record<string, string> = {
  String: "text",
  Boolean: "bool",
  Int: "int4",
  BigInt: "int8",
  Bytes: "bytea",
  DateTime: "timestamptz(3)",
  Json: "jsonb",
  xid8: "xid8",
};

type Field = { name: string; column: string; type: string; nullable: boolean; isUnique: boolean; isId: boolean };
type Model = { table: string; fields: Field[]; indexes: string[] };

const models: Model[] = [...schema.matchAll(/^model \w+ \{\n([\s\S]*?)^\}/gm)].map(([, body = ""]) => {
  const fields = [...body.matchAll(/^ {2}(\w+) +(?:Unsupported\(")?(\w+)(?:"\))?(\[\])?(\?)? *(.*)$/gm)]
    .filter(([, , type = ""]) => type in types)
    .map(([, name = "", type = "", list, optional, rest = ""]) => ({
      name,
      column: /@map\("(\w+)"\)/.exec(rest)?.[1] ?? name,
      type: list ? `_${types[type]}` : rest.includes("@db.Json") ? "json" : (types[type] as string),
      nullable: optional !== undefined,
      isUnique: /@unique\b/.test(rest),
      isId: /@id\b/.test(rest),
    }));
  const table = /@@map\("(\w+)"\)/.exec(body)?.[1] as string;
  const columns = (list: string) =>
    list.split(",").map((name) => fields.find((field) => field.name === name.trim())?.column ?? `?${name}`);
  const named = (list: string, suffix: string) => `${table}_${columns(list).join("_")}_${suffix}`;
  return {
    table,
    fields,
    indexes: [
      `${table}_pkey`,
      ...fields.filter(({ isUnique }) => isUnique).map(({ column }) => `${table}_${column}_key`),
      ...[...body.matchAll(/@@unique\(\[(.*?)\]\)/g)].map(([, list = ""]) => named(list, "key")),
      ...[...body.matchAll(/@@index\(\[(.*?)\]\)/g)].map(([, list = ""]) => named(list, "idx")),
    ],
  };
});

test("defines a Prisma model for every table", async () => {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
      AND relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations'`,
  );
  expect(models.map(({ table }) => table).sort()).toEqual(rows.map(({ name }) => name).sort());
});

test.each(models)("gives the table $table exactly the columns of its Prisma model", async ({ table, fields }) => {
  const { rows } = await pool().query<{ column: string; type: string; nullable: boolean }>(
    `SELECT attname AS column, NOT attnotnull AS nullable,
       CASE typname WHEN 'timestamptz' THEN 'timestamptz(' || atttypmod || ')' ELSE typname END AS type
     FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
    [table],
  );
  const byColumn = (a: { column: string }, b: { column: string }) => (a.column < b.column ? -1 : 1);
  const expected = fields.map(({ column, type, nullable }) => ({ column, type, nullable }));
  expect(rows.sort(byColumn)).toEqual(expected.sort(byColumn));
});

test.each(models)("creates every key and index that the Prisma model of $table defines", async (model) => {
  const { rows } = await pool().query<{ name: string }>(
    "SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indrelid = $1::regclass",
    [model.table],
  );
  expect(rows.map(({ name }) => name.replaceAll('"', ""))).toEqual(expect.arrayContaining(model.indexes));
});

test("sets the search path of every function, or binds the function's tables when it is created", async () => {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT proname AS name FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace AND prosqlbody IS NULL
       AND NOT EXISTS (SELECT FROM unnest(proconfig) AS setting WHERE setting LIKE 'search_path=%')`,
  );
  expect(rows).toEqual([]);
});

test("describes every table, view and function in the initial schema", () => {
  const text = readFileSync("prisma/migrations/20261128000000_initial/migration.sql", "utf8");
  const created = [...text.matchAll(/^(.*)\nCREATE (?:TABLE|VIEW|FUNCTION) (\w+)/gm)];
  expect(created.length).toBeGreaterThan(100);
  expect(created.filter(([, before = ""]) => !before.startsWith("-- ")).map(([, , name]) => name)).toEqual([]);
});
