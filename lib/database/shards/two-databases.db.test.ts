import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { AppActor, OwnerActor } from "@/lib/actor";
import { getApproval, listApprovals, submitApproval } from "@/lib/approvals/approvals";
import { db, disconnect, inTransaction, pool } from "@/lib/database/db";
import { runLongStatement } from "@/lib/database/long-statement";
import { sql } from "@/lib/database/sql";
import { changeByStatement } from "@/lib/events/change-transaction";
import { newOwnerId } from "@/lib/ids";
import type { Scope } from "@/lib/scopes";
import { answerApproval } from "@/lib/testing/answer-approval";
import { anApp, aTokenFor } from "@/lib/testing/factories";
import { ownDatabase } from "@/lib/testing/own-database";
import { aQuestion } from "@/lib/testing/sample-question";
import { statementsWith } from "@/lib/testing/spied-sql-statements";
import type { Home } from "./homes";
import { inEveryShard, inHomeOf } from "./marks";
import { setShards } from "./shard-map";

/*
 * The homes from 512 are in a second database, without a router. Everything below sends the
 * product's own statements.
 */

const second = await ownDatabase();
const [first, other] = [process.env.DATABASE_URL, second.url].map(
  (url) => new pg.Client({ connectionString: url }),
) as [pg.Client, pg.Client];
const scopes: Scope[] = ["approvals:write", "approvals:read"];

beforeAll(async () => {
  await Promise.all([first.connect(), other.connect()]);
  await disconnect();
  setShards([
    { name: "a", homes: [0, 511] },
    { name: "b", homes: [512, 1023], url: second.url },
  ]);
});
afterAll(async () => {
  await disconnect();
  setShards();
  await Promise.all([first.end(), other.end()]);
  await second.end();
});

/** Creates an owner through Prisma. */
async function anOwnerOf(home: number) {
  const ownerId = newOwnerId(home as Home);
  const email = `${ownerId}@example.com`;
  await db.owner.create({ data: { id: ownerId, email, name: "Robin Owner", passwordHash: "none" } });
  return { kind: "owner" as const, ownerId, email, password: "", name: "Robin Owner", session: "s", fresh: true };
}

/** Copies apps to the second database, as replication of the directory will. */
async function copyApps() {
  const { rows } = await first.query("SELECT to_json(a) AS app FROM app a");
  await other.query("SET session_replication_role = replica");
  for (const { app } of rows)
    await other.query("INSERT INTO app SELECT * FROM json_populate_record(NULL::app, $1) ON CONFLICT DO NOTHING", [
      app,
    ]);
}

async function anAppOf(home: number): Promise<{ owner: OwnerActor; app: AppActor }> {
  const { clientId } = await anApp(await anOwnerOf(1));
  await copyApps();
  const owner = await anOwnerOf(home);
  const { app } = await aTokenFor(owner, clientId, scopes);
  return { owner, app: { ...app, needs: "approvals:write" } };
}
const reads = (app: AppActor): AppActor => ({ ...app, needs: "approvals:read" });

/** The number of an owner's rows in a table of each database. */
const countIn = (table: string, { ownerId }: OwnerActor) =>
  Promise.all(
    [first, other].map(async (client) => {
      const { rowCount } = await client.query(`SELECT FROM ${table} WHERE owner_id = $1`, [ownerId]);
      return rowCount;
    }),
  );

describe.each([
  ["the first", 3, (count: number) => [count, 0]],
  ["the second", 700, (count: number) => [0, count]],
])("an owner in %s database", (_, home, inOneOf) => {
  test("is created by Prisma there, and can be read", async () => {
    const owner = await anOwnerOf(home);
    const counts = [first, other].map(
      async (client) => (await client.query("SELECT FROM owner WHERE id = $1", [owner.ownerId])).rowCount,
    );
    expect(await Promise.all(counts)).toEqual(inOneOf(1));
    expect(await db.owner.findUnique({ where: { id: owner.ownerId }, select: { email: true } })).toEqual({
      email: owner.email,
    });
  });

  test("gets an app's questions there, and answers them", async () => {
    const { owner, app } = await anAppOf(home);
    const { id } = await submitApproval(app, aQuestion);
    expect(await countIn("approval", owner)).toEqual(inOneOf(1));
    expect(await countIn("app_grant", owner)).toEqual(inOneOf(1));
    expect((await listApprovals(reads(app), {})).text).toContain(id);
    await answerApproval(owner, id, { kind: "option", optionId: "ship" });
    expect(JSON.parse((await getApproval(reads(app), id)).text)).toMatchObject({ status: "resolved" });
    const events = await countIn("event", owner);
    expect(events[home < 512 ? 0 : 1]).toBeGreaterThan(0);
    expect(events[home < 512 ? 1 : 0]).toBe(0);
  });

  test("has transactions and long statements there", async () => {
    const { ownerId } = await anOwnerOf(home);
    const name = async (text: string) =>
      (await runLongStatement(sql<{ name: string }>`SELECT current_database() AS name WHERE ${text} <> ''`)).rows[0]
        ?.name;
    const database = new URL((home < 512 ? process.env.DATABASE_URL : second.url) ?? "").pathname.slice(1);
    expect(await name(ownerId)).toBe(database);
    const inside = () =>
      inTransaction((client) => sql<{ name: string }>`SELECT current_database() AS name`.row(client));
    expect((await inHomeOf(ownerId, inside))?.name).toBe(database);
    await changeByStatement({ ownerId }, sql`INSERT INTO owner_settings (owner_id) VALUES (${ownerId})`);
    expect(await countIn("owner_settings", { kind: "owner", ownerId })).toEqual(inOneOf(1));
  });
});

test("rolls back a transaction in the second database", async () => {
  const { ownerId } = await anOwnerOf(700);
  const failing = db.$transaction(async (tx) => {
    await tx.ownerSettings.create({ data: { ownerId } });
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await countIn("owner_settings", { kind: "owner", ownerId })).toEqual([0, 0]);
});

test("visits both databases in work on every shard", async () => {
  const name = () => sql<{ name: string }>`SELECT current_database() AS name`.row();
  const names = (await inEveryShard(name)).map((row) => row?.name);
  expect(names).toEqual([process.env.DATABASE_URL, second.url].map((url) => new URL(url ?? "").pathname.slice(1)));
});

test("batches requests per database", async () => {
  const [here, there] = [await anAppOf(4), await anAppOf(900)];
  const queries = vi.spyOn(pg.Client.prototype, "query");
  const many = Array.from({ length: 12 }, (_, at) => (at % 2 ? here : there));
  const made = await Promise.all(
    many.map(({ app }, at) => submitApproval(app, { ...aQuestion, question: `Ship ${at}?` })),
  );
  const batches = statementsWith("INSERT INTO approval ", queries).length;
  vi.restoreAllMocks();
  expect(made).toHaveLength(12);
  expect(batches).toBe(2);
  expect(await countIn("approval", here.owner)).toEqual([6, 0]);
  expect(await countIn("approval", there.owner)).toEqual([0, 6]);
});

test("keeps a pool for each database", () => {
  expect(pool(0)).not.toBe(pool(1));
  expect(pool()).toBe(pool(0));
});
