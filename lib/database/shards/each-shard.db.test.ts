import pg from "pg";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { disconnect } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { closePubsub, publish, subscribe, subscribeToAll } from "@/lib/events/pubsub";
import { newOwnerId } from "@/lib/ids";
import { log } from "@/lib/log";
import { withRequest } from "@/lib/request-context";
import { ofDatabase } from "@/lib/serving/gauges";
import { countWith } from "@/lib/telemetry/declare-metrics";
import { aDatabaseGate } from "@/lib/testing/database-gate";
import { ownDatabase } from "@/lib/testing/own-database";
import { writeByOwner } from "@/lib/traffic/write-by-owner";
import { failureReporter } from "@/lib/work/failure-reporter";
import { loop } from "@/lib/work/loop";
import { worker } from "@/lib/work/worker";
import { onEachShard, perShard, ShardAway } from "./each-shard";
import type { Home } from "./homes";
import { forEachReachableShardOf, forEachShardOf, inEveryShard, inReachableShards } from "./marks";
import { setShards } from "./shard-map";

/* The homes from 512 are in a second database, which a gate can make unavailable. */

const second = await ownDatabase();
const gate = await aDatabaseGate(second.url);
const nameIn = (url = "") => new URL(url).pathname.slice(1);
const names = [process.env.DATABASE_URL, second.url].map(nameIn);
const one = { name: "main", homes: [0, 1023] } as const;
const two = [
  { name: "main", homes: [0, 511] },
  { name: "two", homes: [512, 1023], url: gate.url },
] as const;

beforeEach(() => {
  gate.open();
  setShards(two);
});
afterEach(async () => {
  vi.restoreAllMocks();
  countWith(undefined);
  setShards([one]);
});
afterAll(async () => {
  await closePubsub();
  await disconnect();
  await gate.end();
  await second.end();
});

const here = async () => (await sql<{ name: string }>`SELECT current_database() AS name`.row())?.name;

test("visits all shards at the same time, and returns the directory's result first", async () => {
  expect(await inEveryShard(here)).toEqual(names);
  // Each visit waits for the other one.
  let [arrived, open] = [0, () => {}];
  const both = new Promise<void>((resolve) => (open = resolve));
  await inEveryShard(async () => {
    if (++arrived === 2) open();
    await both;
  });
});

test("visits the other shards before it reports a shard that is away", async () => {
  gate.close();
  const visited: unknown[] = [];
  const visit = inEveryShard(async () => visited.push(await here()));
  await expect(visit).rejects.toThrow(ShardAway);
  await expect(visit).rejects.toThrow(/^The shard two is unavailable: /);
  expect(visited).toEqual([names[0]]);
});

test("skips, counts and names a shard that is away, once until it is back", async () => {
  const counted: unknown[] = [];
  countWith(({ name }, labels) => counted.push([name, ...labels]));
  const warned = vi.spyOn(log, "warn").mockReturnValue();
  gate.close();
  expect(await inReachableShards(here)).toEqual([names[0]]);
  expect(await inReachableShards(here)).toEqual([names[0]]);
  const skip = ["countersign_shard_skipped_total", "two"];
  expect(counted).toEqual([skip, skip]);
  const skips = () => warned.mock.calls.filter(([message]) => message.startsWith("a shard is unavailable"));
  expect(skips()).toEqual([[expect.any(String), { shard: "two", reason: expect.any(String) }]]);
  gate.open();
  await expect.poll(() => inReachableShards(here)).toEqual(names);
  gate.close();
  await inReachableShards(here);
  expect(skips()).toHaveLength(2);
});

test("reports other errors than an outage, and an outage of all shards", async () => {
  const failing = () => sql`SELECT 1 / (random() * 0)::int`.rows();
  await expect(inReachableShards(failing)).rejects.toThrow("division by zero");
  setShards([{ ...two[0], url: "postgresql://nobody@127.0.0.1:1/none" }, two[1]]);
  await disconnect();
  gate.close();
  await expect(inReachableShards(here)).rejects.toThrow("The shard main is unavailable");
  setShards(two);
  await disconnect();
});

test("finishes the work for owners of other shards if one is away", async () => {
  gate.close();
  const owners = [3, 700, 4].map((home) => newOwnerId(home as Home));
  const done: string[] = [];
  const work = forEachShardOf(
    owners,
    (owner) => owner,
    async (some) => {
      await here();
      done.push(...some);
    },
  );
  await expect(work).rejects.toThrow();
  expect(done).toEqual([owners[0], owners[2]]);
});

test("skips the owners of a shard that is away, if the work can wait", async () => {
  gate.close();
  const owners = [3, 700].map((home) => newOwnerId(home as Home));
  const databases = await forEachReachableShardOf(owners, (owner) => owner, here);
  expect(databases).toEqual([names[0]]);
});

test("keeps only the records of a shard that is away, so that others are not written twice", async () => {
  gate.close();
  const owners = [3, 700, 4].map((home) => newOwnerId(home as Home));
  const [written, kept]: string[][] = [[], []];
  const write = async (some: string[]) => {
    await here();
    written?.push(...some);
  };
  const writing = writeByOwner(
    owners,
    (owner) => owner,
    write,
    (some) => void kept?.push(...some),
  );
  await expect(writing).rejects.toThrow();
  expect([written, kept]).toEqual([[owners[0], owners[2]], [owners[1]]]);
});

