import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { env } from "@/lib/config/env";
import { disconnect } from "@/lib/database/db";
import { configure } from "@/lib/testing/change-settings";
import { eventually } from "@/lib/testing/eventually";
import type { Home } from "../homes";
import { instanceTag } from "../placement/instance-tag";
import { watchPlacement } from "../placement/watch-placement";
import { setPlacement } from "../shard-map";
import { pauseLeaseSeconds } from "./pause-gate";
import {
  finishSwitch,
  forgetMover,
  isSwitched,
  markCopying,
  markPlaced,
  PauseEnded,
  pauseHomes,
  readHomesOfDirectory,
  switchHomes,
  unpauseHomes,
  untilInstancesRespond,
  untilInstancesUse,
} from "./placement-changes";

const homes = [17, 18] as Home[];
let directory: pg.Client;

const open = async (name: string) => {
  const client = new pg.Client({ connectionString: env().databaseUrl, application_name: name });
  await client.connect();
  return client;
};

beforeAll(async () => {
  directory = await open("mover");
  await directory.query("INSERT INTO shard (name, number) VALUES ('two', 1)");
});
beforeEach(() => markCopying(directory, homes, "main", "two"));
afterEach(() => directory.query("DELETE FROM home_placement; DELETE FROM instance_placement"));
afterAll(() => directory.end());

const placed = async (home: number) => (await readHomesOfDirectory(directory))[home];

/** Lets a pause last for longer than its lease. */
const outlast = (seconds = pauseLeaseSeconds + 1) =>
  directory.query("UPDATE home_placement SET changed_at = now() - make_interval(secs => $1) WHERE state = 'paused'", [
    seconds,
  ]);

/** Lets an instance of the service watch the placement. */
async function withInstance(work: () => Promise<unknown>): Promise<void> {
  configure({ SHARDS: `two=${env().databaseUrl}` });
  const watch = await watchPlacement("instance 1 00000000");
  try {
    await work();
  } finally {
    await watch.stop();
    await setPlacement();
    await disconnect();
    configure({ SHARDS: undefined });
  }
}

test("places a home on the new shard only from the decision on", async () => {
  expect(await placed(17)).toEqual({ home: 17, shard: "main", state: "copying", movingTo: "two" });
  await pauseHomes(directory, homes);
  expect(await placed(18)).toMatchObject({ shard: "main", state: "paused" });
  expect(await isSwitched(directory, homes)).toBe(false);
  await switchHomes(directory, homes, "main", "two");
  expect(await placed(18)).toEqual({ home: 18, shard: "two", state: "paused", movingTo: "main" });
  expect(await isSwitched(directory, homes)).toBe(true);
  await finishSwitch(directory, homes);
  expect(await placed(17)).toEqual({ home: 17, shard: "two", state: "placed", movingTo: null });
});

test("raises the placement's version with a pause", async () => {
  const { rows } = await directory.query("SELECT version::text FROM placement_version");
  expect(await pauseHomes(directory, homes)).toBeGreaterThan(BigInt(rows[0].version));
});

test("rejects the decision once the pause has lasted too long", async () => {
  await pauseHomes(directory, homes);
  await outlast();
  await expect(switchHomes(directory, homes, "main", "two")).rejects.toThrow(PauseEnded);
  expect(await placed(17)).toMatchObject({ shard: "main", state: "paused" });
});

test("rejects the decision if the pause of one home has ended", async () => {
  await pauseHomes(directory, homes);
  await unpauseHomes(directory, [18 as Home]);
  await expect(switchHomes(directory, homes, "main", "two")).rejects.toThrow(PauseEnded);
  expect(await placed(17)).toMatchObject({ shard: "main" });
});

test("keeps a decided pause when the mover or an abort ends pauses", async () => {
  await pauseHomes(directory, homes);
  await switchHomes(directory, homes, "main", "two");
  await unpauseHomes(directory, homes);
  expect(await isSwitched(directory, homes)).toBe(true);
});

