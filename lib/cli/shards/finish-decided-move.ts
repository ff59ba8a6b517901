import { env } from "@/lib/config/env";
import { completeSwitch } from "@/lib/database/shards/moves/complete-switch";
import { readDecidedMove } from "@/lib/database/shards/moves/placement-changes";
import { directoryName, placement } from "@/lib/database/shards/shard-map";
import { log } from "@/lib/log";
import { loop } from "@/lib/work/loop";
import { addedShard, directUrlOf, lockShards, onShard } from "./shard-connections";

/*
 * A mover that ends between its decision and the end of the pause would leave its homes paused. All
 * their rows are on the new shard then, so an instance ends the pause in its place. The lock that
 * every command holds in the directory says whether the mover has ended: PostgreSQL releases it
 * with the mover's connection. The operator's next command deletes the former rows.
 */

/**
 * Ends the pause of decided moves whose mover has ended, until stopped. Looks only while homes are
 * paused.
 * @returns a function that stops looking
 */
export function finishDecidedMoves(): () => Promise<void> {
  const looking = loop({
    intervalMs: 1000,
    failureMessage: "could not end the pause of moved homes; requests of their owners fail until a retry succeeds",
    run: async () => {
      if (placement().paused.size > 0) await finishDecidedMove();
    },
  });
  return looking.stop;
}

/** Ends the pause of a decided move, unless a command that changes shards is running. */
export const finishDecidedMove = () =>
  onShard(directoryName, env().directUrl, async (directory) => {
    // Before the lock, so that an instance seldom keeps out a command.
    if (!(await readDecidedMove(directory)) || !(await lockShards(directory))) return;
    const move = await readDecidedMove(directory);
    if (!move) return;
    const [from, to] = [addedShard(move.from), addedShard(move.to)];
    await onShard(from.name, directUrlOf(from), (source) =>
      onShard(to.name, directUrlOf(to), (target) =>
        completeSwitch({
          directory,
          homes: move.homes,
          from: { name: from.name, client: source },
          to: { name: to.name, client: target },
        }),
      ),
    );
    log.warn("the command that moves homes has ended during the switch, so this instance has completed the switch", {
      from: from.name,
      to: to.name,
    });
  });