/** Starts a loop and a worker that record their databases. */
function recordingWork(seen: { loops: string[]; jobs: string[] }) {
  const jobs = worker<object>(
    {
      concurrency: 1,
      take: async () => {
        seen.jobs.push((await here()) ?? "");
        return [];
      },
      run: async () => {},
    },
    failureReporter("the job failed"),
  );
  const looping = loop({
    first: 0,
    intervalMs: 10,
    failureMessage: "the loop failed",
    run: async () => {
      seen.loops.push((await here()) ?? "");
      // A worker can also be woken by a request.
      withRequest({ id: "r", headers: {}, route: "", kind: "pages", timing: { began: 0 } }, jobs.wake);
    },
  });
  return async () => {
    await looping.stop();
    await jobs.stop();
  };
}

test("runs background work on each shard, also on a shard that is added later", async () => {
  setShards([one]);
  const seen = { loops: [] as string[], jobs: [] as string[] };
  const stop = onEachShard(() => recordingWork(seen));
  await expect.poll(() => seen.jobs).toContain(names[0]);
  expect(seen.loops).not.toContain(names[1]);
  setShards(two);
  await expect.poll(() => seen.loops).toContain(names[1]);
  await expect.poll(() => seen.jobs).toContain(names[1]);
  setShards([one]);
  await stop();
  const { length } = seen.loops;
  for (let times = 0; times < 20; times++) await inEveryShard(here);
  expect(seen.loops).toHaveLength(length);
});

test("continues the other shards' background work while a shard is away, and names the shard", async () => {
  const warned = vi.spyOn(log, "warn").mockReturnValue();
  gate.close();
  const seen = { loops: [] as string[], jobs: [] as string[] };
  const stop = onEachShard(() => recordingWork(seen));
  await expect.poll(() => seen.loops.length).toBeGreaterThan(3);
  await expect
    .poll(() => warned.mock.calls)
    .toContainEqual(["the loop failed", expect.objectContaining({ shard: "two" })]);
  expect(new Set(seen.loops)).toEqual(new Set([names[0]]));
  gate.open();
  await expect.poll(() => seen.loops).toContain(names[1]);
  await stop();
});

test("creates one value for each shard, in its background", async () => {
  const made = perShard("values of a test", ({ number, run }) => ({ number, name: () => run(here) }));
  const values = [newOwnerId(1 as Home), newOwnerId(900 as Home), "anything"].map(made.ofOwner);
  expect(values.map(({ number }) => number)).toEqual([0, 1, 0]);
  expect(await Promise.all(values.map(({ name }) => name()))).toEqual([names[0], names[1], names[0]]);
  expect([...made.all()]).toHaveLength(2);
});

test("notifies background work only about the shard's own owners", async () => {
  const heard: string[][] = [];
  const stop = onEachShard(() => {
    const mine: string[] = [];
    heard.push(mine);
    const unsubscribe = subscribeToAll((owner) => void mine.push(owner));
    return async () => void unsubscribe();
  });
  const owners = [newOwnerId(1 as Home), newOwnerId(900 as Home)] as const;
  for (const owner of owners) publish(owner);
  expect(heard).toEqual([[owners[0]], [owners[1]]]);
  await stop();
});

test("sends and receives an owner's messages in the owner's shard", async () => {
  const owner = newOwnerId(900 as Home);
  const listener = new pg.Client({ connectionString: second.url });
  await listener.connect();
  await listener.query("LISTEN countersign_news");
  const messages: string[] = [];
  listener.on("notification", ({ payload = "" }) => void messages.push(payload));
  publish(owner);
  await expect.poll(() => messages.map((each) => each.split(" ")[1])).toContain(owner);

  let heard = 0;
  const stop = subscribe(owner, (missed) => void (missed || heard++));
  await expect
    .poll(async () => {
      await listener.query("SELECT pg_notify('countersign_news', 'another ' || $1)", [owner]);
      return heard;
    })
    .toBeGreaterThan(0);
  stop();
  await listener.end();
});

test("wakes the listeners of an owner who moved to another shard", async () => {
  const owner = newOwnerId(900 as Home);
  const missed: boolean[] = [];
  const stop = subscribe(owner, (all) => void missed.push(all));
  const { length } = missed;
  setShards([
    { ...two[0], homes: [0, 1000] },
    { ...two[1], homes: [1001, 1023] },
  ]);
  expect(missed.slice(length)).toEqual([true]);
  stop();
});

test("labels the gauges of each database with the shard, and skips those of a shard that is away", async () => {
  const read = async (name: string) => ofDatabase.find((gauge) => gauge.name === name)?.read();
  await expect
    .poll(() => read("countersign_database_up"))
    .toEqual([
      ["main", 1],
      ["two", 1],
    ]);
  expect(await read("countersign_feed_lag_seconds")).toEqual([
    ["main", 0],
    ["two", 0],
  ]);
  gate.close();
  await expect
    .poll(() => read("countersign_database_up"))
    .toEqual([
      ["main", 1],
      ["two", 0],
    ]);
  expect(await read("countersign_webhook_pending_deliveries")).toEqual([["main", 0]]);
  setShards([one]);
  await expect.poll(() => read("countersign_database_up")).toEqual([[1]]);
});
