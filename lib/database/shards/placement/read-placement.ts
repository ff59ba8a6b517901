import type pg from "pg";
import { env } from "@/lib/config/env";
import { sql } from "../../sql";
import { homeCount } from "../homes";
import { inService } from "../marks";
import { directoryName, directoryShard, type Placement, type Shard } from "../shard-map";
import { usesSpqr } from "../spqr";

/** A shard that the operator added (`countersign shards add`). */
type Added = { name: string; number: number };
type Read = {
  version: string;
  added: Added[];
  placed: [home: number, shard: number, paused: boolean, otherShard: number | null][];
};

/** A placement, and the shards that are missing in it. */
export type PlacementInUse = Placement & {
  /** The names of added shards that the setting SHARDS of this instance does not list. */
  readonly unlisted: readonly string[];
};

/** Reads which shards were added and which homes they store, from the directory. */
export async function readPlacement(): Promise<PlacementInUse> {
  const statement = sql<Read>`
    SELECT v.version::text AS version,
      (
        SELECT json_agg(json_build_object('name', s.name, 'number', s.number) ORDER BY s.number)
        FROM shard s
      ) AS added,
      (
        SELECT coalesce(
          json_agg(json_build_array(h.home, s.number, h.state = 'paused', o.number)),
          '[]'
        )
        FROM home_placement h
          JOIN shard s ON s.name = h.shard
          LEFT JOIN shard o ON o.name = h.moving_to
      ) AS placed
    FROM placement_version v`;
  const { version, added, placed } = (await inService(() => statement.row()))!;
  const homes = new Uint8Array(homeCount);
  for (const [home, number] of placed) homes[home] = number;
  return {
    ...listedShards(added),
    homes,
    paused: new Set(placed.filter(([, , paused]) => paused).map(([home]) => home)),
    pausedShards: new Set(placed.flatMap(([, here, paused, other]) => (paused ? [here, other ?? here] : []))),
    version: Number(version),
  };
}

/** Returns the added shards. Without the placement's migration, none was added. */
export async function readAddedShards(client: pg.ClientBase): Promise<readonly Added[]> {
  const there = sql<{ there: boolean }>`SELECT to_regclass('shard') IS NOT NULL AS there`;
  if (!(await there.row(client))?.there) return [];
  return sql<Added>`SELECT name, number FROM shard ORDER BY number`.rows(client);
}

/** Returns the names of the added shards other than the directory. */
export const otherShardNames = async (): Promise<string[]> =>
  (await sql<Added>`SELECT name, number FROM shard WHERE number <> ${directoryShard}`.rows()).map(({ name }) => name);

/** Returns the connections of the added shards, from this instance's settings. */
function listedShards(added: readonly Added[]): Pick<PlacementInUse, "shards" | "unlisted"> {
  const listed = added.map((shard) => shardOfSettings(shard.name, shard.number) ?? shard.name);
  return {
    shards: listed.filter((shard) => typeof shard !== "string"),
    unlisted: listed.filter((shard) => typeof shard === "string"),
  };
}

/**
 * Returns the connections of a shard, from this instance's settings. Returns undefined if SHARDS
 * does not list the shard.
 */
export function shardOfSettings(name: string, number: number): Shard | undefined {
  const { shards } = env();
  if (name === directoryName) return { number: directoryShard, name };
  const address = shards.get(name);
  if (address === undefined) return undefined;
  // A router receives the statements of all shards, at DATABASE_URL.
  return { number, name, directUrl: address, ...(!usesSpqr() && { url: address }) };
}
