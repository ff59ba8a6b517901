import { env } from "@/lib/config/env";
import { log } from "@/lib/log";
import { loop } from "@/lib/work/loop";
import type { ExpiryRule } from "../../expired-row-sweeper";
import { sql } from "../../sql";
import { inService } from "../marks";
import { pauseLeaseSeconds } from "../moves/pause-gate";
import { expectShards, placement, setPlacement } from "../shard-map";
import { type PlacementInUse, readPlacement } from "./read-placement";

/*
 * Each process keeps the placement in memory, and compares its version with the directory's once a
 * second, and when the directory notifies it. A failed comparison keeps the placement. The process
 * reports the version that it uses in `instance_placement`, so that a home moves only after every
 * process sends the home's statements to the new shard.
 */

const intervalMs = 1000;

/** The rule that deletes processes that ended without removing themselves. */
export const endedInstances: ExpiryRule = {
  table: "instance_placement",
  when: sql`seen_at < now() - interval '1 day'`,
};

/** The placement that this process keeps up to date. */
export type PlacementWatch = {
  /** Compares the versions soon, because the placement may have changed. */
  wake(): void;
  /** Stops, and removes this process from `instance_placement`. */
  stop(): Promise<void>;
};

/**
 * Reads the placement, and keeps it up to date. Must be called only if SHARDS is set.
 * @param instance the process's ID in `instance_placement`
 * @throws if the directory is unreachable
 */
export async function watchPlacement(instance: string): Promise<PlacementWatch> {
  expectShards();
  /** The version for which all listeners have finished their work. */
  let inUse = 0;
  let unlisted = "";
  const use = async (read: PlacementInUse) => {
    const names = read.unlisted.join(" ");
    if (names !== "" && names !== unlisted)
      log.error("SHARDS lacks added shards; add them to SHARDS of this instance, and restart it", { shards: names });
    unlisted = names;
    await setPlacement(read);
    // A later placement can have arrived while the listeners worked.
    if (placement() === read) inUse = read.version;
  };
  await use(await readPlacement());
  await report(instance, inUse);

  const watching = loop({
    intervalMs,
    failureMessage: "could not check which shard stores which homes; the service keeps the last known placement",
    run: async () => {
      if (placement().paused.size > 0) await endExpiredPauses();
      if ((await report(instance, inUse)) === placement().version) return;
      // Listeners may wait for statements, so the next check does not wait for listeners.
      void use(await readPlacement()).then(watching.wake);
    },
  });
  return {
    wake: watching.wake,
    stop: async () => {
      await watching.stop();
      await forget(instance).catch(() => {});
      expectShards(false);
    },
  };
}

/** Reads the placement once, if SHARDS is set, for a command that does not watch it. */
export async function loadPlacement(): Promise<void> {
  if (env().shards.size === 0) return;
  expectShards();
  await setPlacement(await readPlacement());
}

/**
 * Ends pauses whose mover has not switched the homes in time, because it may have stopped. A move
 * that is switched has no such limit (./../moves/placement-changes.ts).
 */
const endExpiredPauses = () =>
  inService(() =>
    sql`
      UPDATE home_placement
      SET state = 'copying', changed_at = now()
      WHERE state = 'paused'
        AND changed_at < clock_timestamp() - make_interval(secs => ${pauseLeaseSeconds})`.run(),
  );

/** Reports the version in use. @returns the directory's version */
async function report(instance: string, version: number): Promise<number> {
  const statement = sql<{ version: string }>`
    WITH seen AS (
      INSERT INTO instance_placement (instance, version, seen_at)
      VALUES (${instance}, ${version}, now())
      ON CONFLICT (instance) DO UPDATE SET version = excluded.version, seen_at = excluded.seen_at
    )
    SELECT version::text AS version FROM placement_version`;
  return Number((await inService(() => statement.row()))?.version);
}

const forget = (instance: string) =>
  inService(() => sql`DELETE FROM instance_placement WHERE instance = ${instance}`.run());
