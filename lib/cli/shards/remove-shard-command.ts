import type pg from "pg";
import { writeHomes } from "@/lib/database/shards/moves/home-ranges";
import { readHomesOfDirectory } from "@/lib/database/shards/moves/placement-changes";
import { endReplication } from "@/lib/database/shards/replication/replicate-directory";
import { dropLostSlots, StillConnected } from "@/lib/database/shards/replication/replication-slots";
import { directoryName, shards } from "@/lib/database/shards/shard-map";
import { type Command, OperatorError } from "../command";
import { addedShard, directUrlOf, inDirectoryAlone, onShard } from "./shard-connections";

/*
 * Removes a shard without homes, or ends the copying of the directory to a lost server. The homes
 * of a lost shard stay with it: their owners' data exists only in its backup, so another shard
 * would show empty accounts. `shards add` uses the restored server again.
 */
export const removeShardCommand: Command = {
  behind: "reachable shards",
  async run(given, [name = ""]) {
    const isLost = given.has("lost");
    const shard = addedShard(name);
    if (name === directoryName) throw new OperatorError(`The shard ${name} stores the directory, and always remains.`);
    return inDirectoryAlone(async (directory) => {
      const homes = await homesOf(directory, name);
      if (homes.length > 0 && !isLost)
        throw new OperatorError(
          `The shard ${name} stores the homes ${writeHomes(homes)}. Move them to another shard first. If the shard's server is lost, add --lost.`,
        );
      if (isLost) await dropSlots(directory, name);
      else await onShard(name, directUrlOf(shard), (client) => endReplication(directory, client));
      if (homes.length === 0) await directory.query("DELETE FROM public.shard WHERE name = $1", [name]);
      return {
        json: { name, removed: homes.length === 0, homes: writeHomes(homes) },
        text:
          homes.length === 0
            ? `The shard ${name} was removed. Remove it from SHARDS on every instance.`
            : `The directory no longer keeps its write-ahead log for the shard ${name}. Requests of its owners fail until you restore its database from a backup and run "shards add ${name}".`,
      };
    });
  },
};

/** Returns the homes that a shard stores, or that are moving to it. */
async function homesOf(directory: pg.ClientBase, name: string) {
  const placed = await readHomesOfDirectory(directory);
  return placed.filter(({ shard, movingTo }) => shard === name || movingTo === name).map(({ home }) => home);
}

/** Drops the slots of a lost server: all slots except those of the other shards. */
async function dropSlots(directory: pg.ClientBase, name: string): Promise<void> {
  const others = shards().filter((shard) => shard.name !== name && shard.name !== directoryName);
  const drop = async (clients: readonly pg.ClientBase[]): Promise<void> => {
    const next = others[clients.length];
    if (next) return onShard(next.name, directUrlOf(next), (client) => drop([...clients, client]));
    await dropLostSlots(directory, clients);
  };
  await drop([]).catch((error) => {
    if (!(error instanceof StillConnected)) throw error;
    throw new OperatorError(
      `The PostgreSQL of the shard ${name} is still connected to the directory. Stop it, then try again. If it is not lost, do not use --lost.`,
    );
  });
}
