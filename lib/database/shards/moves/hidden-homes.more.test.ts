import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { env } from "@/lib/config/env";
import { sqlState } from "@/lib/errors";
import { newOwnerId } from "@/lib/ids";
import type { Home } from "../homes";
import { hideHomes, isHidingPrepared, prepareHiding, readMoveNote, showHomes } from "./hidden-homes";
import { searchHiddenHomesFirst } from "./hiding-schema";
import { movedTables } from "./owner-tables";

const note = { from: "main", to: "two", homes: [17, 18] as Home[] };
const [moved, stays] = [newOwnerId(17 as Home), newOwnerId(19 as Home)];
/** The mover's connection, and a connection of the service. */
let [mover, service]: [pg.Client, pg.Client] = [] as never;

beforeAll(async () => {
  const [one, other] = [0, 1].map(() => new pg.Client({ connectionString: env().databaseUrl })) as [
    pg.Client,
    pg.Client,
  ];
  [mover, service] = [one, other];
  await Promise.all([mover.connect(), service.connect()]);
  await mover.query("SET search_path = public");
  await service.query(searchHiddenHomesFirst);
  for (const id of [moved, stays]) await insertOwner(mover, id);
});
afterEach(() => showHomes(mover));
afterAll(() => Promise.all([mover.end(), service.end()]));

const insertOwner = (client: pg.Client, id: string) =>
  client.query("INSERT INTO owner (id, email, name, password_hash) VALUES ($1, $2, 'Robin', '-')", [
    id,
    `${id}@example.com`,
  ]);
const hide = async (homes = note.homes) => {
  await prepareHiding(mover, homes, note);
  await hideHomes(mover);
};
const ownersSeenBy = async (client: pg.Client) =>
  (await client.query("SELECT id FROM owner ORDER BY id")).rows.map(({ id }) => id);
const rejection = (work: Promise<unknown>) => work.then(() => undefined, sqlState);

/** PostgreSQL's code for a row that violates the view's check option. */
const violatesView = "44000";

test("hides the homes from the service on its open connections, but not from the mover", async () => {
  await prepareHiding(mover, note.homes, note);
  expect(await ownersSeenBy(service)).toEqual([moved, stays].sort());
  await hideHomes(mover);
  expect(await ownersSeenBy(service)).toEqual([stays]);
  expect(await ownersSeenBy(mover)).toEqual([moved, stays].sort());
  await showHomes(mover);
  expect(await ownersSeenBy(service)).toEqual([moved, stays].sort());
});

test("rejects late writes of hidden homes", async () => {
  await hide();
  expect(await rejection(insertOwner(service, newOwnerId(18 as Home)))).toBe(violatesView);
  const settings = "INSERT INTO owner_settings (owner_id) VALUES ($1)";
  expect(await rejection(service.query(settings, [moved]))).toBe(violatesView);
  const { rowCount } = await service.query("UPDATE owner SET name = 'Late' WHERE id = $1", [moved]);
  expect(rowCount).toBe(0);
  expect((await service.query("DELETE FROM owner WHERE id = $1", [moved])).rowCount).toBe(0);
});

test("accepts writes of other homes", async () => {
  await hide();
  const other = newOwnerId(20 as Home);
  await insertOwner(service, other);
  const { rowCount } = await service.query("UPDATE owner SET name = 'In time' WHERE id = $1", [other]);
  expect(rowCount).toBe(1);
  expect(
    (await service.query("DELETE FROM owner WHERE ctid = ANY (ARRAY(SELECT ctid FROM owner WHERE id = $1))", [other]))
      .rowCount,
  ).toBe(1);
});

test("hides every table of owners except events", async () => {
  await hide();
  const { rows } = await mover.query(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'placed_homes'::regnamespace AND relkind = 'v' ORDER BY 1",
  );
  const tables = (await movedTables(mover)).map(({ name }) => name).filter((name) => name !== "event");
  expect(rows.map(({ name }) => name)).toEqual(tables.sort());
});

test("replaces the hidden homes", async () => {
  await hide();
  await hide([19 as Home]);
  expect(await ownersSeenBy(service)).toEqual([moved]);
});

test("reads the unfinished move from the schema until all homes are shown", async () => {
  expect(await readMoveNote(mover)).toBeUndefined();
  expect(await isHidingPrepared(mover)).toBe(false);
  await prepareHiding(mover, note.homes, note);
  expect([await readMoveNote(mover), await isHidingPrepared(mover)]).toEqual([note, true]);
  await hideHomes(mover);
  expect([await readMoveNote(mover), await isHidingPrepared(mover)]).toEqual([note, false]);
  await showHomes(mover);
  expect(await readMoveNote(mover)).toBeUndefined();
});

test("shows the homes again after a deadlock with a transaction of the service", async () => {
  await hide();
  // PostgreSQL ends the transaction that first waits for longer than this.
  await service.query("SET deadlock_timeout = '1min'");
  const names = (await movedTables(mover)).map(({ name }) => name).filter((name) => name !== "event");
  const read = (name = "") => service.query(`SELECT FROM "${name}" LIMIT 1`);
  const [first, ...others] = names.toReversed().slice(0, 8);
  await service.query("BEGIN");
  await read(first);
  const showing = showHomes(mover);
  await expect
    .poll(async () => (await service.query("SELECT FROM pg_locks WHERE NOT granted")).rowCount)
    .toBeGreaterThan(0);
  for (const name of others) await read(name);
  await service.query("COMMIT");
  await showing;
  expect(await ownersSeenBy(service)).toEqual([moved, stays].sort());
  await service.query("RESET deadlock_timeout");
});
