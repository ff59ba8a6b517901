import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { contradictingOwners } from "@/lib/testing/contradicting-owners";
import { separateDatabase } from "@/lib/testing/separate-database";

test("finds rows that state another owner than the rows that they refer to", async () => {
  const database = await separateDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    INSERT INTO owner (id, email, name, password_hash) SELECT 'own_' || n, n, '', '' FROM generate_series(1, 2) AS n;
    INSERT INTO app (id, owner_id, name, name_skeleton, redirect_uris) VALUES ('app_1', 'own_1', '', '', '{}');
    INSERT INTO app_grant (id, owner_id, app_id) VALUES ('grt_2', 'own_2', 'app_1');
    INSERT INTO grant_scope (owner_id, grant_id, scope) VALUES ('own_2', 'grt_2', 'approvals:read')`);
  expect(await contradictingOwners(database.url)).toEqual([]);
  await client.query("INSERT INTO grant_scope (owner_id, grant_id, scope) VALUES ('own_1', 'grt_2', 'other')");
  expect(await contradictingOwners(database.url)).toEqual(["grant_scope_grant_id_fkey: 1"]);
  await client.end();
  await database.end();
});

const schema = readFileSync("prisma/schema.prisma", "utf8");
const models = [...schema.matchAll(/^model \w+ \{.*?^ {2}@@map\("(\w+)"\)/gms)].map(([model, table = ""]) => ({
  table,
  owner: /^ {2}ownerId +String(\??).*@map\("owner_id"\)/m.exec(model)?.[1],
}));

test("gives every table an owner, except the tables of the whole service", () => {
  const keys = ["data_key", "receipt_key", "retained_key", "secret_check"];
  const log = ["skipped_transaction", "retention", "webhook_cursor"];
  const ofApps = ["webhook_secret"];
  const placement = ["shard", "home_placement", "placement_version", "instance_placement"];
  const others = models.filter(({ owner }) => owner === undefined).map(({ table }) => table);
  expect(others.sort()).toEqual(["owner", "throttle", ...keys, ...log, ...ofApps, ...placement].sort());
});

/** Each INSERT in the product's SQL: the table, and the columns. */
const inserts = readdirSync("lib", { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile() && file.name.endsWith(".ts") && !file.name.endsWith(".test.ts"))
  .map((file) => join(file.parentPath, file.name))
  .filter((path) => !/^lib\/(generated|testing)\//.test(path))
  .flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/INSERT INTO (\w+)(?: AS \w+)? \(([^)]*)\)/g)].map(
      ([, table = "", columns = ""]) => ({ path, table, columns: columns.split(",").map((name) => name.trim()) }),
    ),
  );

test("states the owner in every INSERT into a table of owners", () => {
  expect(inserts.map(({ table }) => table)).toEqual(expect.arrayContaining(["approval", "token", "webhook_attempt"]));
  // Some rows get their owner later, such as a device's request.
  const owned = models.filter(({ owner }) => owner === "").map(({ table }) => table);
  const without = inserts.filter(({ table, columns }) => owned.includes(table) && !columns.includes("owner_id"));
  expect(without.map(({ path, table }) => `${path} → ${table}`)).toEqual([]);
});
