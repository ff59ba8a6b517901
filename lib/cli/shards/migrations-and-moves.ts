import type pg from "pg";
import { readMoveNote } from "@/lib/database/shards/moves/hidden-homes";
import { writeHomes } from "@/lib/database/shards/moves/home-ranges";
import type { MoveNote } from "@/lib/database/shards/moves/move";
import { readOpenMove } from "@/lib/database/shards/moves/placement-changes";
import { isPassing } from "@/lib/postgres/connection-check";
import { MigrationError } from "@/lib/postgres/migrations";
import { withClient } from "@/lib/postgres/with-client";
import { lockShards } from "./shard-connections";

/*
 * While homes move, replication and the views of hidden homes depend on the columns of the tables
 * on both shards. So no migration is applied until a move has ended, and no move begins while
 * migrations are applied. An instance of a new version then does not start, and those of the
 * previous version serve on.
 */

/** Called before a migration is applied. @throws {MigrationError} if homes are moving */
export type BeforeMigration = (migration: string) => Promise<void>;

/**
 * Runs work that may apply migrations. Nothing is checked unless a migration is missing.
 * @param shardUrls the addresses of the other shards; those that are away are not checked
 */
export function withoutMoves<T>(
  directoryUrl: string,
  shardUrls: readonly string[],
  work: (before: BeforeMigration) => Promise<T>,
): Promise<T> {
  return withClient(
    directoryUrl,
    (directory) => {
      directory.on("error", () => {});
      return work((migration) => requireNoMove(directory, shardUrls, migration));
    },
    { application_name: "countersign migrate" },
  );
}

async function requireNoMove(directory: pg.Client, shardUrls: readonly string[], migration: string): Promise<void> {
  const isAlone = await lockShards(directory, "shared");
  const move = await findMove(directory, shardUrls);
  if (move)
    throw new MigrationError(
      `Homes are moving from ${move.from} to ${move.to}, so the migration ${migration} can't be applied yet. With the version of Countersign that began the move, run "shards move ${shellWord(writeHomes(move.homes))} --to ${move.to}" to finish the move, or add --abort before the switch. Then try again.`,
    );
  if (!isAlone)
    throw new MigrationError(
      `Another command is changing the shards. Wait until it has ended, and then apply the migration ${migration}.`,
    );
}

const shellWord = (text: string) => (text.includes(" ") ? JSON.stringify(text) : text);

async function findMove(directory: pg.Client, shardUrls: readonly string[]): Promise<MoveNote | undefined> {
  const there = "SELECT to_regclass('home_placement') IS NOT NULL AS there";
  if (!(await directory.query<{ there: boolean }>(there)).rows[0]?.there) return undefined;
  const ofShards = shardUrls.map((url) =>
    withClient(url, readMoveNote).catch((error) => {
      if (!isPassing(error)) throw error;
      return undefined;
    }),
  );
  const notes = await Promise.all([readMoveNote(directory), ...ofShards]);
  return notes.find(Boolean) ?? (await readOpenMove(directory));
}
