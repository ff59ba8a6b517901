import { existsSync, readdirSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/lib/config/env";
import { serviceTables } from "../service-tables";
import { movedTables } from "./owner-tables";

/** Tables that every shard has for itself, without rows of owners. */
const perShard = ["_prisma_migrations", "skipped_transaction", "retention", "secret_check", "webhook_cursor"];

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: env().databaseUrl });
  await client.connect();
});
afterAll(() => client.end());

const namesOf = async () => (await movedTables(client)).map(({ name }) => name);

/** Returns the tables whose rows belong to owners, as the domains declare for exports and deletions. */
async function declaredTables(): Promise<string[]> {
  const domains = readdirSync("lib").filter((domain) => existsSync(`lib/${domain}/owner-data-tables.ts`));
  const modules: object[] = await Promise.all(
    domains.map((domain) => import(`../../../${domain}/owner-data-tables.ts`)),
  );
  const declared = modules.flatMap((exported) => Object.values(exported)).filter((it) => typeof it === "object");
  return [...new Set(declared.map(({ table }) => table as string))];
}

test("moves exactly the tables that domains declare as owners' data, except the service's", async () => {
  const cascading = (await namesOf()).filter((name) =>
    /^(integration_secret|alert_(subject|delivery)|webhook_attempt)$/.test(name),
  );
  const declared = (await declaredTables()).filter((name) => !serviceTables.has(name));
  expect([...(await namesOf())].sort()).toEqual([...new Set([...declared, ...cascading])].sort());
});

test("moves every table, except the service's and those of each shard", async () => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
  );
  const others = rows.map(({ name }) => name).filter((name) => !serviceTables.has(name) && !perShard.includes(name));
  expect((await namesOf()).sort()).toEqual(others.sort());
});

test("finds the rows of a home by the owner's ID", async () => {
  for (const { name, owner } of await movedTables(client)) {
    const { rows } = await client.query(
      `SELECT data_type AS type, is_nullable AS nullable FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name = $1 AND column_name = $2`,
      [name, owner],
    );
    // A row without an owner would stay on the former shard.
    expect([name, rows]).toEqual([name, [{ type: "text", nullable: "NO" }]]);
  }
});
