import { perShard } from "@/lib/database/shards/each-shard";
import { sql } from "@/lib/database/sql";
import { pausePoint } from "@/lib/pause-points";
import { loop } from "@/lib/work/loop";
import { processSingleton } from "@/lib/work/process-singleton";
import { type Cancel, every, later } from "@/lib/work/timer-registry";
import { inRecentPartitions } from "./partition-bounds";
import { subscribe } from "./pubsub";

/**
 * An event about an app's records, or about a linked account. `settled`: no event can still appear
 * before it in the log.
 */
export type AppEvent = { type: string; subject: string; settled: boolean };

/** The type of the event that ends all waits of an app. No watcher waits for it to settle. */
export const freezing = "owner.frozen";

/** A subscriber to the events between one owner and one app. */
export type Watcher = {
  /**
   * Whether the watcher needs events in log order. It then receives an event only once it is
   * settled.
   */
  ordered: boolean;
  onEvent(what: AppEvent): void;
  /**
   * Called when all later events are certain to reach the watcher. The watcher must read earlier
   * events itself.
   */
  onReady(): void;
};

/**
 * One owner and one app. `since` is the first transaction whose events may be new. It is undefined
 * before the first check, and when a change may have been missed.
 */
type WatchedApp = {
  ownerId: string;
  appId: string;
  since: string | undefined;
  watchers: Set<Watcher>;
  /** The delay before the next check of unsettled events, in milliseconds. */
  backoffMs: number;
  cancel?: Cancel | undefined;
};

type Watching = {
  owners: Map<string, { places: Map<string, WatchedApp>; stop: () => void }>;
  safety: Cancel | undefined;
};

const watching = processSingleton<Watching>("watching", () => ({ owners: new Map(), safety: undefined }));
/** The places that need a check, and the loop that checks them, on each shard. */
const checks = perShard("checking for changes", () => {
  const wanted = new Set<WatchedApp>();
  const { wake } = loop({
    cooldownMs: debounceMs,
    backoffMs: retryMs,
    failureMessage: "could not check for new events; the service will retry",
    run: () => checkWanted(wanted).finally(() => wanted.size > 0 && wake()),
  });
  return { wanted, wake };
});

/**
 * Maximum number of places per statement, and the batching window between two statements in
 * milliseconds. A place is an owner and an app.
 */
const batchSize = 500;
const debounceMs = 2;
/** The retry delay while the database is down, in milliseconds. */
const retryMs = 500;
/**
 * Interval between checks of all places, in milliseconds. These checks find changes that were never
 * published.
 */
const safetyMs = 20_000;
const [soonestMs, latestMs] = [4, 500];

/**
 * Watches the events between an owner and an app. All watchers of an instance share one statement
 * at a time, which checks the places with changes.
 * @returns a function that stops the watcher
 */
export function watch(ownerId: string, appId: string, watcher: Watcher): () => void {
  const it = watching();
  const place = placeOf(it, ownerId, appId);
  place.watchers.add(watcher);
  if (place.since === undefined) want([place]);
  else {
    watcher.onReady();
    // Checks again for unsettled events, because checks stop while no watcher is `ordered`.
    if (watcher.ordered) want([place]);
  }
  it.safety ??= every(safetyMs, () => want(everywhere(it)));
  return () => leave(it, place, watcher);
}

/** Returns how many watchers this instance has. */
export const watchers = (): number => everywhere(watching()).reduce((sum, place) => sum + place.watchers.size, 0);

const everywhere = (state: Watching) => [...state.owners.values()].flatMap(({ places }) => [...places.values()]);

function placeOf(state: Watching, ownerId: string, appId: string): WatchedApp {
  let owner = state.owners.get(ownerId);
  if (!owner) {
    const places = new Map<string, WatchedApp>();
    const stop = subscribe(ownerId, (missed) => {
      // The database may have restarted, and transaction IDs from before a restart cannot be
      // compared.
      if (missed) for (const place of places.values()) place.since = undefined;
      want([...places.values()]);
    });
    state.owners.set(ownerId, (owner = { places, stop }));
  }
  let place = owner.places.get(appId);
  if (!place) {
    place = { ownerId, appId, since: undefined, watchers: new Set(), backoffMs: 0 };
    owner.places.set(appId, place);
  }
  return place;
}

