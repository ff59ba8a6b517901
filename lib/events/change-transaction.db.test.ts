import { afterAll, expect, test } from "vitest";
import { db, type Transaction } from "@/lib/database/db";
import { inHomeOf } from "@/lib/database/shards/marks";
import { type Sql, sql } from "@/lib/database/sql";
import { AppError } from "@/lib/errors";
import { anOwnerWithHome } from "@/lib/testing/two-shards";
import { affects, change, changeByStatement, changeUnannounced, changeWithClient } from "./change-transaction";
import { closePubsub, subscribeToAll } from "./pubsub";
import { record } from "./record-events";
import { notifyOwner } from "./service-notification";

afterAll(closePubsub);

/**
 * Runs work. Returns the owners that this process published during the work, in order, and the
 * error if the work failed.
 */
async function toldBy(work: () => Promise<unknown>): Promise<{ told: string[]; error?: unknown }> {
  const told: string[] = [];
  const stop = subscribeToAll((ownerId) => told.push(ownerId));
  try {
    await work();
    return { told };
  } catch (error) {
    return { told, error };
  } finally {
    stop();
  }
}

const happened = (ownerId: string) => ({ ownerId, type: "grant.changed", subject: ownerId }) as const;
const eventsOf = (ownerId: string) => db.event.count({ where: { ownerId } });
/** Creates owners on one shard, because a transaction can change only those. */
const owners = async (many: number) =>
  (await Promise.all(Array.from({ length: many }, () => anOwnerWithHome(7)))).map((it) => it.ownerId);

test("publishes a change exactly once to every affected owner", async () => {
  const [mine, others, fed, seen] = (await owners(4)) as [string, string, string, string];
  const { told } = await toldBy(() =>
    inHomeOf(mine, () =>
      change({ ownerId: mine }, async (tx) => {
        await record(tx, happened(others), happened(mine));
        await record(tx, happened(others));
        await notifyOwner(tx, { ownerId: fed, title: "Careful", body: "", type: "security" });
        affects(tx, seen);
        expect(await eventsOf(others)).toBe(0);
      }),
    ),
  );
  expect(told).toEqual([mine, others, fed, seen]);
  expect(await eventsOf(others)).toBe(2);
});

test("publishes no change after a rollback", async () => {
  const [ownerId] = (await owners(1)) as [string];
  const { told, error } = await toldBy(() =>
    change({ ownerId }, async (tx) => {
      await record(tx, happened(ownerId));
      throw new AppError(409, "no");
    }),
  );
  expect({ told, error }).toMatchObject({ told: [], error: { status: 409 } });
  expect(await eventsOf(ownerId)).toBe(0);
});

test("commits a change when its callback returns an error", async () => {
  const [ownerId] = (await owners(1)) as [string];
  const { told, error } = await toldBy(() =>
    change(null, async (tx) => {
      await record(tx, happened(ownerId));
      return new AppError(409, "used");
    }),
  );
  expect({ told, error }).toMatchObject({ told: [ownerId], error: { status: 409 } });
  expect(await eventsOf(ownerId)).toBe(1);
});

test("publishes a retried change exactly once", async () => {
  const [first, second] = (await owners(2)) as [string, string];
  let times = 0;
  const { told } = await toldBy(() =>
    change(null, async (tx) => {
      await record(tx, happened(++times === 1 ? first : second));
      if (times === 1) await conflict(tx);
    }),
  );
  expect(told).toEqual([second]);
  expect([await eventsOf(first), await eventsOf(second)]).toEqual([0, 1]);
});

/** Fails with PostgreSQL's error for conflicting transactions. */
const conflict = (tx: Transaction) =>
  tx.$executeRawUnsafe("DO $$ BEGIN RAISE EXCEPTION 'in the way' USING ERRCODE = 'serialization_failure'; END $$");

test("rolls back all statements of a failed change", async () => {
  const [one, other] = (await owners(2)) as [string, string];
  const nameOf = async () => (await db.owner.findUniqueOrThrow({ where: { id: one } })).name;
  const before = await nameOf();
  const work = (fails: boolean) => () =>
    changeWithClient(one, async ({ client, affectedOwners }) => {
      await client.query("UPDATE owner SET name = name || '!' WHERE id = $1", [one]);
      affectedOwners.add(other);
      if (fails) throw new Error("no");
    });
  expect(await toldBy(work(true))).toMatchObject({ told: [], error: { message: "no" } });
  expect(await nameOf()).toBe(before);
  expect(await toldBy(work(false))).toEqual({ told: [other] });
  expect(await nameOf()).toBe(`${before}!`);
});

test("publishes a statement's change to the affected owners", async () => {
  const [one, other] = (await owners(2)) as [string, string];
  const rename = (ids: string[]): Sql<{ owner_id: string }> =>
    sql`UPDATE owner SET name = 'Named' WHERE id = ANY (${ids}) RETURNING id AS owner_id`;
  expect((await toldBy(() => changeByStatement(null, rename([one, other, one])))).told.sort()).toEqual(
    [one, other].sort(),
  );
  expect(await toldBy(() => changeByStatement({ ownerId: other }, rename([one])))).toEqual({ told: [other] });
  expect(await toldBy(() => changeByStatement({ ownerId: other }, rename([])))).toEqual({ told: [] });
});

test("publishes a statement's change only if the statement writes rows", async () => {
  const [ownerId] = (await owners(1)) as [string];
  const set = (
    types: string[],
  ) => sql`INSERT INTO app_preferences (owner_id, app_id, muted_types) VALUES (${ownerId}, 'app_1', ${types})
    ON CONFLICT (owner_id, app_id) DO UPDATE SET muted_types = excluded.muted_types
      WHERE app_preferences.muted_types <> excluded.muted_types`;
  expect(await toldBy(() => changeByStatement({ ownerId }, set(["a"])))).toEqual({ told: [ownerId] });
  expect(await toldBy(() => changeByStatement({ ownerId }, set(["b"])))).toEqual({ told: [ownerId] });
  expect(await toldBy(() => changeByStatement({ ownerId }, set(["b"])))).toEqual({ told: [] });
  expect(await toldBy(() => changeUnannounced(set(["c"])))).toEqual({ told: [] });
});
