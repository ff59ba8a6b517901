import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize } from "node:v8";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownDatabase } from "@/lib/testing/own-database";
import { onOneLine } from "@/lib/testing/spied-sql-statements";
import { acrossOwners } from "./across-owners";
import { type PlanStep, scansAcrossOwners, type TableKeys } from "./scans-across-owners";
import type { RecordedStatement } from "./statement-recorder";
import { readTableKeys } from "./table-keys";

/*
 * An owner's data will be on one of several PostgreSQL clusters, so a statement for an owner must
 * find all its rows by that owner. This plans every statement that the product sent during the
 * database tests, with its values. `npm test` and `npm run check` record the statements.
 */

const { url, end } = await ownDatabase();
const database = new pg.Client({ connectionString: url });
let tables: Map<string, TableKeys>;

beforeAll(async () => {
  await database.connect();
  tables = await readTableKeys(database);
  await database.query("BEGIN");
});

afterAll(async () => {
  await database.query("ROLLBACK");
  await database.end();
  await end();
});

/** Returns the tables of owners that a statement reads without limiting the rows to one owner. */
async function tablesAcrossOwners(text: string, values: unknown[]): Promise<string[]> {
  await database.query("SAVEPOINT planned");
  try {
    const { rows } = await database.query({ text: `EXPLAIN (FORMAT JSON, VERBOSE) ${text}`, values });
    // Prisma reads related rows with the IDs that its former statement returned.
    const isPrisma = text.includes('"public".');
    return [...new Set(scansAcrossOwners(rows[0]["QUERY PLAN"][0].Plan as PlanStep, tables, isPrisma))];
  } finally {
    await database.query("ROLLBACK TO planned");
  }
}

/** Returns the recorded statements, each with the values of which the fewest are empty. */
function recordedStatements(): RecordedStatement[] {
  const folder = process.env.RECORDED_STATEMENTS ?? "";
  const lines = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), "utf8").trimEnd().split("\n"));
  const byText = new Map<string, RecordedStatement>();
  for (const line of lines) {
    const recorded: RecordedStatement = JSON.parse(line);
    const before = byText.get(recorded.text);
    if (!before || recorded.empty < before.empty) byText.set(recorded.text, recorded);
  }
  return [...byText.values()].filter(({ text }) => /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/.test(text));
}

test("limits every statement to one owner's rows, except those listed with a reason", async () => {
  const statements = recordedStatements();
  const unlisted: string[] = [];
  for (const { file, text, values } of statements) {
    for (const table of await tablesAcrossOwners(text, deserialize(Buffer.from(values, "base64"))))
      if (!acrossOwners[file]?.includes(table)) unlisted.push(`${file} reads any owner's ${table}: ${onOneLine(text)}`);
  }
  const howTo = "Add the owner to the condition, or list the file in lib/testing/owner-statements/across-owners.ts";
  expect(unlisted, howTo).toEqual([]);
  expect(statements.length).toBeGreaterThan(200);
});

test("lists only files and tables that exist", () => {
  expect(Object.keys(acrossOwners).filter((file) => !existsSync(file))).toEqual([]);
  const unknown = Object.values(acrossOwners)
    .flat()
    .filter((table) => !tables.get(table)?.ofOwners);
  expect(unknown).toEqual([]);
});
