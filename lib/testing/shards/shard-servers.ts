import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { closeDb } from "@/lib/database/db";
import { homeCount, homeOf } from "@/lib/database/shards/homes";
import { separateSequences } from "@/lib/database/shards/moves/event-order";
import { loadPlacement } from "@/lib/database/shards/placement/watch-placement";
import { replicateDirectory, untilCopied } from "@/lib/database/shards/replication/replicate-directory";
import { setPlacement } from "@/lib/database/shards/shard-map";
import { closePubsub } from "@/lib/events/pubsub";
import { migrate } from "@/lib/postgres/migrations";
import { start } from "@/lib/postgres/postgres-server";
import { configure } from "@/lib/testing/change-settings";
import { type Throwaway, throwawayPostgres } from "@/lib/testing/temporary-postgres";

/** PostgreSQL settings that keep committed changes when the server is killed, but not the machine. */
const settings = [
  ...["fsync=off", "full_page_writes=off", "wal_level=logical", "max_wal_senders=20", "max_replication_slots=20"],
  ...["max_worker_processes=30", "wal_retrieve_retry_interval=500ms"],
];

/** A directory without owners and two shards, each on a separate PostgreSQL server. */
export type ShardServers = {
  directory: Throwaway;
  /** The shards `one` and `two`. The first stores the homes 0–511, the second the others. */
  shards: [Throwaway, Throwaway];
  /** DATABASE_URL and SHARDS of an instance. */
  settings: { DATABASE_URL: string; SHARDS: string };
  /** Makes this process use the servers, with further settings. */
  connect(settings: { SECRET: string; ALLOW_PRIVATE_FETCH?: string }): Promise<void>;
  /** Disconnects this process, and stops the servers. */
  end(): Promise<void>;
};

/**
 * Starts the servers.
 * @param folders the folders for the files of the directory and the shards
 * @param prepare fills the empty database that becomes the directory. Its owners stay there.
 * @param walMegabytes the size that the write-ahead log of each server should not exceed
 */
export async function shardServers({
  folders = [],
  prepare = async () => {},
  walMegabytes,
}: {
  folders?: (string | undefined)[];
  prepare?: (url: string) => Promise<void>;
  walMegabytes?: number;
} = {}): Promise<ShardServers> {
  const names = ["one", "two"];
  const all = [...settings, ...(walMegabytes ? ["min_wal_size=32MB", `max_wal_size=${walMegabytes}MB`] : [])];
  const [directory, ...shards] = (await Promise.all(
    ["directory", ...names].map((_, index) => throwawayPostgres(all, undefined, folders[index])),
  )) as [Throwaway, Throwaway, Throwaway];
  await prepare(directory.url);
  for (const { url } of [directory, ...shards]) await migrate(url);
  const [main, ...others] = await Promise.all([directory, ...shards].map(({ url }) => open(url)));
  await separateSequences(main!.client, 0);
  for (const [index, shard] of others.entries()) {
    await separateSequences(shard.client, index + 1);
    await replicateDirectory(main!, shard);
    await main!.client.query("INSERT INTO shard (name, number) VALUES ($1, $2)", [names[index], index + 1]);
  }
  const owners = await main!.client.query<{ id: string }>("SELECT id FROM owner");
  await main!.client.query(
    `INSERT INTO home_placement (home, shard)
     SELECT home, CASE WHEN home < $1 / 2 THEN 'one' ELSE 'two' END FROM generate_series(0, $1::int - 1) AS home
     WHERE home <> ALL ($2)`,
    [homeCount, owners.rows.map(({ id }) => homeOf(id))],
  );
  for (const shard of others) await untilCopied(main!.client, shard.client);
  for (const { client } of [main!, ...others]) await client.end();
  const addresses = {
    DATABASE_URL: directory.url,
    SHARDS: names.map((name, index) => `${name}=${shards[index]?.url}`).join(" "),
  };
  return {
    directory,
    shards,
    settings: addresses,
    connect: (more) => {
      configure({ ...addresses, ...more, PUBLIC_URL: "http://localhost:3000" });
      return loadPlacement();
    },
    end: async () => {
      await setPlacement();
      await closePubsub();
      await closeDb();
      await Promise.all([directory, ...shards].map((server) => server.end()));
    },
  };
}

/** Stops a server at once, without a checkpoint, as a crash does. */
export const kill = ({ instance }: Throwaway): void =>
  void process.kill(Number(readFileSync(join(instance.data, "postmaster.pid"), "utf8").split("\n")[0]), "SIGQUIT");

/** Starts a killed server again, at the same address. */
export const restart = async ({ instance, port }: Throwaway): Promise<void> => void (await start(instance, port));

async function open(url: string) {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  return { client, url };
}
