import type pg from "pg";
import { clock } from "@/lib/clock";
import { inClientTransaction } from "../../transaction";
import { type Home, homeCount } from "../homes";
import { instanceTag } from "../placement/instance-tag";
import { directoryName } from "../shard-map";
import type { MoveNote } from "./move";
import { pauseLeaseSeconds } from "./pause-gate";

/*
 * The steps of a move in the directory. Each is one transaction, and increases the placement's
 * version by a trigger. A pause is a lease: after ten seconds by the directory's clock, any
 * instance may end it, and the switch then finds no paused home. After the switch, the lease never
 * expires, because the homes may be used only once the new shard shows them (./complete-switch.ts).
 */

export type PlacedHome = { home: Home; shard: string; state: "placed" | "copying" | "paused"; movingTo: string | null };

/** Reads the placement of all homes. */
export async function readHomesOfDirectory(directory: pg.ClientBase): Promise<PlacedHome[]> {
  const { rows } = await directory.query<PlacedHome>(
    'SELECT home, shard, state, moving_to AS "movingTo" FROM home_placement',
  );
  const known = new Map(rows.map((row) => [row.home as number, row]));
  return Array.from(
    { length: homeCount },
    (_, home) => known.get(home) ?? { home: home as Home, shard: directoryName, state: "placed", movingTo: null },
  );
}

/** Notes that homes are being copied. */
export const markCopying = (directory: pg.ClientBase, homes: readonly Home[], from: string, to: string) =>
  directory.query(
    `INSERT INTO home_placement (home, shard, state, moving_to)
     SELECT home, $2, 'copying', $3 FROM unnest($1::int[]) AS home
     ON CONFLICT (home) DO UPDATE SET state = 'copying', moving_to = $3, changed_at = now()
     WHERE home_placement.shard = $2 AND home_placement.state <> 'copying'`,
    [homes, from, to],
  );

/** Notes that a move was aborted before its switch. */
export const markPlaced = (directory: pg.ClientBase, homes: readonly Home[]) =>
  directory.query(
    `UPDATE home_placement SET state = 'placed', moving_to = NULL, changed_at = now()
     WHERE home = ANY ($1) AND (state <> 'placed' OR moving_to IS NOT NULL)`,
    [homes],
  );

/** Pauses the homes. @returns the placement's new version */
export async function pauseHomes(directory: pg.ClientBase, homes: readonly Home[]): Promise<bigint> {
  const { rows } = await directory
    .query<{ version: string }>(
      `BEGIN; UPDATE home_placement SET state = 'paused', changed_at = clock_timestamp() WHERE home IN (${homes.join()}) AND state = 'copying';
     COMMIT; SELECT version::text FROM placement_version`,
    )
    .then((results) => (results as unknown as pg.QueryResult<{ version: string }>[]).at(-1)!);
  return BigInt(rows[0]!.version);
}

/** Ends the pause of homes that were not switched. */
export const unpauseHomes = (directory: pg.ClientBase, homes: readonly Home[]) =>
  directory.query(
    `UPDATE home_placement SET state = 'copying', changed_at = now()
     WHERE home = ANY ($1) AND state = 'paused' AND changed_at < 'infinity'`,
    [homes],
  );

/**
 * Decides the move: the new shard stores the homes from now on. They stay paused until
 * `finishSwitch`.
 * @throws {Error} if an instance has ended the pause
 */
export async function switchHomes(directory: pg.ClientBase, homes: readonly Home[], from: string, to: string) {
  await inClientTransaction(directory, async () => {
    const { rowCount } = await directory.query(
      `UPDATE home_placement SET shard = $3, moving_to = $2, changed_at = 'infinity'
       WHERE home = ANY ($1) AND state = 'paused' AND shard = $2 AND moving_to = $3
         AND changed_at > clock_timestamp() - make_interval(secs => $4)`,
      [homes, from, to, pauseLeaseSeconds],
    );
    if (rowCount !== homes.length)
      throw new PauseEnded("An instance ended the pause, because the pause lasted too long.");
  });
}

/** Thrown if a switch must be tried again. */
export class PauseEnded extends Error {}

