import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { obeyed } from "@/lib/testing/operator-command";
import { query } from "@/lib/testing/temporary-postgres";
import { type Cluster, openCluster } from "./embedded-postgres";
import { migrate } from "./migrations";

const dataDir = newDataDir();
const environment = { DATA_DIR: dataDir };
let cluster: Cluster;
let service: pg.Client;
beforeAll(async () => {
  // Simulates a database created before this role existed, when the superuser created everything.
  cluster = await openCluster(dataDir, "command", () => {});
  await migrate(cluster.ownerUrl);
  await query(
    cluster.ownerUrl,
    "INSERT INTO event (owner_id, type, subject) VALUES ('own_1', 'owner.signed_in', 'own_1')",
  );
  await query(cluster.ownerUrl, "DROP ROLE countersign_service");
  await cluster.close();
  expect((await obeyed(environment, ["owner", "list"])).status).toBe(0);
  cluster = await openCluster(dataDir, "service", () => {});
  service = new pg.Client({ connectionString: cluster.url });
  await service.connect();
});
afterAll(async () => {
  await service.end();
  await cluster.close();
  removeDataDir(dataDir);
});

test("connects to PostgreSQL as a role that has no superuser privileges", async () => {
  const { rows } = await service.query("SELECT rolsuper, rolcreaterole FROM pg_roles WHERE rolname = current_user");
  expect(rows).toEqual([{ rolsuper: false, rolcreaterole: false }]);
  await service.query("INSERT INTO event (owner_id, type, subject) VALUES ('own_1', 'owner.signed_in', 'own_1')");
  expect((await service.query("SELECT FROM event WHERE tx >= '0'")).rowCount).toBe(2);
  await service.query(
    "LISTEN news; SELECT pg_notify('news', ''), event_horizon(), skip_idle_transactions('0'), pg_advisory_lock(1)",
  );
  await service.query("BEGIN; LOCK TABLE receipt_key, data_key IN SHARE ROW EXCLUSIVE MODE; ROLLBACK");
});

test.each([
  ["bypass triggers", "SET session_replication_role = replica"],
  ["delete events", "DELETE FROM event"],
  ["delete from one partition", "DELETE FROM event_first"],
  ["change the retention settings", "UPDATE retention SET event_days = 7"],
  ["update events", "UPDATE event SET owner_id = 'own_2'"],
  ["truncate the log", "TRUNCATE event"],
  ["disable a trigger", "ALTER TABLE event DISABLE TRIGGER ALL"],
  ["replace a function", "CREATE OR REPLACE FUNCTION event_tx() RETURNS xid8 LANGUAGE sql AS $$ SELECT '3'::xid8 $$"],
  ["create a table", "CREATE TABLE other (id int)"],
  ["run a program", "COPY event TO PROGRAM 'true'"],
  ["read a file", "SELECT pg_read_file('PG_VERSION')"],
  ["become another role", "SET ROLE countersign"],
  ["create a role", "CREATE ROLE other SUPERUSER"],
])("does not let the service's role %s", async (_, statement) => {
  await expect(service.query(statement)).rejects.toMatchObject({ code: "42501" });
});

test("lets the service's role remove only expired events", async () => {
  await query(cluster.ownerUrl, "UPDATE retention SET event_days = 7");
  await query(
    cluster.ownerUrl,
    "INSERT INTO event (owner_id, type, subject, created_at) VALUES ('own_1', 'x', 'long ago', now() - interval '9 days')",
  );
  await service.query("UPDATE retention SET archived_upto = 1000");
  expect((await service.query("SELECT remove_events() AS gone")).rows).toEqual([{ gone: "1" }]);
  expect((await service.query("SELECT remove_events() AS gone")).rows).toEqual([{ gone: "0" }]);
  expect((await service.query("SELECT FROM event")).rowCount).toBe(2);
  expect((await service.query("SELECT cut_events('close', 1) AS done")).rows).toEqual([{ done: false }]);
});

test("grants the service's role access to tables of later migrations", async () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-later-"));
  mkdirSync(join(folder, "20990101000000_later"));
  writeFileSync(join(folder, "20990101000000_later", "migration.sql"), "CREATE TABLE later (id serial PRIMARY KEY)");
  await query(cluster.ownerUrl, "DELETE FROM _prisma_migrations");
  await migrate(cluster.ownerUrl, { folder });
  await cluster.grant();
  await service.query("INSERT INTO later DEFAULT VALUES");
  rmSync(folder, { recursive: true });
});
