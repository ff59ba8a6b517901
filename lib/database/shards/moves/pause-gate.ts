import { AsyncLocalStorage } from "node:async_hooks";
import { clock } from "@/lib/clock";
import { processSingleton } from "@/lib/work/process-singleton";
import { type Destination, type Home, homeCount } from "../homes";
import { hasSeveralShards, onPlacement, type Placement, placement, UnusableShard } from "../shard-map";

/*
 * Before homes move to another shard, every instance stops sending statements for these homes, and
 * work on the whole of the two shards. New work waits here until the placement changes. This
 * instance confirms the pause in `instance_placement` only after the earlier work has ended
 * (./placement-changes.ts). Statements within work that has already entered pass, so the pause
 * can't wait for itself. With one shard, nothing enters or waits.
 */

/** How long a pause may last before the switch. Then, any instance may end the pause. */
export const pauseLeaseSeconds = 10;

/** How long a statement waits for the end of a pause, in milliseconds. The lease is shorter. */
const pauseTimeoutMs = 12_000;

/** Work that has entered. `to` is undefined for work that passes any pause. */
type Entered = { readonly to: Destination | undefined; open: boolean };

const gate = processSingleton("pause gate", () => {
  const changed = new Set<() => void>();
  const state = {
    entered: new AsyncLocalStorage<Entered>(),
    /** The number of running pieces of work, by home and by shard. */
    ofHomes: new Uint32Array(homeCount),
    ofShards: new Map<number, number>(),
    /** Called when work ends during a pause, and when the placement changes. */
    changed,
  };
  const signal = () => {
    for (const each of [...changed]) each();
  };
  onPlacement((next) => {
    signal();
    return untilIdle(next);
  });
  return { ...state, signal };
});

/**
 * Runs work for a destination. If the destination is paused, first waits for the end of the pause.
 * `work` must choose its shard when it is called, because the shard may have changed.
 * @throws {UnusableShard} if the pause lasts too long
 */
export async function enter<T>(to: Destination | undefined, work: () => T | Promise<T>): Promise<T> {
  if (to === undefined || to === "service" || !hasSeveralShards()) return work();
  if (isPaused(to) && !passes()) await untilResumed(to);
  return counted({ to, open: true }, work);
}

/** Runs work that passes every pause, because work that has entered waits for it. */
export const passing = <T>(work: () => Promise<T>): Promise<T> =>
  hasSeveralShards() ? counted({ to: undefined, open: true }, work) : work();

const isPaused = (to: Exclude<Destination, "service">) =>
  "shard" in to ? placement().pausedShards.has(to.shard) : placement().paused.has(to.home);

/** Whether a pause waits for the current work, which therefore must not wait for the pause. */
function passes(): boolean {
  const current = gate().entered.getStore();
  if (!current?.open) return false;
  const { to } = current;
  return to === undefined || (to !== "service" && isPaused(to));
}

async function counted<T>(entered: Entered, work: () => T | Promise<T>): Promise<T> {
  count(entered.to, 1);
  try {
    return await gate().entered.run(entered, work);
  } finally {
    entered.open = false;
    count(entered.to, -1);
    if (placement().paused.size > 0) gate().signal();
  }
}

function count(to: Destination | undefined, by: 1 | -1): void {
  const { ofHomes, ofShards } = gate();
  if (to === undefined || to === "service") return;
  if ("shard" in to) ofShards.set(to.shard, (ofShards.get(to.shard) ?? 0) + by);
  else ofHomes[to.home]! += by;
}

/**
 * Waits until none of these homes is paused, before work that groups owners by shard.
 * @throws {UnusableShard} if a pause lasts too long
 */
export async function untilHomesResumed(homes: Iterable<Home>): Promise<void> {
  if (passes()) return;
  for (const home of homes) await untilResumed({ home });
}

/** Waits for the end of a pause. */
async function untilResumed(to: Exclude<Destination, "service">): Promise<void> {
  const until = clock.elapsed() + pauseTimeoutMs;
  while (isPaused(to)) {
    const left = until - clock.elapsed();
    if (left <= 0) throw new UnusableShard("The owner's data is moving to another shard, and the move takes too long");
    await nextChange(left);
  }
}

/** Waits until no work is running that a pause must wait for, or the placement has changed. */
async function untilIdle(paused: Placement): Promise<void> {
  const { ofHomes, ofShards } = gate();
  const formers = new Set([...paused.paused].map((home) => paused.homes[home] as number));
  const isBusy = () =>
    [...paused.paused].some((home) => ofHomes[home]! > 0) ||
    [...formers].some((shard) => (ofShards.get(shard) ?? 0) > 0);
  while (placement() === paused && isBusy()) await nextChange(1000);
}

const nextChange = (withinMs: number) =>
  new Promise<void>((resolve) => {
    const { changed } = gate();
    const done = () => {
      changed.delete(done);
      clearTimeout(timer);
      resolve();
    };
    const timer = clock.setTimeout(done, withinMs);
    timer.unref();
    changed.add(done);
  });

/** Registers for changes of the placement, before the first statement. */
export const watchPauses = (): void => void gate();
