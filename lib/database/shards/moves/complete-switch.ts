import type pg from "pg";
import type { Home } from "../homes";
import { hideHomes, isHidingPrepared, prepareHiding, showHomes } from "./hidden-homes";
import type { Move } from "./move";
import { finishSwitch, readHomesOfDirectory } from "./placement-changes";

/** The parts of a move that its switch needs after the decision. */
export type DecidedMove = Pick<Move, "directory" | "homes" | "before"> & {
  readonly from: Pick<Move["from"], "name" | "client">;
  readonly to: Pick<Move["to"], "name" | "client">;
};

/** Whether a shard stores all these homes, and none of them is paused. */
export const isPlacedOn = async (directory: pg.ClientBase, homes: readonly Home[], shard: string) => {
  const placed = await readHomesOfDirectory(directory);
  return homes.every((home) => placed[home]?.shard === shard && placed[home]?.state === "placed");
};

/** Returns the homes that a shard must hide, given that `homes` are on `on` or about to be. */
export const notOn = async (directory: pg.ClientBase, shard: string, moved: { homes: readonly Home[]; on: string }) => {
  const isMoved = new Set(moved.homes);
  const placed = await readHomesOfDirectory(directory);
  return placed
    .filter(({ home, shard: now }) => (isMoved.has(home) ? moved.on : now) !== shard)
    .map(({ home }) => home);
};

/**
 * After the decision: hides the former rows, shows the new ones, and ends the pause. Needs only the
 * three databases, because all rows have arrived before the decision. So any instance can do the
 * same if the mover has ended (lib/cli/shards/finish-decided-move.ts). Can be repeated.
 */
export async function completeSwitch(move: DecidedMove): Promise<void> {
  const { directory, from, to, homes, before } = move;
  if (await isPlacedOn(directory, homes, to.name)) return;
  await before?.("show");
  if (!(await isHidingPrepared(from.client))) {
    // Names no mover, because an instance is none.
    const note = { from: from.name, to: to.name, homes };
    await prepareHiding(from.client, await notOn(directory, from.name, { homes, on: to.name }), note);
  }
  await hideHomes(from.client);
  await showHomes(to.client);
  await before?.("finish");
  await finishSwitch(directory, homes);
}
