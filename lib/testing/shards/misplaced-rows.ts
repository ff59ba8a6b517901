import { homeOf } from "@/lib/database/shards/homes";
import { movedTables } from "@/lib/database/shards/moves/owner-tables";
import { directoryShard } from "@/lib/database/shards/shard-map";
import { withTestClient } from "../temporary-postgres";
import type { ShardUrls } from "./known-shards";
import { placementOn } from "./test-shards";

/**
 * Finds rows of owners on another shard than their owner's. A process in production rejects no
 * statement, so a statement without its owner would read and write the directory.
 * @returns the tables of such rows, each with the shard and an owner
 */
export async function misplacedRows(directoryUrl: string, shards: ShardUrls): Promise<string[]> {
  const { homes } = placementOn(directoryUrl, shards);
  const all = [{ name: "directory", number: directoryShard, url: directoryUrl }, ...shards];
  const found = all.map(({ name, number, url }) =>
    withTestClient(url, async (client) => {
      const owners = (await movedTables(client)).map(
        (table) => `SELECT '${table.name}' AS table, ${table.owner} AS owner FROM ${table.name}`,
      );
      const { rows } = await client.query<{ table: string; owner: string }>(
        `SELECT DISTINCT * FROM (${owners.join(" UNION ALL ")}) AS rows WHERE owner IS NOT NULL`,
      );
      return rows
        .filter(({ owner }) => homes[homeOf(owner)] !== number)
        .map(({ table, owner }) => `${table} on ${name}: ${owner}`);
    }),
  );
  return (await Promise.all(found)).flat();
}
