import type pg from "pg";
import { env } from "@/lib/config/env";
import { copyProgress, readCopy } from "@/lib/database/shards/moves/copy-homes";
import { writeHomes } from "@/lib/database/shards/moves/home-ranges";
import { type PlacedHome, readHomesOfDirectory } from "@/lib/database/shards/moves/placement-changes";
import { copyState } from "@/lib/database/shards/replication/replicate-directory";
import { directoryName, type Shard, shards } from "@/lib/database/shards/shard-map";
import { reasonOf } from "@/lib/postgres/connection-check";
import { migrationState } from "@/lib/postgres/migrations";
import { type Command, table } from "../command";
import { findUnfinished } from "./move-homes-command";
import { addedShard, directUrlOf, onShard } from "./shard-connections";

type ShardStatus = {
  name: string;
  number: number;
  homes: string;
  homeCount: number;
} & ({ reachable: false; problem: string } | ShardContent);
type ShardContent = {
  reachable: true;
  missingMigrations: number;
  owners: number;
  bytes: number;
  /** The copied tables of a newer version that "shards add" has not added yet. */
  missingCopies: readonly string[];
  copyLagBytes: number | null;
};

export const shardsStatusCommand: Command = {
  behind: "reachable shards",
  run: () =>
    onShard(directoryName, env().directUrl, async (directory) => {
      const placed = await readHomesOfDirectory(directory);
      const all = await Promise.all(shards().map((shard) => statusOf(shard, placed, directory)));
      const version = (await directory.query("SELECT version::text FROM public.placement_version")).rows[0].version;
      const instances = await readInstances(directory);
      const move = all.every(({ reachable }) => reachable) ? await moveOf(directory, placed) : undefined;
      const parts = [shardTable(all), instanceText(instances, version)];
      if (move) parts.push(move.text);
      return { json: { version, shards: all, instances, move: move?.json ?? null }, text: parts.join("\n\n") };
    }),
};

async function statusOf(shard: Shard, placed: PlacedHome[], directory: pg.ClientBase): Promise<ShardStatus> {
  const { name, number } = shard;
  const homes = placed.filter((it) => it.shard === name).map(({ home }) => home);
  const known = { name, number, homes: writeHomes(homes), homeCount: homes.length };
  try {
    const url = directUrlOf(shard);
    const { missing } = await migrationState(url);
    const content = await onShard(name, url, async (client) => {
      const { rows } = await client.query<{ owners: number; bytes: number }>(
        "SELECT (SELECT count(*)::int FROM public.owner) AS owners, pg_database_size(current_database())::float8 AS bytes",
      );
      const copies = name === directoryName ? undefined : await copyState(directory, client);
      return { ...rows[0]!, missingCopies: copies?.lacking ?? [], copyLagBytes: copies?.behindBytes ?? null };
    });
    return { ...known, reachable: true, missingMigrations: missing.length, ...content };
  } catch (error) {
    return { ...known, reachable: false, problem: error instanceof Error ? error.message : reasonOf(error) };
  }
}

function shardTable(all: ShardStatus[]): string {
  const header = ["shard", "state", "homes", "owners", "size", "copies behind"];
  const rows = all.map((it) => {
    const start = [it.name];
    if (!it.reachable) return [...start, "unavailable", `${it.homeCount} (${it.homes})`, "", "", it.problem];
    const state =
      it.missingMigrations > 0
        ? `lacks ${it.missingMigrations} migrations`
        : it.missingCopies.length > 0
          ? `lacks ${it.missingCopies.length} copies`
          : "available";
    const lag = it.copyLagBytes === null ? "" : mebibytes(it.copyLagBytes);
    return [...start, state, `${it.homeCount} (${it.homes})`, String(it.owners), mebibytes(it.bytes), lag];
  });
  return table([header, ...rows]);
}

const mebibytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`;

type Instance = { instance: string; version: string; seconds: number };

async function readInstances(directory: pg.ClientBase): Promise<Instance[]> {
  const { rows } = await directory.query<Instance>(
    `SELECT instance, version::text, round(extract(epoch FROM now() - seen_at))::int AS seconds
     FROM public.instance_placement ORDER BY instance`,
  );
  return rows;
}

function instanceText(instances: Instance[], version: string): string {
  const rows = instances.map((it) => [
    it.instance,
    it.version === version ? "current" : `version ${it.version}`,
    `${it.seconds} s ago`,
  ]);
  return `Placement version ${version}\n${table([["process", "uses", "last seen"], ...rows])}`;
}

/** Describes an unfinished move. */
async function moveOf(directory: pg.ClientBase, placed: PlacedHome[]) {
  const note = await findUnfinished(directory);
  if (!note) return undefined;
  const { from, to, homes } = note;
  const states = new Set(
    homes.map((home) => placed[home]!).map((it) => (it.shard === to && it.state === "placed" ? "cleaning" : it.state)),
  );
  const [source, target] = [addedShard(from), addedShard(to)];
  const progress = await onShard(from, directUrlOf(source), (client) =>
    onShard(to, directUrlOf(target), async (other) => {
      const copy = await readCopy(client);
      return copy && copyProgress(client, other, copy);
    }),
  );
  const state = [...states].join(", ");
  const copied = progress ? ` ${progress.ready} of ${progress.tables} tables are copied.` : "";
  const text = `Unfinished move from ${from} to ${to}: ${writeHomes(homes)} (${state}).${copied}\nIf no command is running, run "shards move ${JSON.stringify(writeHomes(homes))} --to ${to}" to finish it.`;
  return { json: { from, to, homes, state, ...progress }, text };
}
