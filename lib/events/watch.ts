import { sql } from "@/lib/database/sql";
import { loop } from "@/lib/work/loop";
import { processSingleton } from "@/lib/work/process-singleton";
import { type Cancel, every, later } from "@/lib/work/timers";
import { inRecentPartitions } from "./partitions";
import { subscribe } from "./pubsub";

/** One event about an app's records. `settled`: no event can still appear before it in the log. */
export type AppEvent = { type: string; subject: string; settled: boolean };

/** A subscriber to the events between one owner and one app. */
export type Watcher = {
  /** Reads the log in its order, and so receives an event only once it is settled. */
  ordered: boolean;
  onEvent(what: AppEvent): void;
  /** From here on no event is missed. The watcher itself reads earlier ones. */
  onReady(): void;
};

/**
 * One owner and one app. `since`: events of this transaction or later ones may be new; unknown at
 * first.
 */
type Place = {
  ownerId: string;
  appId: string;
  since: string | undefined;
  watchers: Set<Watcher>;
  /** The delay before the next check of unsettled events, in milliseconds. */
  patience: number;
  cancel?: Cancel | undefined;
};

type Watching = {
  owners: Map<string, { places: Map<string, Place>; stop: () => void }>;
  wanted: Set<Place>;
  safety: Cancel | undefined;
};

const watching = processSingleton<Watching>("watching", () => ({
  owners: new Map(),
  wanted: new Set(),
  safety: undefined,
}));
const checking = processSingleton("checking for changes", () =>
  loop({
    cooldownMs: gatherMs,
    backoffMs: againMs,
    failureMessage: "could not check for new events",
    run: checkWanted,
  }),
);

/** The most places per statement, and the batching window between two statements. */
const atOnce = 500;
const gatherMs = 2;
/** The retry delay while the database is down. */
const againMs = 500;
/** Interval of a check of all places, which finds changes that were never published. */
const safetyMs = 20_000;
const [soonestMs, latestMs] = [4, 500];

/**
 * Watches the events between an owner and an app. However many watchers there are, an instance runs
 * one statement at a time, about all places with changes.
 * @returns a function that stops it
 */
export function watch(ownerId: string, appId: string, watcher: Watcher): () => void {
  const it = watching();
  const place = placeOf(it, ownerId, appId);
  place.watchers.add(watcher);
  if (place.since === undefined) want(it, [place]);
  else {
    watcher.onReady();
    // Checks again for events that an earlier check found unsettled, while no watcher needed the
    // order.
    if (watcher.ordered) want(it, [place]);
  }
  it.safety ??= every(safetyMs, () => want(it, everywhere(it)));
  return () => leave(it, place, watcher);
}

/** How many watchers this instance has. */
export const watchers = (): number => everywhere(watching()).reduce((sum, place) => sum + place.watchers.size, 0);

const everywhere = (it: Watching) => [...it.owners.values()].flatMap(({ places }) => [...places.values()]);

function placeOf(it: Watching, ownerId: string, appId: string): Place {
  let owner = it.owners.get(ownerId);
  if (!owner) {
    const places = new Map<string, Place>();
    const stop = subscribe(ownerId, (missed) => {
      // The database may have restarted, and its transactions cannot be compared.
      if (missed) for (const place of places.values()) place.since = undefined;
      want(it, [...places.values()]);
    });
    it.owners.set(ownerId, (owner = { places, stop }));
  }
  let place = owner.places.get(appId);
  if (!place) {
    place = { ownerId, appId, since: undefined, watchers: new Set(), patience: 0 };
    owner.places.set(appId, place);
  }
  return place;
}

function leave(it: Watching, place: Place, watcher: Watcher) {
  place.watchers.delete(watcher);
  const owner = it.owners.get(place.ownerId);
  if (place.watchers.size > 0 || owner?.places.get(place.appId) !== place) return;
  owner.places.delete(place.appId);
  if (owner.places.size > 0) return;
  owner.stop();
  it.owners.delete(place.ownerId);
  if (it.owners.size > 0) return;
  it.safety?.();
  it.safety = undefined;
}

function want(it: Watching, places: Iterable<Place>) {
  for (const place of places) it.wanted.add(place);
  checking().wake();
}

/** One check of the wanted places. Places added meanwhile are in the next one. */
async function checkWanted() {
  const it = watching();
  const places = [...it.wanted].slice(0, atOnce);
  for (const place of places) it.wanted.delete(place);
  const watched = places.filter(({ watchers }) => watchers.size > 0);
  try {
    if (watched.length > 0) await check(it, watched);
  } catch (error) {
    for (const place of watched) it.wanted.add(place);
    throw error;
  } finally {
    if (it.wanted.size > 0) checking().wake();
  }
}

async function check(it: Watching, places: Place[]) {
  const asked = places.map(({ since }) => since);
  const { horizon, seen } = await ask(places);
  const unsettled = new Set<Place>();
  for (const [at, place] of places.entries()) {
    if (place.since !== asked[at]) {
      it.wanted.add(place);
      continue;
    }
    place.since = horizon;
    if (asked[at] === undefined) for (const watcher of [...place.watchers]) watcher.onReady();
  }
  for (const [nth, type, subject, settled] of seen) {
    const place = places[nth - 1] as Place;
    if (place.since !== horizon) continue;
    if (!settled) unsettled.add(place);
    for (const watcher of [...place.watchers])
      if (settled || !watcher.ordered) watcher.onEvent({ type, subject, settled });
  }
  for (const place of places) checkLater(it, place, unsettled.has(place));
}

/**
 * Nothing is published when an event that waits for other transactions is settled, so it is polled.
 */
function checkLater(it: Watching, place: Place, unsettled: boolean) {
  const needed = unsettled && [...place.watchers].some(({ ordered }) => ordered);
  place.patience = needed ? Math.min(latestMs, place.patience * 2 || soonestMs) : 0;
  place.cancel?.();
  place.cancel = needed ? later(place.patience, () => want(it, [place])) : undefined;
}

type Seen = [nth: number, type: string, subject: string, settled: boolean];

/**
 * Events since the last check, and the next starting point: all events that this check could not
 * see yet are at or above it.
 */
async function ask(places: Place[]): Promise<{ horizon: string; seen: Seen[] }> {
  const [owners, apps] = [places.map(({ ownerId }) => ownerId), places.map(({ appId }) => appId)];
  const since = places.map((place) => place.since ?? null);
  const looked = (await sql<{ horizon: string; seen: Seen[] | null }>`
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
