import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contradictingOwners } from "@/lib/testing/contradicting-owners";
import { databaseBefore } from "@/lib/testing/database-before-migration";
import { migrate } from "./migrations";

/** The tables that got an owner, with the values of a row without the owner. */
const rows: Record<string, (id: string) => string> = {
  token: (id) => `(id, hash, kind, grant_id, family_id, scopes, last4, expires_at)
    VALUES ('${id}', '${id}', 'access', 'grt_2', 'fam', '{}', '', now())`,
  grant_scope: (id) => `(grant_id, scope) VALUES ('grt_2', '${id}')`,
  taken_scope: (id) => `(grant_id, scope, granted_at, session_id) VALUES ('grt_2', '${id}', now(), 'ses_1')`,
  grant_integration: (id) => `(grant_id, integration_id) VALUES ('grt_2', '${id}')`,
  refresh_token: (id) => `(hash, grant_id, family_id, scopes, expires_at, ends_at)
    VALUES ('${id}', 'grt_2', 'fam', '{}', now(), now())`,
  authorization_code: (id) => `(hash, app_id, grant_id, family_id, redirect_uri, code_challenge, scopes, expires_at)
    VALUES ('${id}', 'app_1', 'grt_2', 'fam', '', '', '{}', now())`,
  integration_secret: (id) => `(integration_id, key_id, sealed) VALUES ('${id}', 'key_1', '')`,
  alert_subject: (id) => `(subject, alert_id) VALUES ('${id}', 'alt_2')`,
  alert_delivery: (id) => `(alert_id, subscription_id, kind) VALUES ('alt_2', '${id}', 'show')`,
  webhook_attempt: (id) => `(delivery_id, number, at, ms) VALUES ('whd_2', ${id.at(-1)}, now(), 1)`,
};

let client: pg.Client;
let old: Awaited<ReturnType<typeof databaseBefore>>;
beforeAll(async () => {
  old = await databaseBefore("20261205");
  client = new pg.Client({ connectionString: old.url });
  await client.connect();
  // The endpoint belongs to the owner of the app, and the delivery to the event's owner.
  await client.query(`
    INSERT INTO owner (id, email, name, password_hash) SELECT 'own_' || n, n, '', '' FROM generate_series(1, 2) AS n;
    INSERT INTO app (id, owner_id, name, name_skeleton, redirect_uris) VALUES ('app_1', 'own_1', '', '', '{}');
    INSERT INTO app_grant (id, owner_id, app_id) SELECT 'grt_' || n, 'own_' || n, 'app_1' FROM generate_series(1, 2) AS n;
    INSERT INTO integration (id, owner_id, provider, issuer, subject, email)
      SELECT 'int_' || n, 'own_2', 'google', '', n, '' FROM generate_series(1, 4) AS n;
    INSERT INTO data_key (id, wrapped, wrapped_by) VALUES ('key_1', '', '');
    INSERT INTO alert (id, owner_id, app_id, about, tag) VALUES ('alt_2', 'own_2', 'app_1', 'questions', '');
    INSERT INTO webhook_endpoint (id, owner_id, app_id, url) VALUES ('whk_1', 'own_1', 'app_1', '');
    INSERT INTO webhook_delivery (id, endpoint_id, owner_id, event, type, body) VALUES ('whd_2', 'whk_1', 'own_2', '', '', '')`);
  for (const [table, values] of Object.entries(rows)) await client.query(`INSERT INTO ${table} ${values("int_1")}`);
  await migrate(old.url);
});
afterAll(async () => {
  await client.end();
  await old.end();
});

const ownersIn = async (table: string) =>
  (await client.query<{ owner_id: string }>(`SELECT owner_id FROM ${table}`)).rows.map((row) => row.owner_id);

test.each(Object.entries(rows))("fills the owner of %s in rows from before the column", async (table, values) => {
  expect(await ownersIn(table)).toEqual(["own_2"]);
  // An instance of the previous version doesn't know the column.
  await client.query(`INSERT INTO ${table} ${values("int_2")}`);
  expect(await ownersIn(table)).toEqual(["own_2", "own_2"]);
});

test("stores the owner that a statement states", async () => {
  expect(await contradictingOwners(old.url)).toEqual([]);
  await client.query("INSERT INTO grant_scope (owner_id, grant_id, scope) VALUES ('own_1', 'grt_2', 'other')");
  expect(await contradictingOwners(old.url)).toEqual(["grant_scope_grant_id_fkey: 1"]);
});

const schema = readFileSync("prisma/schema.prisma", "utf8");
const models = [...schema.matchAll(/^model \w+ \{.*?^ {2}@@map\("(\w+)"\)/gms)].map(([model, table = ""]) => ({
  table,
  owner: /^ {2}ownerId +String(\??).*@map\("owner_id"\)/m.exec(model)?.[1],
}));

test("gives every table an owner, except the tables of the whole service", () => {
  const keys = ["data_key", "receipt_key", "retained_key", "secret_check"];
  const log = ["event_passed", "retention", "webhook_cursor"];
  const ofApps = ["pushed_request", "webhook_secret"];
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
