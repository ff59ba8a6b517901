import { clock } from "@/lib/clock";
import type { Home } from "../homes";
import { compareAndCleanUp } from "./clean-up";
import { deleteHomes, openSnapshot } from "./compare-and-delete";
import { completeSwitch, isPlacedOn, notOn } from "./complete-switch";
import {
  beginCopy,
  type Copy,
  copyProgress,
  endCopy,
  identifyByWholeRow,
  isSubscribed,
  readCopy,
  untilMoveApplied,
} from "./copy-homes";
import { raiseEventOrder, raiseSequences, requireBelow, webhookPosition } from "./event-order";
import { hideHomes, prepareHiding, showHomes } from "./hidden-homes";
import { type Move, MoveError, type MoveResult, type MoverShard, noteOf } from "./move";
import {
  isSwitched,
  markCopying,
  markPlaced,
  PauseEnded,
  pauseHomes,
  switchHomes,
  unpauseHomes,
  untilInstancesRespond,
  untilInstancesUse,
} from "./placement-changes";

/*
 * Moves homes from one shard to another while the service runs:
 *
 * 1. copy: replication copies the homes' rows, and then every change of them. The new shard hides
 *    the copies (./hidden-homes.ts).
 * 2. switch, in less than a second: every instance pauses these homes, the last changes arrive, and
 *    one transaction in the directory decides that the new shard stores the homes.
 * 3. compare the contents on both shards, and delete the former rows.
 *
 * Each step can be repeated. A move that stopped continues where it was: the directory's
 * transaction decides whether the move can still be aborted. If the mover ends between this
 * decision and the end of the pause, an instance ends the pause (./complete-switch.ts).
 */

/** @throws {MoveError} with a sentence for the operator */
export const moveHomes = (move: Move): Promise<MoveResult> =>
  moveAll(move).catch(async (error) => {
    // An open snapshot would delay the next attempt, which builds an index.
    await move.snapshot.query("ROLLBACK").catch(() => {});
    throw error;
  });

async function moveAll(move: Move): Promise<MoveResult> {
  const { directory, to, homes } = move;
  const copy: Copy = { to: to.name, homes };
  let standstillMs: number | undefined;
  const snapshotOf = { isOpen: false };
  if (!(await isSwitched(directory, homes)) && !(await isPlacedOn(directory, homes, to.name))) {
    await copyRows(move, copy);
    standstillMs = await switchOver(move, copy, snapshotOf);
  } else await completeSwitch(move);
  const deletedRows = await compareAndCleanUp(move, snapshotOf.isOpen);
  return { homes, standstillMs, deletedRows };
}

const sameHomes = (a: readonly Home[], b: readonly Home[]) => a.join() === b.join();

async function copyRows(move: Move, copy: Copy): Promise<void> {
  const { directory, from, to, homes, tell, before } = move;
  await before?.("mark");
  await markCopying(directory, homes, from.name, to.name);
  await unpauseHomes(directory, homes);

  const former = await readCopy(from.client);
  const continues = former?.to === to.name && sameHomes(former.homes, homes) && (await isSubscribed(to.client));
  if (!continues) await endCopy(from.client, to.client);
  await before?.("hide");
  await prepareHiding(to.client, await notOn(directory, to.name, { homes, on: from.name }), noteOf(move));
  await hideHomes(to.client);
  if (!continues) {
    const removed = await deleteHomes(to.client, homes);
    if (removed > 0) tell(`Deleted ${removed} rows that an earlier attempt had copied to ${to.name}`);
  }
  await before?.("order");
  const floor = await raiseEventOrder(to.client, from.client);
  await untilWebhooksPass(to, floor);
  await before?.("copy");
  if (!continues) {
    tell(`Copying from ${from.name} to ${to.name}`);
    await beginCopy(from.client, from.url, to.client, copy);
  } else tell(`Continuing to copy from ${from.name} to ${to.name}`);
  await untilCopied(move, copy);
  await requireBelow(from.client, floor);
}

/** Waits until the new shard's webhooks are past the floor, so that no copied event is delivered. */
async function untilWebhooksPass(to: MoverShard, floor: bigint): Promise<void> {
  const until = clock.elapsed() + 60_000;
  while ((await webhookPosition(to.client)) <= floor) {
    if (clock.elapsed() > until)
      throw new MoveError(`The webhooks of ${to.name} did not reach its last event within a minute. Try again later.`);
    await to.finishFanOut();
    await clock.pause(50);
  }
}

