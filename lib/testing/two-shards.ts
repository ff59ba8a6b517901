import pg from "pg";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { env } from "@/lib/config/env";
import { db, disconnect } from "@/lib/database/db";
import type { Home } from "@/lib/database/shards/homes";
import { setShards } from "@/lib/database/shards/shard-map";
import { newOwnerId } from "@/lib/ids";
import { aDatabaseGate, type DatabaseGate } from "./database-gate";
import { anApp } from "./factories";
import { ownDatabase } from "./own-database";

/** The directory, which stores the homes below 512, and a second database with the other homes. */
export type TwoShards = {
  /** Connections to the directory and to the other shard. */
  clients: readonly [directory: pg.Client, other: pg.Client];
  /** Gates that make one of the two databases unavailable to the service. */
  gates: readonly [directory: DatabaseGate, other: DatabaseGate];
  /** Returns the number of rows of a query on both databases. */
  counts(text: string, values?: unknown[]): Promise<(number | null)[]>;
  /** Waits until both databases have a row of the service. */
  copied(table: "app" | "webhook_endpoint", id: string): Promise<void>;
  /** Waits until this many statements wait for locks, in both databases. */
  blocked(statements: number): Promise<void>;
  end(): Promise<void>;
};

/** Creates an owner with a home from 0 to 1023. */
export async function anOwnerWithHome(home: number) {
  const ownerId = newOwnerId(home as Home);
  const email = `${ownerId}@example.com`;
  await db.owner.create({ data: { id: ownerId, email, confirmedEmail: email, name: "Robin Owner", passwordHash: "" } });
  return { kind: "owner" as const, ownerId, email, password: "", name: "Robin Owner", session: "s", fresh: true };
}

/** Creates an owner whose data is in the directory. */
export const here = () => anOwnerWithHome(3);
/** Creates an owner whose data is in the second database. */
export const elsewhere = () => anOwnerWithHome(700);

/** Creates a party of an app and the owner who connects the app. */
export async function aParty(shards: TwoShards, registrar = elsewhere, connecting = elsewhere) {
  const owner = await registrar();
  const app = { ...(await anApp(owner)), owner };
  await shards.copied("app", app.clientId);
  return { owner: await connecting(), app };
}

/** Returns the number of an app's grants that have not ended, in each database. */
export const liveGrants = (shards: TwoShards, clientId: string) =>
  shards.counts("SELECT FROM app_grant WHERE app_id = $1 AND revoked_at IS NULL", [clientId]);

/** Sets up two databases for a test file. Each test begins with both available. */
export function setUpTwoShards(): TwoShards {
  const shards = {} as TwoShards;
  beforeAll(async () => void Object.assign(shards, await twoShards()));
  afterEach(() => {
    for (const gate of shards.gates) gate.open();
  });
  afterAll(() => shards.end());
  return shards;
}

const copied = ["app", "data_key", "receipt_key", "webhook_endpoint", "webhook_secret"];

/** Sets up two databases, and copies the service's tables as replication does. */
async function twoShards(): Promise<TwoShards> {
  const second = await ownDatabase();
  const urls = [env().databaseUrl, second.url] as const;
  const [directory, other] = urls.map((connectionString) => new pg.Client({ connectionString })) as [
    pg.Client,
    pg.Client,
  ];
  await Promise.all([directory.connect(), other.connect()]);
  for (const client of [directory, other])
    await client.query(`INSERT INTO shard (name, number) VALUES ('two', 1);
      INSERT INTO home_placement (home, shard) SELECT home, 'two' FROM generate_series(512, 1023) AS home`);
  const gates = [await aDatabaseGate(urls[0]), await aDatabaseGate(urls[1])] as const;
  await disconnect();
  setShards([
    { name: "main", homes: [0, 511], url: gates[0].url },
    { name: "two", homes: [512, 1023], url: gates[1].url },
  ]);
  const copies = startCopies(directory, second.url);
  const counts: TwoShards["counts"] = (text, values) =>
    Promise.all([directory, other].map(async (client) => (await client.query(text, values)).rowCount));
  const names = urls.map((url) => new URL(url).pathname.slice(1));
  // On a separate connection, because a transaction sees no changes of this view.
  const observer = new pg.Client({ connectionString: urls[0] });
  await observer.connect();
  const waiting = "SELECT FROM pg_stat_activity WHERE datname = ANY ($1) AND wait_event_type = 'Lock'";
  return {
    clients: [directory, other],
    gates,
    counts,
    copied: (table, id) => expect.poll(() => counts(`SELECT FROM ${table} WHERE id = $1`, [id])).toEqual([1, 1]),
    blocked: (statements) =>
      expect.poll(async () => (await observer.query(waiting, [names])).rowCount).toBe(statements),
    end: async () => {
      await copies.stop();
      await disconnect();
      setShards();
      await Promise.all([directory.end(), other.end(), observer.end(), ...gates.map((gate) => gate.end())]);
      await second.end();
    },
  };
}

/** Copies changed tables again and again, without triggers and checks of foreign keys. */
function startCopies(from: pg.Client, url: string) {
  const state = { isStopped: false };
  const last = new Map<string, string>();
  const run = async () => {
    const to = new pg.Client({ connectionString: url });
    await to.connect();
    await to.query("SET session_replication_role = replica");
    while (!state.isStopped) {
      for (const table of copied) {
        const rows = await from.query<{ all: string }>(
          `SELECT coalesce(json_agg(t), '[]')::text AS all FROM ${table} t`,
        );
        const { all = "" } = rows.rows[0] ?? {};
        if (last.get(table) === all) continue;
        await to.query("BEGIN");
        await to.query(`DELETE FROM ${table}`);
        await to.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [all]);
        await to.query("COMMIT");
        last.set(table, all);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await to.end();
  };
  const running = run();
  return {
    stop: () => {
      state.isStopped = true;
      return running;
    },
  };
}
