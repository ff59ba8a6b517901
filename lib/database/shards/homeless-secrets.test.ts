import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newOwnerId } from "@/lib/ids";
import { chosenDestination } from "@/lib/request-context";
import { locateHash } from "./homeless-secrets";
import { type Home, homeCount } from "./homes";
import { notedHome, noteHome, rememberHome } from "./homes-in-values";
import { setPlacement } from "./shard-map";

const shards = ["main", "two", "three"].map((name, number) => ({ number, name }));
const owner = newOwnerId(700 as Home);

/** Uses a placement with home 0 on the first shard. */
const place = (version: number, count = 3) =>
  setPlacement({
    shards: shards.slice(0, count),
    homes: new Uint8Array(homeCount),
    paused: new Set(),
    pausedShards: new Set(),
    version,
  });
beforeEach(() => place(1));
afterEach(() => setPlacement());

/** Returns the hash of a secret without a home. */
function aHash(text: Uint8Array = randomBytes(32)): Buffer {
  const hash = Buffer.from(text);
  noteHome(hash, () => "none");
  return hash;
}
const shardNow = () => (chosenDestination() as { shard: number }).shard;

/** Looks a secret up while the given shards have it or are away. */
async function look(hash: Buffer, { on = [] as number[], away = [] as number[] }) {
  const asked: number[] = [];
  await locateHash(hash, async () => {
    asked.push(shardNow());
    if (away.includes(shardNow())) throw new Error(`${shardNow()} is away`);
    return on.includes(shardNow()) ? owner : undefined;
  });
  return asked;
}

test("asks the other shards only if the shard of home 0 lacks the secret", async () => {
  expect(await look(aHash(), { on: [0] })).toEqual([0]);
  expect(await look(aHash(), { on: [2] })).toEqual([0, 1, 2]);
});

test("remembers the home for every later hash of the secret", async () => {
  const hash = aHash();
  expect(notedHome(hash)).toBe(0);
  await look(hash, { on: [1] });
  expect(notedHome(hash)).toBe(700);
  const again = aHash(hash);
  expect(notedHome(again)).toBe(700);
  expect(locateHash(again, () => Promise.reject(new Error("asked again")))).toBeUndefined();
});

test("uses a found secret although other shards are away", async () => {
  expect(await look(aHash(), { on: [2], away: [0, 1] })).toEqual([0, 1, 2]);
});

test("fails for a secret that was not found while a shard is away", async () => {
  await expect(look(aHash(), { away: [1] })).rejects.toThrow("1 is away");
});

test("leaves an unknown secret at home 0, and asks again the next time", async () => {
  const hash = aHash();
  expect(await look(hash, {})).toEqual([0, 1, 2]);
  expect(notedHome(hash)).toBe(0);
  expect(await look(hash, {})).toEqual([0, 1, 2]);
});

test("asks again if homes moved between the shards meanwhile", async () => {
  const hash = aHash();
  let on = 2;
  const asked: number[] = [];
  await locateHash(hash, async () => {
    asked.push(shardNow());
    if (asked.length === 2) {
      // The owner moves from a shard that is about to be asked to one that was.
      on = 0;
      await place(2);
    }
    return on === shardNow() ? owner : undefined;
  });
  expect(asked).toEqual([0, 1, 2, 0]);
  expect(notedHome(hash)).toBe(700);
});

test("looks up no secret with a home, and none with one shard", async () => {
  const known = randomBytes(32);
  noteHome(known, () => 0 as Home);
  const fail = () => Promise.reject(new Error("asked"));
  expect(locateHash(known, fail)).toBeUndefined();
  const hash = aHash();
  await place(2, 1);
  expect(locateHash(hash, fail)).toBeUndefined();
});

test("remembers a bounded number of homes", () => {
  const first = randomBytes(32);
  rememberHome(first, 700 as Home);
  for (let nth = 0; nth < 50_000; nth++) rememberHome(Buffer.from(`${nth}`), 700 as Home);
  expect(notedHome(aHash(first))).toBe(0);
});
