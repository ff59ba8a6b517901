import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { disconnect } from "@/lib/database/db";
import { homeCount } from "@/lib/database/shards/homes";
import { loadPlacement } from "@/lib/database/shards/placement/watch-placement";
import {
  endReplication,
  replicateDirectory,
  type Server,
  untilApplied,
  untilCopied,
} from "@/lib/database/shards/replication/replicate-directory";
import { setPlacement } from "@/lib/database/shards/shard-map";
import { configure } from "@/lib/testing/change-settings";
import { inDatabase } from "@/lib/testing/temporary-postgres";
import { shardCount } from "./shard-count";

/*
 * `npm run test:shards` runs database tests with several databases: a directory that stores no
 * owner, and shards that share the homes.
 */

/** The databases of one test file. */
export type ShardedDatabases = {
  /** Waits until every shard has the directory's last changes. */
  untilReplicated(): Promise<void>;
  end(): Promise<void>;
};

/**
 * Creates shards for a directory's database, which has none, and copies the directory's tables to
 * them.
 * @param admin a superuser's connection to the server
 * @param name the directory's database
 */
export async function addShards(
  admin: pg.Client,
  { url, name, template }: { url: string; name: string; template: string },
): Promise<ShardedDatabases> {
  const names = Array.from({ length: shardCount }, (_, index) => `shard_${index + 1}`);
  const databases = names.map((shard) => `${name}_${shard}`);
  for (const database of databases) await admin.query(`CREATE DATABASE ${database} TEMPLATE ${template}`);
  const directory = await open(inDatabase(url, name));
  const shards = await Promise.all(databases.map((database) => open(inDatabase(url, database))));
  for (const shard of shards) await replicateDirectory(directory, shard);
  for (const [index, shard] of names.entries())
    await directory.client.query("INSERT INTO shard (name, number) VALUES ($1, $2)", [shard, index + 1]);
  await directory.client.query(
    `INSERT INTO home_placement (home, shard)
     SELECT home, 'shard_' || (1 + home % $2) FROM generate_series(0, $1 - 1) AS home`,
    [homeCount, shardCount],
  );
  await Promise.all(shards.map((shard) => untilCopied(directory.client, shard.client)));
  await disconnect();
  configure({ SHARDS: names.map((shard, index) => `${shard}=${shards[index]?.url}`).join(" ") });
  await loadPlacement();
  return {
    untilReplicated: async () => {
      const applied = Promise.all(shards.map((shard) => untilApplied(directory.client, shard.client)));
      // A test can hold a lock that a copy waits for.
      await Promise.race([applied, sleep(2000, undefined, { ref: false })]);
    },
    end: async () => {
      await setPlacement();
      for (const shard of shards) await endReplication(directory.client, shard.client);
      await Promise.all([directory, ...shards].map(({ client }) => client.end()));
      for (const database of databases) await admin.query(`DROP DATABASE ${database} WITH (FORCE)`);
    },
  };
}

async function open(url: string): Promise<Server & { client: pg.Client }> {
  const client = new pg.Client({ connectionString: url, application_name: "test harness" });
  client.on("error", () => {});
  await client.connect();
  return { client, url };
}
