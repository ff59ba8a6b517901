import { empty, literal, type Sql, sql } from "@/lib/database/sql";
import { congestionWindows, type DestinationWindow, type Permit } from "@/lib/work/congestion-window";

/*
 * A delivery is in the database of its event's owner, so one endpoint can get deliveries from
 * several databases, each with a worker of its own. The workers of an instance share the endpoints'
 * windows. Two workers can lease deliveries for the same endpoint at the same time, so each attempt
 * also asks here, and a refused delivery returns to the queue.
 * Invariant: of an instance's workers, an endpoint gets no more attempts than its window allows.
 */

/**
 * The maximum number of concurrent attempts per endpoint. It starts at `first`, and grows to at
 * most `max` while the endpoint responds. With one database, all instances share the limit. With
 * several, an instance counts all of its own attempts, but the attempts of others only in the
 * delivery's database. So i instances and d databases make at most `max` times the lesser of i and
 * d attempts.
 */
export const endpointWindow = { first: 2, max: 32 };
/**
 * The number of consecutive failures after which an endpoint counts as failing, and gets one
 * attempt at a time.
 */
export const brokenAfter = 5;
/**
 * Maximum concurrent attempts per owner: in total, and to failing endpoints. They are counted like
 * the attempts of an endpoint.
 */
export const [maxPerOwner, maxBrokenPerOwner] = [128, 10];
/**
 * The maximum number of endpoints whose state is kept, and how long it is kept, in milliseconds.
 */
export const remembered = { places: 1000, forget: 60_000 };

/** An endpoint's window, with the attempts of this instance's other workers in `elsewhere`. */
export type EndpointWindow = DestinationWindow & { readonly elsewhere?: number };

type Attempt = { endpointId: string; receiverId: string; broken: boolean };

/** One worker's view of its instance's windows. */
export type WorkerWindows = {
  sizes(): EndpointWindow[];
  /** Begins an attempt. Returns undefined if other workers have used the room since the lease. */
  begin(attempt: Attempt): Permit | undefined;
  /** Called when the worker stops. */
  leave(): void;
};

/** The windows that an instance's workers share. */
export type EndpointWindows = {
  /** @param wake called when an attempt of another worker has made room */
  join(wake: () => void): WorkerWindows;
};

export function endpointWindows(): EndpointWindows {
  const windows = congestionWindows({ ...endpointWindow, ...remembered });
  /** The workers. The one that waits longest for a turn is first. */
  let workers: (() => void)[] = [];
  const ofOwners = new Map<string, number>();
  const ownerKey = ({ receiverId, broken }: Attempt) => `${receiverId} ${broken}`;

  /** Whether an endpoint or its owner has no room. A single worker never leases too much. */
  const isFull = (attempt: Attempt): boolean => {
    if (workers.length < 2) return false;
    const { size, underWay } = windows.sizeOf(attempt.endpointId);
    const perOwner = attempt.broken ? maxBrokenPerOwner : maxPerOwner;
    return underWay >= (attempt.broken ? 1 : size) || (ofOwners.get(ownerKey(attempt)) ?? 0) >= perOwner;
  };
  /** Wakes another worker. The worker whose attempt has ended wakes itself. */
  const wakeNext = (own: () => void) => {
    const next = workers.find((wake) => wake !== own);
    if (!next) return;
    workers = [...workers.filter((wake) => wake !== next), next];
    next();
  };

  return {
    join(wake) {
      const counts = new Map<string, number>();
      workers.push(wake);
      return {
        sizes: () =>
          windows.sizes().map((each) => ({ ...each, elsewhere: each.underWay - (counts.get(each.place) ?? 0) })),
        begin(attempt) {
          if (isFull(attempt)) return undefined;
          const permit = windows.acquire(attempt.endpointId);
          add(counts, attempt.endpointId, 1);
          add(ofOwners, ownerKey(attempt), 1);
          let isUnderWay = true;
          const ends = (then: () => void) => {
            const wasFull = isUnderWay && isFull(attempt);
            then();
            if (!isUnderWay) return;
            isUnderWay = false;
            add(counts, attempt.endpointId, -1);
            add(ofOwners, ownerKey(attempt), -1);
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

/**
 * SQL: added to the number of attempts for the owner and kind of endpoint in `c`, counts the attempts
 * that this instance's other workers are making.
 */
export function underWayElsewhere(windows: readonly EndpointWindow[]): Sql {
  const some = windows.flatMap(({ place, elsewhere = 0 }) => (elsewhere > 0 ? [{ place, elsewhere }] : []));
  if (some.length === 0) return empty;
  const [places, counts] = [some.map(({ place }) => place), some.map(({ elsewhere }) => elsewhere)];
  return sql`+ (
    SELECT coalesce(sum(e.n), 0)
    FROM unnest(${places}::text[], ${counts}::int[]) AS e(id, n)
      JOIN webhook_endpoint ep ON ep.id = e.id
    WHERE ep.owner_id = c.owner_id AND (ep.failures >= ${literal(brokenAfter)}) = c.broken
  )`;
}