/** Below this, the rest arrives during the switch, in bytes of the write-ahead log. */
const smallRest = 4 * 1024 * 1024;

async function untilCopied({ from, to, tell }: Move, copy: Copy): Promise<void> {
  let told = "";
  for (let turn = 0; ; turn++) {
    const { ready, tables, behindBytes } = await copyProgress(from.client, to.client, copy);
    if (tables > 0 && ready === tables && behindBytes < smallRest) return;
    const line = `${ready} of ${tables} tables copied, ${Math.round(behindBytes / 1024 / 1024)} MiB behind`;
    if (line !== told && turn % 5 === 0) tell((told = line));
    await clock.pause(200);
    // Partitions of the event log can be new.
    if (turn % 10 === 9) await identifyByWholeRow(from.client);
  }
}

const attempts = 10;

async function switchOver(move: Move, copy: Copy, snapshot: { isOpen: boolean }): Promise<number> {
  const { directory, from, homes, tell, before } = move;
  // Prepared now, so that the views only need to be renamed during the pause.
  await prepareHiding(from.client, await notOn(directory, from.name, { homes, on: copy.to }), noteOf(move));
  let late: readonly string[] = [];
  for (let attempt = 1; attempt <= attempts; attempt++) {
    await before?.("pause");
    const tried = await trySwitch(move, copy, snapshot);
    if ("standstillMs" in tried) return tried.standstillMs;
    late = tried.late;
    tell(`The switch must wait for ${late.join(", ")} (attempt ${attempt} of ${attempts})`);
    await clock.pause(500 * attempt);
  }
  throw new MoveError(
    `The homes could not be paused because of ${late.join(", ")}. Check this instance, and run the command again.`,
  );
}

/** @returns how long the homes were paused, or what the switch must wait for */
async function trySwitch(
  move: Move,
  copy: Copy,
  snapshot: { isOpen: boolean },
): Promise<{ standstillMs: number } | { late: string[] }> {
  const { directory, from, homes } = move;
  const connections = { directory, from: from.client };
  const silent = await untilInstancesRespond(connections, 5000);
  if (silent.length > 0) return { late: silent.map(({ instance }) => instance) };
  const began = clock.elapsed();
  const version = await pauseHomes(directory, homes);
  try {
    const late = await untilInstancesUse(connections, version, 3000);
    if (late.length === 0) {
      await drainAndDecide(move, copy, snapshot);
      await completeSwitch(move);
      return { standstillMs: clock.elapsed() - began };
    }
    await unpauseHomes(directory, homes);
    return { late: late.map(({ instance }) => instance) };
  } catch (error) {
    if (!(await isSwitched(directory, homes))) await unpauseHomes(directory, homes);
    if (!(error instanceof PauseEnded)) throw error;
    return { late: [error.message] };
  }
}

async function drainAndDecide(move: Move, copy: Copy, snapshot: { isOpen: boolean }): Promise<void> {
  const { directory, from, to, homes, before } = move;
  await before?.("drain");
  await from.finishFanOut();
  await untilMoveApplied(from.client, copy, 5000).catch((error: Error) => {
    throw new PauseEnded(error.message);
  });
  await raiseSequences(to.client, to.number, from.client);
  if (snapshot.isOpen) await move.snapshot.query("ROLLBACK");
  await openSnapshot(move.snapshot);
  snapshot.isOpen = true;
  await before?.("decide");
  await switchHomes(directory, homes, from.name, to.name);
}

/**
 * Ends a move before its switch: the homes stay where they are, and the copies are deleted.
 * @throws {MoveError} if the move was switched already
 */
export async function abortMove({ directory, from, to, homes }: Move): Promise<number> {
  if ((await isSwitched(directory, homes)) || (await isPlacedOn(directory, homes, to.name)))
    throw new MoveError(`The homes are on ${to.name} already. Run the command without --abort to finish the move.`);
  await unpauseHomes(directory, homes);
  await endCopy(from.client, to.client);
  const deleted = await deleteHomes(to.client, homes);
  await Promise.all([showHomes(from.client), showHomes(to.client)]);
  await markPlaced(directory, homes);
  return deleted;
}
