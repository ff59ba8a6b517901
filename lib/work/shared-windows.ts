import { congestionWindows, type DestinationWindow, type Permit, type WindowBounds } from "./congestion-window";

/*
 * Background work runs once per shard, so an instance can have several workers that send requests
 * to the same destination. The workers share the destinations' windows. Two workers can lease jobs
 * for the same destination at the same time, so each request also asks here, and a refused job
 * returns to the queue.
 * Invariant: of an instance's workers, a destination gets no more requests than its window allows.
 */

/** A destination's window, with the requests of this instance's other workers in `elsewhere`. */
export type SharedWindow = DestinationWindow & { readonly elsewhere?: number };

/** A group of requests, such as those of one owner, and the maximum number of concurrent ones. */
export type GroupLimit = { group: string; max: number };

/** One worker's view of its instance's windows. */
export type WorkerWindows<Request> = {
  sizes(): SharedWindow[];
  /** Returns how many requests of a group all workers are making. */
  underWayIn(group: string): number;
  /** Begins a request. Returns undefined if other workers have used the room since the lease. */
  begin(request: Request): Permit | undefined;
  /** Called when the worker stops. */
  leave(): void;
};

/** The windows that an instance's workers share. */
export type SharedWindows<Request> = {
  /** @param wake called when a request of another worker has made room */
  join(wake: () => void): WorkerWindows<Request>;
};

type Rules<Request> = {
  bounds: WindowBounds;
  placeOf(request: Request): string;
  /** Returns a destination's limit for a request, given the size of its window. The size by default. */
  placeLimit?(request: Request, size: number): number;
  groupLimits(request: Request): GroupLimit[];
};

export function sharedWindows<Request>(rules: Rules<Request>): SharedWindows<Request> {
  const { bounds, placeOf, placeLimit = (_, size) => size, groupLimits } = rules;
  const windows = congestionWindows(bounds);
  const workers = new Set<() => void>();
  /** The workers that may have left out jobs because of requests of others. */
  const waiting = new Set<() => void>();
  const ofGroups = new Map<string, number>();
  const underWayIn = (group: string) => ofGroups.get(group) ?? 0;

  const isFull = (request: Request): boolean => {
    const { size, underWay } = windows.sizeOf(placeOf(request));
    return (
      underWay >= placeLimit(request, size) || groupLimits(request).some(({ group, max }) => underWayIn(group) >= max)
    );
  };
  /** Wakes the workers that wait. The worker whose request has ended wakes itself. */
  const wakeOthers = (own: () => void) => {
    const woken = [...waiting].filter((wake) => wake !== own);
    for (const wake of woken) waiting.delete(wake);
    for (const wake of woken) wake();
  };

  return {
    join(wake) {
      const counts = new Map<string, number>();
      const count = (request: Request, by: 1 | -1) => {
        add(counts, placeOf(request), by);
        for (const { group } of groupLimits(request)) add(ofGroups, group, by);
      };
      workers.add(wake);
      return {
        sizes() {
          const sizes = windows
            .sizes()
            .map((each) => ({ ...each, elsewhere: each.underWay - (counts.get(each.place) ?? 0) }));
          if (sizes.some(({ elsewhere }) => elsewhere > 0)) waiting.add(wake);
          return sizes;
        },
        underWayIn,
        begin(request) {
          // A single worker never leases too much.
          if (workers.size > 1 && isFull(request)) {
            waiting.add(wake);
            return undefined;
          }
          const permit = windows.acquire(placeOf(request));
          count(request, 1);
          let isUnderWay = true;
          const ends = (then: () => void) => {
            const wasFull = isUnderWay && workers.size > 1 && isFull(request);
            then();
            if (!isUnderWay) return;
            isUnderWay = false;
            count(request, -1);
            if (wasFull) wakeOthers(wake);
          };
          return { settle: (well) => ends(() => permit.settle(well)), release: () => ends(permit.release) };
        },
        leave() {
          workers.delete(wake);
          waiting.delete(wake);
        },
      };
    },
  };
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
