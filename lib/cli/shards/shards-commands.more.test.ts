import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Home } from "@/lib/database/shards/homes";
import { newOwnerId } from "@/lib/ids";
import { eventually } from "@/lib/testing/eventually";
import { inWords, obeyed } from "@/lib/testing/operator-command";
import { replicatingPostgres } from "@/lib/testing/replicating-postgres";
import { inDatabase, query, throwawayPostgres } from "@/lib/testing/temporary-postgres";

let postgres: Awaited<ReturnType<typeof replicatingPostgres>>;
const SECRET = process.env.SECRET ?? "";
const settings = (more: Record<string, string> = {}) => ({
  DATABASE_URL: postgres.main,
  SECRET,
  SHARDS: `two=${postgres.two}`,
  ...more,
});
const shards = (...args: string[]) => obeyed(settings(), ["shards", ...args]);

beforeAll(async () => {
  postgres = await replicatingPostgres();
});
afterAll(() => postgres.end());

async function rows(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
const anOwnerOf = (home: number) => {
  const id = newOwnerId(home as Home);
  return query(
    postgres.main,
    `INSERT INTO owner (id, email, name, password_hash) VALUES ('${id}', '${id}@example.com', 'Robin', '-')`,
  );
};

test("adds a shard, moves homes there and back, and shows the shards", async () => {
  for (const home of [0, 600, 700]) await anOwnerOf(home);
  await query(postgres.main, "INSERT INTO app (id, name, name_skeleton) SELECT 'app_x', 'X', 'x' WHERE false").catch(
    () => {},
  );
  expect((await shards("add", "two")).json()).toEqual({ name: "two", number: 1 });
  expect((await shards("add", "two")).json()).toEqual({ name: "two", number: 1 });
  // The shard's copy of the directory gets the new row a moment later.
  await expect
    .poll(() => rows(postgres.two, "SELECT name FROM shard ORDER BY number"))
    .toEqual([{ name: "main" }, { name: "two" }]);

  const moved = (await shards("move", "600-650,700", "--to", "two", "--homes-per-round", "40")).json();
  expect(moved.moved).toHaveLength(52);
  expect(await rows(postgres.two, "SELECT count(*)::int AS n FROM owner")).toEqual([{ n: 2 }]);
  expect(await rows(postgres.main, "SELECT count(*)::int AS n FROM owner")).toEqual([{ n: 1 }]);
  const status = (await shards("status")).json();
  expect(status).toMatchObject({
    shards: [
      { name: "main", reachable: true, owners: 1, homeCount: 972 },
      { name: "two", reachable: true, owners: 2, homes: "600-650 700", missingMigrations: 0 },
    ],
    move: null,
  });
  const text = (await inWords(settings(), ["shards", "status"])).out;
  expect(text).toContain("52 (600-650 700)");
  expect((await shards("move", "700", "--to", "main")).json()).toMatchObject({ moved: [700] });
  expect(await rows(postgres.main, "SELECT count(*)::int AS n FROM owner")).toEqual([{ n: 2 }]);
  // Nothing of the moves remains.
  for (const url of [postgres.main, postgres.two])
    expect(await rows(url, "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'placed_homes%'")).toEqual([]);
  expect(
    await rows(
      postgres.main,
      "SELECT relname FROM pg_class WHERE relreplident = 'f' AND relnamespace = 'public'::regnamespace",
    ),
  ).toEqual([]);
});

test("detaches a lost shard, which keeps its homes, and uses its restored server again", async () => {
  const away = { SHARDS: "two=postgresql://postgres:x@127.0.0.1:1/nothing" };
  const slots = "SELECT FROM pg_replication_slots WHERE database = current_database()";
  const remove = (...args: string[]) => obeyed(settings(away), ["shards", "remove", "two", ...args]);
  const status = (await obeyed(settings(away), ["shards", "status"])).json();
  expect(status).toMatchObject({ shards: [{ name: "main" }, { name: "two", reachable: false, homes: "600-650" }] });
  expect((await remove()).err).toContain("The shard two stores the homes 600-650.");
  expect((await remove("--lost")).err).toContain("still connected to the directory");
  await query(postgres.two, "ALTER SUBSCRIPTION countersign_directory DISABLE");
  const detached = await eventually(async () => (await remove("--lost")).json());
  expect(detached).toEqual({ name: "two", removed: false, homes: "600-650" });
  expect(await rows(postgres.main, slots)).toEqual([]);

  expect((await shards("add", "two")).json()).toEqual({ name: "two", number: 1 });
  expect(await rows(postgres.main, slots)).toHaveLength(1);
  expect((await shards("status")).json()).toMatchObject({ shards: [{}, { missingCopies: [], homes: "600-650" }] });
});

test("removes a shard without homes, and never uses its number again", async () => {
  expect((await shards("remove", "main")).err).toContain("always remains");
  expect((await shards("move", "600-650", "--to", "main")).status).toBe(0);
  expect((await shards("remove", "two")).json()).toEqual({ name: "two", removed: true, homes: "none" });
  expect(await rows(postgres.main, "SELECT name FROM shard")).toEqual([{ name: "main" }]);
  expect(await rows(postgres.main, "SELECT FROM pg_replication_slots")).toEqual([]);
  expect(await rows(postgres.two, "SELECT FROM pg_subscription")).toEqual([]);
  expect((await shards("add", "two")).json()).toEqual({ name: "two", number: 2 });
});

test.each([
  ["a shard that SHARDS lacks", ["add", "three"], "SHARDS lacks the shard three"],
  ["an unknown target", ["move", "1", "--to", "three"], "No shard is named three"],
  ["homes that do not exist", ["move", "1000-1024", "--to", "two"], "1000-1024 is not a home from 0 to 1023"],
])("rejects %s", async (_, args, words) => {
  const { status, err } = await shards(...args);
  expect(err).toContain(words);
  expect(status).toBeGreaterThan(0);
});

test("rejects a database with owners, and one without logical replication", async () => {
  await query(postgres.server.url, "CREATE DATABASE with_owners");
  const other = inDatabase(postgres.server.url, "with_owners");
  const adding = () => obeyed(settings({ SHARDS: `two=${postgres.two} four=${other}` }), ["shards", "add", "four"]);
  const { err } = await (async () => {
    const { migrate } = await import("@/lib/postgres/migrations");
    await migrate(other);
    await query(
      other,
      `INSERT INTO owner (id, email, name, password_hash) VALUES ('${newOwnerId()}', 'x@example.com', 'R', '-')`,
    );
    return adding();
  })();
  expect(err).toContain("already has owners");
  const plain = await throwawayPostgres();
  try {
    const result = await obeyed(settings({ SHARDS: `two=${postgres.two} five=${plain.url}` }), [
      "shards",
      "add",
      "five",
    ]);
    expect(result.err).toContain("Set wal_level = logical in postgresql.conf of the shard five");
  } finally {
    await plain.end();
  }
});
