import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { disconnect, pool } from "@/lib/database/db";
import { newOwnerId } from "@/lib/ids";
import { log } from "@/lib/log";
import { configure } from "@/lib/testing/change-settings";
import { aDatabaseGate } from "@/lib/testing/database-gate";
import { ownDatabase } from "@/lib/testing/own-database";
import type { Home } from "../homes";
import { inHomeOf } from "../marks";
import { isRouted, onPlacement, placement, setPlacement, shardNumbered, shardOfHome, shards } from "../shard-map";
import { loadPlacement, watchPlacement } from "./watch-placement";

const { DATABASE_URL = "" } = process.env;
const second = await ownDatabase();
const home = (number: number) => number as Home;
const query = (text: string, values: unknown[] = []) => pool().query(text, values);

beforeEach(() => configure({ SHARDS: `two=${second.url}\n three=postgresql://nobody@127.0.0.1:1/three` }));
afterEach(async () => {
  vi.restoreAllMocks();
  await setPlacement();
  await disconnect();
  configure({ SHARDS: undefined, SHARD_ROUTER: undefined, DATABASE_DIRECT_URL: undefined, DATABASE_URL });
  await query("DELETE FROM home_placement");
  await query("DELETE FROM shard WHERE number > 0");
  await query("DELETE FROM instance_placement");
});
afterAll(async () => {
  await disconnect();
  await second.end();
});

const add = (name: string, number: number) => query("INSERT INTO shard (name, number) VALUES ($1, $2)", [name, number]);
const place = (from: number, to: number, name: string, state = "placed") =>
  query(
    `INSERT INTO home_placement (home, shard, state) SELECT home, $3, $4 FROM generate_series($1::int, $2::int) AS home
     ON CONFLICT (home) DO UPDATE SET shard = excluded.shard, state = excluded.state`,
    [from, to, name, state],
  );
const version = async () => Number((await query("SELECT version FROM placement_version")).rows[0]?.version);
const reported = async (instance: string) => {
  const { rows } = await query("SELECT version FROM instance_placement WHERE instance = $1", [instance]);
  return rows[0] && Number(rows[0].version);
};

test("places every home on the directory until shards are added", async () => {
  await loadPlacement();
  expect(shards()).toEqual([{ number: 0, name: "main" }]);
  expect(shardOfHome(home(1023))).toBe(0);
  expect(isRouted()).toBe(true);
});

test("reads the shards, homes and paused homes, and connects to each shard", async () => {
  await add("two", 1);
  await add("three", 7);
  await place(512, 1023, "two");
  await place(17, 17, "three", "paused");
  await loadPlacement();
  expect(shards().map(({ name, number }) => [name, number])).toEqual([
    ["main", 0],
    ["two", 1],
    ["three", 7],
  ]);
  expect([16, 17, 18, 511, 512, 1023].map((number) => shardOfHome(home(number)))).toEqual([0, 7, 0, 0, 1, 1]);
  expect([...placement().paused]).toEqual([17]);
  const name = () => pool(1).query("SELECT current_database() AS name");
  const { rows } = await inHomeOf(newOwnerId(home(900)), name);
  expect(rows[0]?.name).toBe(new URL(second.url).pathname.slice(1));
});

test("sends the statements of all shards to a router", async () => {
  await add("two", 1);
  configure({ SHARD_ROUTER: "spqr", DATABASE_DIRECT_URL: "postgresql://nobody@127.0.0.1:1/main" });
  await loadPlacement();
  expect(shards()).toEqual([
    { number: 0, name: "main" },
    { number: 1, name: "two", directUrl: second.url },
  ]);
});

test("rejects work for a shard that SHARDS lacks, and names the shard in the log", async () => {
  const logged = vi.spyOn(log, "error").mockReturnValue();
  configure({ SHARDS: `two=${second.url}` });
  await add("three", 3);
  await place(5, 5, "three");
  const watch = await watchPlacement("lacking");
  expect(logged.mock.calls).toEqual([[expect.stringContaining("SHARDS lacks"), { shards: "three" }]]);
  expect(() => shardNumbered(shardOfHome(home(5)))).toThrow(
    "SHARDS of this instance lacks the shard with the number 3",
  );
  await watch.stop();
});

test("counts each change of the placement, and notifies instances", async () => {
  const client = await pool().connect();
  try {
    await client.query("LISTEN countersign_news");
    const heard: unknown[] = [];
    client.on("notification", ({ payload }) => void heard.push(payload));
    const versions = [await version()];
    for (const change of [
      () => add("two", 1),
      () => place(1, 2, "two"),
      () => query("UPDATE home_placement SET state = 'paused'"),
      () => query("DELETE FROM home_placement"),
    ]) {
      await change();
      versions.push(await version());
    }
    expect([...new Set(versions)].sort((a, b) => a - b)).toEqual(versions);
    await expect.poll(() => heard).toEqual(Array(4).fill("directory placement"));
  } finally {
    client.release(true);
  }
});

test("uses a changed placement within a second, and reports its version", async () => {
  await add("two", 1);
  const watch = await watchPlacement("this one");
  expect(await reported("this one")).toBe(await version());
  await place(512, 1023, "two");
  await expect.poll(() => shardOfHome(home(700))).toBe(1);
  await expect.poll(() => reported("this one")).toBe(await version());
  await watch.stop();
  expect(await reported("this one")).toBeUndefined();
});

test("reports a version only after the listeners have finished, and keeps reading newer versions", async () => {
  await add("two", 1);
  const watch = await watchPlacement("waiting");
  const first = await version();
  let finish = () => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const unsubscribe = onPlacement(() => finished);
  await place(1, 1, "two", "paused");
  await expect.poll(() => placement().paused.has(1)).toBe(true);
  await place(1, 1, "two");
  await expect.poll(() => placement().paused.has(1)).toBe(false);
  expect(await reported("waiting")).toBe(first);
  finish();
  await expect.poll(() => reported("waiting")).toBe(await version());
  unsubscribe();
  await watch.stop();
});

test("keeps the placement while the directory is away", async () => {
  const warned = vi.spyOn(log, "warn").mockReturnValue();
  const gate = await aDatabaseGate(DATABASE_URL);
  await disconnect();
  configure({ DATABASE_URL: gate.url });
  await add("two", 1);
  await place(512, 1023, "two");
  const watch = await watchPlacement("patient");
  gate.close();
  const problem = "could not check which shard stores which homes; the service keeps the last known placement";
  await expect.poll(() => warned.mock.calls.map(([message]) => message)).toContain(problem);
  expect(shardOfHome(home(700))).toBe(1);
  gate.open();
  await place(512, 600, "main");
  await expect.poll(() => shardOfHome(home(550))).toBe(0);
  await watch.stop();
  await disconnect();
  await gate.end();
});
