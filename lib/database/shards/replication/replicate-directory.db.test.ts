import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "@/lib/postgres/migrations";
import { eventually } from "@/lib/testing/eventually";
import { replicatingPostgres } from "@/lib/testing/replicating-postgres";
import { query } from "@/lib/testing/temporary-postgres";
import { replicatedTables } from "../service-tables";
import {
  copyState,
  endReplication,
  replicateDirectory,
  type Server,
  untilApplied,
  untilCopied,
} from "./replicate-directory";
import { dropLostSlots } from "./replication-slots";

/* Two databases of one server. Each test continues with the state that the previous one left. */

let postgres: Awaited<ReturnType<typeof replicatingPostgres>>;
let [directory, shard]: Server[] = [];

beforeAll(async () => {
  postgres = await replicatingPostgres();
  await query(postgres.server.url, "ALTER SYSTEM SET wal_retrieve_retry_interval = '100ms'");
  await query(postgres.server.url, "SELECT pg_reload_conf()");
  await migrate(postgres.two);
  directory = await open(postgres.main);
  shard = await open(postgres.two);
});
afterAll(async () => {
  await endReplication(directory!.client, shard!.client);
  for (const server of [directory, shard]) await (server!.client as pg.Client).end();
  await postgres.end();
});

async function open(url: string): Promise<Server> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return { client, url };
}

const addApp = (id: string) =>
  directory!.client.query("INSERT INTO app (id, name, name_skeleton, deleted_at) VALUES ($1, $1, $1, now())", [id]);
const shardOfName = (name: string, number: number) =>
  directory!.client.query("INSERT INTO shard (name, number) VALUES ($1, $2)", [name, number]);
const list = async ({ client }: Server, text: string) => (await client.query({ text, rowMode: "array" })).rows.flat();
const slots = () =>
  list(directory!, "SELECT slot_name::text FROM pg_replication_slots WHERE database = current_database()");
const apps = () => list(shard!, "SELECT id FROM app ORDER BY id");
/** Brings the copies up to date, as `shards add` does. */
async function replicate(from = directory!) {
  await replicateDirectory(from, shard!);
  await untilCopied(directory!.client, shard!.client, AbortSignal.timeout(60_000));
  await untilApplied(directory!.client, shard!.client);
}

test("continues after the slot was created without a subscription, and replaces the rows of migrations", async () => {
  await addApp("app_first");
  // The shard's role must not create the subscription.
  await shard!.client.query("CREATE ROLE nobody; SET ROLE nobody");
  await expect(replicateDirectory(directory!, shard!)).rejects.toThrow("permission denied");
  await shard!.client.query("RESET ROLE");
  expect(await slots()).toHaveLength(1);
  expect(await copyState(directory!.client, shard!.client)).toMatchObject({ tables: 0, lacking: replicatedTables });

  await replicate();
  expect(await slots()).toHaveLength(1);
  expect(await apps()).toEqual(["app_first"]);
  expect(await list(shard!, "SELECT name FROM shard")).toEqual(["main"]);
  expect(await copyState(directory!.client, shard!.client)).toMatchObject({ lacking: [] });
});

test("copies later changes", async () => {
  await addApp("app_second");
  await shardOfName("two", 1);
  await directory!.client.query("UPDATE app SET name = 'Changed' WHERE id = 'app_first'");
  await untilApplied(directory!.client, shard!.client);
  expect(await apps()).toEqual(["app_first", "app_second"]);
  expect(await list(shard!, "SELECT name FROM app WHERE id = 'app_first'")).toEqual(["Changed"]);
  expect(await list(shard!, "SELECT name FROM shard ORDER BY number")).toEqual(["main", "two"]);
});

test("uses the directory's changed password", async () => {
  await directory!.client.query("CREATE ROLE copying SUPERUSER LOGIN PASSWORD 'former'");
  const withPassword = (password: string) => {
    const url = new URL(postgres.main);
    return { client: directory!.client, url: Object.assign(url, { username: "copying", password }).href };
  };
  await replicate(withPassword("former"));
  await directory!.client.query("ALTER ROLE copying PASSWORD 'changed'");
  await directory!.client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'walsender'",
  );
  await addApp("app_third");
  await replicate(withPassword("changed"));
  expect(await apps()).toEqual(["app_first", "app_second", "app_third"]);
  expect(await list(directory!, "SELECT DISTINCT usename::text FROM pg_stat_replication")).toEqual(["copying"]);
});

test("copies a table that a newer version adds, although migrations created the same rows on the shard", async () => {
  // As with an earlier version, which did not copy these tables.
  await directory!.client.query("ALTER PUBLICATION countersign_directory DROP TABLE shard, placement_version");
  await shard!.client.query("ALTER SUBSCRIPTION countersign_directory REFRESH PUBLICATION");
  await shard!.client.query("DELETE FROM shard WHERE name = 'two'; UPDATE placement_version SET version = 1");
  await shardOfName("three", 2);
  expect((await copyState(directory!.client, shard!.client)).lacking).toEqual(["placement_version", "shard"]);

  await replicate();
  await shardOfName("four", 3);
  await untilApplied(directory!.client, shard!.client);
  expect(await list(shard!, "SELECT name FROM shard ORDER BY number")).toEqual(["main", "two", "three", "four"]);
  const versions = "SELECT version::text FROM placement_version";
  expect(await list(shard!, versions)).toEqual(await list(directory!, versions));
  expect(await apps()).toHaveLength(3);
});

test("drops the slot of a lost server but not those of others, and copies again if the server is back", async () => {
  const dropped = () => dropLostSlots(directory!.client, []);
  await expect(dropped()).rejects.toThrow("still connected");
  await expect(dropLostSlots(directory!.client, [shard!.client])).resolves.toBe(0);
  // The shard's server no longer connects.
  await shard!.client.query("ALTER SUBSCRIPTION countersign_directory DISABLE");
  await eventually(async () => expect(await dropped()).toBe(1));
  expect(await slots()).toEqual([]);
  await addApp("app_fourth");
  await directory!.client.query("DELETE FROM app WHERE id = 'app_first'");

  await replicate();
  expect(await apps()).toEqual(["app_fourth", "app_second", "app_third"]);
});

test("ends without the directory's address, leaves the rows, and can begin again", async () => {
  await shard!.client.query("ALTER SUBSCRIPTION countersign_directory CONNECTION 'host=127.0.0.1 port=1'");
  await endReplication(directory!.client, shard!.client);
  await endReplication(directory!.client, shard!.client);
  expect(await slots()).toEqual([]);
  expect(await list(shard!, "SELECT subname::text FROM pg_subscription")).toEqual([]);
  expect(await apps()).toHaveLength(3);
  await replicate();
  expect(await apps()).toHaveLength(3);
});
