import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { db, disconnect } from "@/lib/database/db";
import type { Home } from "@/lib/database/shards/homes";
import { setShards } from "@/lib/database/shards/shard-map";
import { closePubsub } from "@/lib/events/pubsub";
import { newOwnerId } from "@/lib/ids";
import { startFront } from "@/lib/testing/api-server";
import { aDatabaseGate, type DatabaseGate } from "@/lib/testing/database-gate";
import { anApp, aTokenFor } from "@/lib/testing/factories";
import { ownDatabase } from "@/lib/testing/own-database";
import { aQuestion } from "@/lib/testing/sample-question";

/* The homes from 512 are in a second database. Gates can make each of the two unavailable. */

const { ask } = await startFront();
const { DATABASE_URL = "" } = process.env;
const second = await ownDatabase();
let [main, two]: [DatabaseGate, DatabaseGate] = [] as never;
let [tokenOfMain, tokenOfTwo] = ["", ""];

beforeAll(async () => {
  [main, two] = [await aDatabaseGate(DATABASE_URL), await aDatabaseGate(second.url)];
  await disconnect();
  setShards([
    { name: "main", homes: [0, 511], url: main.url },
    { name: "two", homes: [512, 1023], url: two.url },
  ]);
  [tokenOfMain, tokenOfTwo] = [await aTokenAt(3), await aTokenAt(700)];
});
afterEach(() => {
  main.open();
  two.open();
});
afterAll(async () => {
  await closePubsub();
  await disconnect();
  setShards();
  await Promise.all([main.end(), two.end()]);
  await second.end();
});

/** Creates an owner and an app, copies the app to the second database, and creates a token. */
async function aTokenAt(home: number): Promise<string> {
  const id = newOwnerId(home as Home);
  const email = `${id}@example.com`;
  await db.owner.create({ data: { id, email, name: "Robin Owner", passwordHash: "none" } });
  const owner = { kind: "owner" as const, ownerId: id, email, password: "", name: "Robin", session: "s", fresh: true };
  const ofMain = newOwnerId(1 as Home);
  await db.owner.create({ data: { id: ofMain, email: `${ofMain}@example.com`, name: "Kim", passwordHash: "none" } });
  const { clientId } = await anApp({ ...owner, ownerId: ofMain });
  const [here, there] = [DATABASE_URL, second.url].map((url) => new pg.Client({ connectionString: url }));
  await Promise.all([here?.connect(), there?.connect()]);
  const { rows } = (await here?.query("SELECT to_json(a) AS app FROM app a WHERE id = $1", [clientId])) ?? { rows: [] };
  await there?.query("SET session_replication_role = replica");
  await there?.query("INSERT INTO app SELECT * FROM json_populate_record(NULL::app, $1)", [rows[0].app]);
  await Promise.all([here?.end(), there?.end()]);
  return (await aTokenFor(owner, clientId, ["approvals:write", "approvals:read"])).token;
}

/** Submits a question and reads it. @returns the status of each request */
async function use(token: string): Promise<number[]> {
  const asked = await ask("POST", "/api/approvals", { token, body: aQuestion });
  const read = await ask("GET", `/api/approvals/${(asked.body as { id?: string }).id ?? "apr_none"}`, { token });
  return [asked.status, read.status];
}

test("serves the owners of the other shard while a shard is away, and its own owners afterward", async () => {
  expect(await Promise.all([use(tokenOfMain), use(tokenOfTwo)])).toEqual([
    [201, 200],
    [201, 200],
  ]);
  two.close();
  for (let times = 0; times < 5; times++)
    expect(await Promise.all([use(tokenOfMain), use(tokenOfTwo)])).toEqual([
      [201, 200],
      [503, 503],
    ]);
  two.open();
  await expect.poll(() => use(tokenOfTwo)).toEqual([201, 200]);
});

test("serves the owners of the other shard while a shard does not reply", async () => {
  two.freeze();
  let replied = false;
  const slow = use(tokenOfTwo).finally(() => (replied = true));
  for (let times = 0; times < 5; times++) expect(await use(tokenOfMain)).toEqual([201, 200]);
  expect(replied).toBe(false);
  two.open();
  await slow;
  await expect.poll(() => use(tokenOfTwo)).toEqual([201, 200]);
});

test("serves known owners and apps of other shards while the directory is away", async () => {
  main.close();
  expect(await Promise.all([use(tokenOfMain), use(tokenOfTwo)])).toEqual([
    [503, 503],
    [201, 200],
  ]);
  main.open();
  await expect.poll(() => use(tokenOfMain)).toEqual([201, 200]);
});

test("continues to wait for the answer on another shard", async () => {
  const { body } = await ask("POST", "/api/approvals", { token: tokenOfMain, body: aQuestion });
  const waiting = ask("GET", `/api/approvals/${(body as { id: string }).id}?wait=2`, { token: tokenOfMain });
  two.close();
  expect((await waiting).status).toBe(200);
});
