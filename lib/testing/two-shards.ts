import pg from "pg";
import { env } from "@/lib/config/env";
import { db, disconnect } from "@/lib/database/db";
import type { Home } from "@/lib/database/shards/homes";
import { setShards } from "@/lib/database/shards/shard-map";
import { newOwnerId } from "@/lib/ids";
import { aDatabaseGate, type DatabaseGate } from "./database-gate";
import { ownDatabase } from "./own-database";

/** The directory, which stores the homes below 512, and a second database with the other homes. */
export type TwoShards = {
  /** Connections to the directory and to the other shard. */
  clients: readonly [directory: pg.Client, other: pg.Client];
  /** Gates that make one of the two databases unavailable to the service. */
  gates: readonly [directory: DatabaseGate, other: DatabaseGate];
  /** Returns the number of rows of a query on both databases. */
  counts(text: string, values?: unknown[]): Promise<(number | null)[]>;
  end(): Promise<void>;
};

/** Creates an owner with a home from 0 to 1023. */
export async function anOwnerWithHome(home: number) {
  const ownerId = newOwnerId(home as Home);
  const email = `${ownerId}@example.com`;
  await db.owner.create({ data: { id: ownerId, email, confirmedEmail: email, name: "Robin Owner", passwordHash: "" } });
  return { kind: "owner" as const, ownerId, email, password: "", name: "Robin Owner", session: "s", fresh: true };
}

const copied = ["app", "data_key", "receipt_key", "webhook_endpoint", "webhook_secret"];

/** Sets up two databases, and copies the service's tables as replication does. */
export async function twoShards(): Promise<TwoShards> {
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
  return {
    clients: [directory, other],
    gates,
    counts: (text, values) =>
      Promise.all([directory, other].map(async (client) => (await client.query(text, values)).rowCount)),
    end: async () => {
      await copies.stop();
      await disconnect();
      setShards();
      await Promise.all([directory.end(), other.end(), ...gates.map((gate) => gate.end())]);
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
