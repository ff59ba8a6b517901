import { hostname } from "node:os";
import type { ServiceSettings } from "@/lib/config/env";
import { settleAll } from "@/lib/database/shards/each-shard";
import { instanceTag } from "@/lib/database/shards/placement/instance-tag";
import { readAddedShards } from "@/lib/database/shards/placement/read-placement";
import { watchPlacement } from "@/lib/database/shards/placement/watch-placement";
import { directoryShard, setUnprepared } from "@/lib/database/shards/shard-map";
import { placementTopic, subscribe } from "@/lib/events/pubsub";
import { log } from "@/lib/log";
import { isPassing, reasonOf } from "@/lib/postgres/connection-check";
import { withClient } from "@/lib/postgres/with-client";
import { loop } from "@/lib/work/loop";
import { OperatorError } from "./command";
import { finishDecidedMoves } from "./shards/finish-decided-move";

/*
 * Each process prepares the shards before it uses them: it applies or checks migrations, and checks
 * the secret. A shard that is away does not prevent the service's start. The service then prepares
 * the shard when it is back, and requests for its owners return 503 until then.
 */

/** The preparation that a process requires: see `Command.behind`. */
export type Use = "service" | "command" | "repair" | "any secret" | "reachable shards" | "schema";

/** A shard that the operator added, with the address for migrations. */
export type AddedShard = { name: string; number: number; url: string };

/**
 * Returns the added shards other than the directory. Needs no secret, and no migrated directory.
 * @param directoryUrl the directory's own address
 * @throws {OperatorError} if SHARDS lacks an added shard, or is not set although shards were added
 */
export async function addedShards(directoryUrl: string, { SHARDS }: ServiceSettings): Promise<AddedShard[]> {
  const added = (await withClient(directoryUrl, readAddedShards)).filter(({ number }) => number !== directoryShard);
  if (!SHARDS && added.length > 0)
    throw new OperatorError(
      `SHARDS is not set, but other shards store owners: ${added.map(({ name }) => name).join(", ")}. Set SHARDS to all shards, on every instance.`,
    );
  return added.map(({ name, number }) => {
    const url = SHARDS?.get(name);
    if (url !== undefined) return { name, number, url };
    throw new OperatorError(`SHARDS lacks the shard ${name}. Set SHARDS to all shards, on every instance.`);
  });
}

/**
 * Prepares each shard.
 * @param prepare prepares one shard
 * @returns the shards that are away, which do not prevent the service's start
 * @throws {OperatorError} for a shard that is away, if the process is a command that needs all
 */
export async function prepareEach(
  shards: readonly AddedShard[],
  use: Use,
  prepare: (shard: AddedShard) => Promise<void>,
): Promise<AddedShard[]> {
  const away: AddedShard[] = [];
  for (const shard of shards) {
    try {
      await prepare(shard);
    } catch (error) {
      if (!isPassing(error)) throw error;
      const reason = reasonOf(error);
      if (use !== "service" && use !== "reachable shards")
        throw new OperatorError(
          `The shard ${shard.name} is unavailable: ${reason}. Start its PostgreSQL, then try again.`,
        );
      log.warn("a shard is unavailable; requests of its owners fail until it is back", { shard: shard.name, reason });
      away.push(shard);
    }
  }
  return away;
}

/**
 * Uses the placement of homes on shards, and prepares the shards that were away when they are back.
 * An instance also completes a switch of homes whose mover has ended.
 * @returns a function that stops preparing shards, and removes this process from
 *   `instance_placement`
 */
export async function joinShards(
  away: readonly AddedShard[],
  use: Use,
  prepare: (shard: AddedShard) => Promise<void>,
): Promise<() => Promise<void>> {
  const missing = new Map(away.map((shard) => [shard.number, shard]));
  setUnprepared(new Set(missing.keys()));
  const watch = await watchPlacement(`${hostname()} ${process.pid} ${instanceTag()}`);
  const unsubscribe = use === "service" ? subscribe(placementTopic, watch.wake) : undefined;
  const stopFinishing = use === "service" ? finishDecidedMoves() : undefined;
  const prepareAgain = async (shard: AddedShard) => {
    await prepare(shard);
    missing.delete(shard.number);
    setUnprepared(new Set(missing.keys()));
    log.info("a shard is available again, and was prepared", { shard: shard.name });
  };
  const preparing =
    missing.size > 0
      ? loop({
          intervalMs: () => (missing.size > 0 ? 1000 : 3_600_000),
          failureMessage: "could not prepare a shard; the service will retry",
          run: async () => {
            await settleAll([...missing.values()].map(prepareAgain));
          },
        })
      : undefined;
  return async () => {
    unsubscribe?.();
    await stopFinishing?.();
    await preparing?.stop();
    await watch.stop();
  };
}
