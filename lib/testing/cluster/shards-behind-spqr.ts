import { closeDb } from "@/lib/database/db";
import { loadPlacement } from "@/lib/database/shards/placement/watch-placement";
import { setPlacement } from "@/lib/database/shards/shard-map";
import { closePubsub } from "@/lib/events/pubsub";
import { withClient } from "@/lib/postgres/with-client";
import { configure } from "../change-settings";
import { newDataDir, removeDataDir } from "../data-dir";
import { obeyed } from "../operator-command";
import { query, type Throwaway, throwawayPostgres } from "../temporary-postgres";
import { type SpqrRouter, startSpqr } from "./spqr-router";

const settings = [
  ...["fsync=off", "full_page_writes=off", "wal_level=logical", "max_wal_senders=20", "max_replication_slots=20"],
  ...["max_worker_processes=30", "wal_retrieve_retry_interval=500ms"],
];

/** SPQR's router in front of the directory, which stores the homes below 512, and a shard `two`. */
export type ShardsBehindSpqr = {
  router: SpqrRouter;
  servers: { main: Throwaway; two: Throwaway };
  /** The settings of an instance or a command. */
  settings: Record<string, string>;
  /** Returns the number of owners on each shard. */
  countOwners(): Promise<number[]>;
  end(): Promise<void>;
};

/** Starts the servers, adds the shard and moves homes as docs/operations/shards.md says. */
export async function shardsBehindSpqr(program: string): Promise<ShardsBehindSpqr> {
  const [main, two] = (await Promise.all([throwawayPostgres(settings), throwawayPostgres(settings)])) as [
    Throwaway,
    Throwaway,
  ];
  for (const { url } of [main, two]) await query(url, "ALTER ROLE CURRENT_USER SET statement_timeout = '30s'");
  const router = await startSpqr(program, { main: main.url, two: two.url });
  const dataDir = newDataDir(0o700);
  const environment = {
    DATABASE_URL: router.url,
    DATABASE_DIRECT_URL: main.url,
    SHARDS: `two=${two.url}`,
    SHARD_ROUTER: "spqr",
    SECRET: "a-secret-behind-spqr-0123456789abcdef0123456789",
    DATA_DIR: dataDir,
  };
  const end = async () => {
    await setPlacement();
    await closePubsub();
    await closeDb();
    await router.end();
    await Promise.all([main.end(), two.end()]);
    removeDataDir(dataDir);
  };
  for (const args of [
    ["shards", "add", "two"],
    ["shards", "move", "512-1023", "--to", "two"],
  ]) {
    const { status, err } = await obeyed(environment, args);
    if (status === 0) continue;
    await end();
    throw new Error(`${args.join(" ")}: ${err}\n${router.output()}`);
  }
  configure({ ...environment, PUBLIC_URL: "http://localhost:3000", UNDO_SECONDS: "0" });
  await loadPlacement();
  return {
    router,
    servers: { main, two },
    settings: environment,
    countOwners: () =>
      Promise.all(
        [main, two].map(({ url }) =>
          withClient(url, async (client) => (await client.query("SELECT FROM owner")).rowCount ?? 0),
        ),
      ),
    end,
  };
}