function leave(state: Watching, place: WatchedApp, watcher: Watcher) {
  place.watchers.delete(watcher);
  const owner = state.owners.get(place.ownerId);
  if (place.watchers.size > 0 || owner?.places.get(place.appId) !== place) return;
  owner.places.delete(place.appId);
  if (owner.places.size > 0) return;
  owner.stop();
  state.owners.delete(place.ownerId);
  if (state.owners.size > 0) return;
  state.safety?.();
  state.safety = undefined;
}

function want(places: Iterable<WatchedApp>) {
  const loops = new Set<() => void>();
  for (const place of places) {
    const { wanted, wake } = checks.ofOwner(place.ownerId);
    wanted.add(place);
    loops.add(wake);
  }
  // Wakes last, so that one statement checks all places.
  for (const wake of loops) wake();
}

/** Checks the wanted places. Places added in the meantime wait for the next check. */
async function checkWanted(wanted: Set<WatchedApp>) {
  const places = [...wanted].slice(0, batchSize);
  for (const place of places) wanted.delete(place);
  // The owner's home may have moved to another shard.
  const isHere = ({ ownerId }: WatchedApp) => checks.ofOwner(ownerId).wanted === wanted;
  want(places.filter((place) => !isHere(place)));
  const watched = places.filter((place) => place.watchers.size > 0 && isHere(place));
  try {
    if (watched.length > 0) await check(watched);
  } catch (error) {
    for (const place of watched) wanted.add(place);
    throw error;
  }
}

async function check(places: WatchedApp[]) {
  const positions = places.map(({ since }) => since);
  const { horizon, seen } = await ask(places);
  await pausePoint("events looked up, not delivered");
  const unsettled = new Set<WatchedApp>();
  for (const [index, place] of places.entries()) {
    if (place.since !== positions[index]) {
      want([place]);
      continue;
    }
    place.since = horizon;
    if (positions[index] === undefined) for (const watcher of [...place.watchers]) watcher.onReady();
  }
  for (const [nth, type, subject, settled] of seen) {
    const place = places[nth - 1] as WatchedApp;
    if (place.since !== horizon) continue;
    if (!settled) unsettled.add(place);
    for (const watcher of [...place.watchers])
      if (settled || !watcher.ordered || type === freezing) watcher.onEvent({ type, subject, settled });
  }
  for (const place of places) checkLater(place, unsettled.has(place));
}

/**
 * Schedules the next check of unsettled events. They are polled, because no message announces that
 * an event has settled.
 */
function checkLater(place: WatchedApp, unsettled: boolean) {
  const needed = unsettled && [...place.watchers].some(({ ordered }) => ordered);
  place.backoffMs = needed ? Math.min(latestMs, place.backoffMs * 2 || soonestMs) : 0;
  place.cancel?.();
  place.cancel = needed ? later(place.backoffMs, () => want([place])) : undefined;
}

type SeenEvent = [nth: number, type: string, subject: string, settled: boolean];

/**
 * Returns the events since the last check, and the next starting point. All events that this check
 * could not see yet are at or above that point.
 */
async function ask(places: WatchedApp[]): Promise<{ horizon: string; seen: SeenEvent[] }> {
  const [owners, apps] = [places.map(({ ownerId }) => ownerId), places.map(({ appId }) => appId)];
  const since = places.map((place) => place.since ?? null);
  const looked = (await sql<{ horizon: string; seen: SeenEvent[] | null }>`
    SELECT event_horizon()::text AS horizon,
      (
        SELECT json_agg(json_build_array(w.nth, e.type, e.subject, e.tx < event_horizon()))
        FROM unnest(${owners}::text[], ${apps}::text[], ${since}::text[]) WITH ORDINALITY
            AS w(owner_id, app_id, since, nth)
          CROSS JOIN LATERAL (
            SELECT type, subject, tx
            FROM event e
            WHERE owner_id = w.owner_id
              AND app_id = w.app_id
              AND tx >= coalesce(w.since::xid8, event_horizon()) ${inRecentPartitions()}
            UNION ALL
            SELECT type, subject, tx
            FROM event e
            WHERE owner_id = w.owner_id
              AND app_id IS NULL
              AND type LIKE 'integration.%'
              AND tx >= coalesce(w.since::xid8, event_horizon()) ${inRecentPartitions()}
          ) AS e
      ) AS seen`.row())!;
  return { horizon: looked.horizon, seen: looked.seen ?? [] };
}
