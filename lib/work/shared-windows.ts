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
  /** The workers. The one that waits longest for a turn is first. */
  let workers: (() => void)[] = [];
  const ofGroups = new Map<string, number>();
  const underWayIn = (group: string) => ofGroups.get(group) ?? 0;

  const isFull = (request: Request): boolean => {
    const { size, underWay } = windows.sizeOf(placeOf(request));
    return (
      underWay >= placeLimit(request, size) || groupLimits(request).some(({ group, max }) => underWayIn(group) >= max)
    );
  };
  /** Wakes another worker. The worker whose request has ended wakes itself. */
  const wakeNext = (own: () => void) => {
    const next = workers.find((wake) => wake !== own);
    if (!next) return;
    workers = [...workers.filter((wake) => wake !== next), next];
    next();
  };

  return {
    join(wake) {
      const counts = new Map<string, number>();
      const count = (request: Request, by: 1 | -1) => {
        add(counts, placeOf(request), by);
        for (const { group } of groupLimits(request)) add(ofGroups, group, by);
      };
      workers.push(wake);
      return {
        sizes: () =>
          windows.sizes().map((each) => ({ ...each, elsewhere: each.underWay - (counts.get(each.place) ?? 0) })),
        underWayIn,
        begin(request) {
          // A single worker never leases too much.
          if (workers.length > 1 && isFull(request)) return undefined;
          const permit = windows.acquire(placeOf(request));
          count(request, 1);
          let isUnderWay = true;
          const ends = (then: () => void) => {
            const wasFull = isUnderWay && workers.length > 1 && isFull(request);
            then();
            if (!isUnderWay) return;
            isUnderWay = false;
            count(request, -1);
            if (wasFull) wakeNext(wake);
          };
          return { settle: (well) => ends(() => permit.settle(well)), release: () => ends(permit.release) };
        },
        leave: () => {
          workers = workers.filter((each) => each !== wake);
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