/** Whether the directory has decided a move of paused homes. */
export async function isSwitched(directory: pg.ClientBase, homes: readonly Home[]): Promise<boolean> {
  const { rowCount } = await directory.query(
    "SELECT FROM home_placement WHERE home = ANY ($1) AND state = 'paused' AND changed_at = 'infinity'",
    [homes],
  );
  return rowCount === homes.length;
}

/** Returns the move that the directory has decided and whose homes are still paused, if any. */
export async function readDecidedMove(directory: pg.ClientBase): Promise<MoveNote | undefined> {
  const { rows } = await directory.query<{ home: Home; from: string; to: string }>(
    `SELECT home, moving_to AS "from", shard AS "to" FROM home_placement
     WHERE state = 'paused' AND changed_at = 'infinity' ORDER BY home`,
  );
  const [first] = rows;
  return first && { from: first.from, to: first.to, homes: rows.map(({ home }) => home) };
}

/** Returns the move whose homes are not all placed yet, if any. */
export async function readOpenMove(directory: pg.ClientBase): Promise<MoveNote | undefined> {
  const decided = await readDecidedMove(directory);
  if (decided) return decided;
  const open = (await readHomesOfDirectory(directory)).filter(({ state }) => state !== "placed");
  const [first] = open;
  return first && { from: first.shard, to: first.movingTo ?? first.shard, homes: open.map(({ home }) => home) };
}

/** Ends the pause after the switch. */
export const finishSwitch = (directory: pg.ClientBase, homes: readonly Home[]) =>
  directory.query(
    `UPDATE home_placement SET state = 'placed', moving_to = NULL, changed_at = now()
     WHERE home = ANY ($1) AND state = 'paused' AND changed_at = 'infinity'`,
    [homes],
  );

/** An instance that has not confirmed a version. */
export type LateInstance = { instance: string; version: string; seconds: number };

/** Connections to the directory, which has the instances' versions, and to the former shard. */
type Connections = { readonly directory: pg.ClientBase; readonly from: pg.ClientBase };

/**
 * Waits until every instance uses a version of the placement, and none of its earlier statements
 * is running. An instance that was silent for 30 seconds is taken for dead if it has no connection
 * to the former shard.
 * The mover's own process needs no confirmation, because it sends only the mover's statements.
 * @returns the instances that are late after `withinMs` milliseconds
 */
export const untilInstancesUse = (connections: Connections, version: bigint, withinMs: number) =>
  untilNoneIsLate(connections, ["version < $1::bigint", version.toString()], withinMs);

/**
 * Waits until no living instance is silent, because a pause would then be in vain. Instances report
 * once a second.
 * @returns the instances that are silent after `withinMs` milliseconds
 */
export const untilInstancesRespond = (connections: Connections, withinMs: number) =>
  untilNoneIsLate(connections, ["seen_at < clock_timestamp() - make_interval(secs => $1)", "5"], withinMs);

async function untilNoneIsLate(
  { directory, from }: Connections,
  [condition, value]: readonly [condition: string, value: string],
  withinMs: number,
): Promise<LateInstance[]> {
  const until = clock.elapsed() + withinMs;
  for (;;) {
    const { rows } = await directory.query<LateInstance>(
      `SELECT instance, version::text,
         extract(epoch FROM clock_timestamp() - seen_at)::float8 AS seconds
       FROM instance_placement
       WHERE ${condition} AND right(instance, 8) <> $2`,
      [value, instanceTag()],
    );
    const late: LateInstance[] = [];
    for (const one of rows) if (one.seconds < 30 || (await isConnected(from, one.instance))) late.push(one);
    if (late.length === 0) return [];
    if (clock.elapsed() > until) return late;
    await clock.pause(10);
  }
}

/** Removes a mover that has ended, by its tag. The next move would otherwise wait for it. */
export const forgetMover = (directory: pg.ClientBase, tag: string) =>
  directory.query("DELETE FROM instance_placement WHERE right(instance, 8) = $1", [tag]);

/** Whether an instance is connected to a shard, by the tag at the end of its name. */
async function isConnected(client: pg.ClientBase, instance: string): Promise<boolean> {
  const { rowCount } = await client.query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'countersign ' || $1",
    [instance.split(" ").at(-1)],
  );
  return rowCount !== 0;
}
