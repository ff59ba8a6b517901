import { rmSync } from "node:fs";
import pg from "pg";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { prepareHiding, showHomes } from "@/lib/database/shards/moves/hidden-homes";
import { migrate, shipped } from "@/lib/postgres/migrations";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { obeyed } from "@/lib/testing/operator-command";
import { folderOfMigrations, separateDatabase } from "@/lib/testing/separate-database";

/* Instances of a new version, with a migration that is missing in the directory or in a shard. */

const newest = "20300101000000_newest";
const ours = shipped.folder;
const folder = folderOfMigrations({ [newest]: "-- additive\nCREATE TABLE newest (id int PRIMARY KEY);" });
const DATA_DIR = newDataDir(0o700);
const [from, to] = ["main", "two"];
let databases: { url: string; end(): Promise<void> }[] = [];
let directory: pg.Client;
let two: pg.Client;
const run = (...args: string[]) => runWith({ SHARDS: `two=${databases[1]?.url}` }, ...args);
const runWith = (shards: { SHARDS?: string }, ...args: string[]) => {
  const SECRET = "a-secret-of-two-shards-0123456789abcdef";
  return obeyed({ DATABASE_URL: databases[0]?.url as string, ...shards, DATA_DIR, SECRET }, args);
};
const open = async (url: string) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
};

/** Creates a directory and a shard, of which only some have the newest migration. */
async function begin(...lacking: string[]) {
  databases = [];
  for (const name of [from, to]) {
    shipped.folder = ours;
    const database = await separateDatabase();
    databases.push(database);
    shipped.folder = folder;
    if (!lacking.includes(name as string)) await migrate(database.url);
  }
  [directory, two] = (await Promise.all(databases.map(({ url }) => open(url)))) as [pg.Client, pg.Client];
  await directory.query("INSERT INTO shard (name, number) VALUES ('two', 1)");
}
const move = (state: string) =>
  directory.query(
    `INSERT INTO home_placement (home, shard, state, moving_to) SELECT home, 'main', $1, 'two' FROM generate_series(17, 19) AS home
     ON CONFLICT (home) DO UPDATE SET state = excluded.state, moving_to = CASE WHEN $1 = 'placed' THEN NULL ELSE 'two' END`,
    [state],
  );

beforeEach(() => {
  databases = [];
});
afterEach(async () => {
  await Promise.all([directory.end(), two.end()]);
  for (const database of databases) await database.end();
});
afterAll(() => {
  shipped.folder = ours;
  rmSync(folder, { recursive: true });
  removeDataDir(DATA_DIR);
});

const refusal = `Homes are moving from main to two, so the migration ${newest} can't be applied yet. With the version of Countersign that began the move, run "shards move 17-19 --to two" to finish the move, or add --abort before the switch. Then try again.\n`;

test.each([[[from]], [[to]], [[from, to]]])("refuses migrations of %j while homes move", async (lacking) => {
  await begin(...(lacking as string[]));
  for (const state of ["copying", "paused"]) {
    await move(state);
    for (const command of [["migrate"], ["owner", "list"]])
      expect(await run(...command)).toMatchObject({ status: 1, out: "", err: refusal });
  }
  await move("placed");
  expect((await run("migrate")).json()).toEqual({ applied: [newest] });
});

test("refuses migrations without SHARDS if other shards were added", async () => {
  await begin(from as string);
  await move("copying");
  const refused =
    "SHARDS is not set, but other shards store owners: two. Set SHARDS to all shards, on every instance.\n";
  for (const command of [["migrate"], ["owner", "list"]])
    expect(await runWith({}, ...command)).toMatchObject({ status: 1, out: "", err: refused });
  await move("placed");
  expect((await run("migrate")).json()).toEqual({ applied: [newest] });
});

test("refuses migrations until the former rows are deleted", async () => {
  await begin(from as string);
  await prepareHiding(two, [], { from: "main", to: "two", homes: [17, 18, 19] as never });
  expect(await run("migrate")).toMatchObject({ status: 1, err: refusal });
  await showHomes(two);
  expect((await run("migrate")).status).toBe(0);
});

test("refuses migrations while a command changes the shards", async () => {
  await begin(to as string);
  await directory.query("SELECT pg_advisory_lock(4600310)");
  expect(await run("migrate")).toMatchObject({
    status: 1,
    err: `Another command is changing the shards. Wait until it has ended, and then apply the migration ${newest}.\n`,
  });
  await directory.query("SELECT pg_advisory_unlock(4600310)");
  expect((await run("migrate")).status).toBe(0);
});

test("starts during a move if no migration is missing", async () => {
  await begin();
  await move("copying");
  await directory.query("SELECT pg_advisory_lock(4600310)");
  expect((await run("migrate")).json()).toEqual({ applied: [] });
  expect((await run("owner", "list")).json()).toEqual({ owners: [] });
});
