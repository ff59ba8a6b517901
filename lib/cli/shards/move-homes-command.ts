import type pg from "pg";
import type { Home } from "@/lib/database/shards/homes";
import { readMoveNote } from "@/lib/database/shards/moves/hidden-homes";
import { hidingSchema } from "@/lib/database/shards/moves/hiding-schema";
import { readHomes, writeHomes } from "@/lib/database/shards/moves/home-ranges";
import { type Move, MoveError, type MoveNote, type MoverShard } from "@/lib/database/shards/moves/move";
import { abortMove, moveHomes } from "@/lib/database/shards/moves/move-homes";
import { passing } from "@/lib/database/shards/moves/pause-gate";
import { forgetMover, readHomesOfDirectory, readOpenMove } from "@/lib/database/shards/moves/placement-changes";
import { missingRequirements } from "@/lib/database/shards/moves/requirements";
import { type Shard, shards } from "@/lib/database/shards/shard-map";
import { inShard } from "@/lib/database/shards/statement-routing";
import { sql } from "@/lib/database/sql";
import { finishFanOut } from "@/lib/webhooks/finish-fan-out";
import { type Command, OperatorError, UsageError } from "../command";
import { addedShard, directUrlOf, inDirectoryAlone, onShard, tell } from "./shard-connections";

/*
 * Moves homes in rounds. The first copy of a round reads the former shard's tables completely, so
 * one round has many homes. An unfinished move must be finished or aborted before another one.
 */

export const moveHomesCommand: Command = {
  async run(given, [text = ""]) {
    const homes = homesOf(text);
    const to = addedShard(given.one("to") ?? "");
    const perRound = Number(given.one("homes-per-round"));
    if (!(Number.isInteger(perRound) && perRound > 0))
      throw new UsageError("--homes-per-round must be a whole number.");
    return inDirectoryAlone(async (directory) => {
      const unfinished = await findUnfinished(directory);
      // The lock says that this process has ended.
      if (unfinished?.mover !== undefined) await forgetMover(directory, unfinished.mover);
      if (given.has("abort")) return abort(directory, unfinished);
      if (unfinished && (unfinished.to !== to.name || !unfinished.homes.every((home) => homes.includes(home))))
        throw new OperatorError(
          `An earlier move is unfinished. First run "shards move ${JSON.stringify(writeHomes(unfinished.homes))} --to ${unfinished.to}" to finish it, or with --abort to abort it.`,
        );
      if (unfinished) await moveRound(directory, unfinished);
      const rounds = await roundsOf(directory, homes, to.name, perRound);
      for (const round of rounds) await moveRound(directory, round);
      const moved = [...(unfinished?.homes ?? []), ...rounds.flatMap((round) => round.homes)];
      return {
        json: { moved, to: to.name },
        text:
          moved.length > 0
            ? `Moved to ${to.name}: ${writeHomes(moved)}.`
            : `All these homes are on ${to.name} already.`,
      };
    });
  },
};

function homesOf(text: string): Home[] {
  try {
    return readHomes(text);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Returns the move that an earlier command has not finished, if there is one. */
export async function findUnfinished(directory: pg.ClientBase): Promise<MoveNote | undefined> {
  for (const shard of shards()) {
    const note = await onShard(shard.name, directUrlOf(shard), readMoveNote);
    if (note) return note;
  }
  return readOpenMove(directory);
}

/** Returns the homes that are not on the target yet, in rounds. */
async function roundsOf(directory: pg.ClientBase, homes: Home[], to: string, size: number): Promise<MoveNote[]> {
  const placed = await readHomesOfDirectory(directory);
  const rounds: { from: string; to: string; homes: Home[] }[] = [];
  for (const { name: from } of shards()) {
    const here = homes.filter((home) => placed[home]?.shard === from && from !== to);
    for (let at = 0; at < here.length; at += size) rounds.push({ from, to, homes: here.slice(at, at + size) });
  }
  return rounds;
}

async function moveRound(directory: pg.ClientBase, note: MoveNote): Promise<void> {
  tell(`Moving from ${note.from} to ${note.to}: ${writeHomes(note.homes)}`);
  const { standstillMs, deletedRows } = await withMove(directory, note, moveHomes);
  const stood = standstillMs === undefined ? "" : ` The owners' requests waited for ${Math.round(standstillMs)} ms.`;
  tell(`Moved ${deletedRows} rows.${stood}`);
}

async function abort(directory: pg.ClientBase, unfinished: MoveNote | undefined) {
  if (!unfinished) return { json: { aborted: [] }, text: "No move is unfinished." };
  await withMove(directory, unfinished, abortMove);
  const { homes, from } = unfinished;
  return { json: { aborted: homes, from }, text: `Aborted. These homes stay on ${from}: ${writeHomes(homes)}.` };
}

/** Connects to both shards. @throws {OperatorError} */
async function withMove<T>(directory: pg.ClientBase, note: MoveNote, work: (move: Move) => Promise<T>): Promise<T> {
  const [from, to] = [addedShard(note.from), addedShard(note.to)];
  const [fromUrl, toUrl] = [directUrlOf(from), directUrlOf(to)];
  return onShard(from.name, fromUrl, (source) =>
    onShard(to.name, toUrl, (target) =>
      onShard(to.name, toUrl, async (snapshot) => {
        const missing = [
          ...(await missingRequirements(source, from.name)),
          ...(await missingRequirements(target, to.name)),
        ];
        if (missing.length > 0) throw new OperatorError(missing.join("\n"));
        for (const shard of [from, to]) await requireSearchPath(shard);
        const sides = { from: moverShard(from, fromUrl, source), to: moverShard(to, toUrl, target) };
        return work({ directory, ...sides, homes: note.homes, snapshot, tell }).catch((error) => {
          throw error instanceof MoveError ? new OperatorError(error.message) : error;
        });
      }),
    ),
  );
}

const moverShard = ({ name, number }: Shard, url: string, client: pg.ClientBase): MoverShard => ({
  name,
  number,
  url,
  client,
  finishFanOut: () => passing(() => inShard(number, () => finishFanOut())),
});

/** @throws {OperatorError} if the service's connections would not find the views of hidden homes */
async function requireSearchPath({ name, number }: Shard): Promise<void> {
  const statement = sql<{ path: string }>`SELECT current_setting('search_path') AS path`;
  const row = await passing(() => inShard(number, () => statement.row()));
  if (!row?.path.startsWith(hidingSchema))
    throw new OperatorError(
      `Connections to the shard ${name} lack the schema ${hidingSchema} in their search path. Run "shards add" for a shard again, and let the pooler reconnect.`,
    );
}