test("does not finish what was not decided", async () => {
  await pauseHomes(directory, homes);
  await finishSwitch(directory, homes);
  expect(await placed(17)).toMatchObject({ shard: "main", state: "paused" });
  await markPlaced(directory, homes);
  expect(await placed(17)).toEqual({ home: 17, shard: "main", state: "placed", movingTo: null });
});

test("lets an instance end a pause whose lease has expired, but not a decided one", async () => {
  await pauseHomes(directory, homes);
  await switchHomes(directory, [18 as Home], "main", "two");
  await directory.query("UPDATE home_placement SET changed_at = now() - interval '1 minute' WHERE home = 17");
  await withInstance(() => eventually(async () => expect(await placed(17)).toMatchObject({ state: "copying" })));
  expect(await placed(18)).toMatchObject({ shard: "two", state: "paused" });
});

test("lets no instance end a pause within its lease", async () => {
  await pauseHomes(directory, homes);
  await directory.query("UPDATE home_placement SET changed_at = now() + interval '1 minute'");
  const seen = async () => (await directory.query("SELECT seen_at::text AS at FROM instance_placement")).rows[0]?.at;
  await withInstance(async () => {
    const first = await seen();
    // The instance checks the pauses before it reports.
    await eventually(async () => expect(await seen()).not.toBe(first));
    expect(await placed(17)).toMatchObject({ state: "paused" });
  });
});

const report = (instance: string, version: bigint, secondsAgo = 0) =>
  directory.query(
    `INSERT INTO instance_placement (instance, version, seen_at)
     VALUES ($1, $2, now() - make_interval(secs => $3))
     ON CONFLICT (instance) DO UPDATE SET version = excluded.version, seen_at = excluded.seen_at`,
    [instance, version.toString(), secondsAgo],
  );
const late = async (version: bigint, withinMs = 0) =>
  (await untilInstancesUse({ directory, from: directory }, version, withinMs)).map(({ instance }) => instance);

test("waits until every instance has confirmed the version", async () => {
  await report("a 1 aaaaaaaa", 5n);
  await report("b 2 bbbbbbbb", 7n);
  expect(await late(7n)).toEqual(["a 1 aaaaaaaa"]);
  const waiting = late(7n, 60_000);
  await report("a 1 aaaaaaaa", 8n);
  expect(await waiting).toEqual([]);
});

test("does not wait for the mover's own process", async () => {
  await report(`mover 1 ${instanceTag()}`, 1n);
  expect(await late(7n)).toEqual([]);
});

test("does not wait for a silent instance without connections to the former shard", async () => {
  await report("a 1 aaaaaaaa", 5n, 60);
  expect(await late(7n)).toEqual([]);
});

test("waits for a silent instance that is connected to the former shard", async () => {
  await report("a 1 aaaaaaaa", 5n, 60);
  const connection = await open("countersign aaaaaaaa");
  expect(await late(7n)).toEqual(["a 1 aaaaaaaa"]);
  await connection.end();
  expect(await late(7n, 60_000)).toEqual([]);
});

test("waits for an instance that has just responded", async () => {
  await report("a 1 aaaaaaaa", 5n, -60);
  expect(await late(7n)).toEqual(["a 1 aaaaaaaa"]);
});

const silent = async (withinMs = 0) =>
  (await untilInstancesRespond({ directory, from: directory }, withinMs)).map(({ instance }) => instance);

test("waits for silent instances before a pause, but not for dead ones", async () => {
  await report("a 1 aaaaaaaa", 5n, -60);
  await report("b 2 bbbbbbbb", 5n, 15);
  await report("c 3 cccccccc", 5n, 60);
  await report(`mover 1 ${instanceTag()}`, 5n, 15);
  expect(await silent()).toEqual(["b 2 bbbbbbbb"]);
  const waiting = silent(60_000);
  await report("b 2 bbbbbbbb", 5n, -60);
  expect(await waiting).toEqual([]);
});

test("forgets a mover that has ended", async () => {
  await report("mover 1 aaaaaaaa", 5n);
  await report("b 2 bbbbbbbb", 5n);
  await forgetMover(directory, "aaaaaaaa");
  expect(await late(7n)).toEqual(["b 2 bbbbbbbb"]);
});
