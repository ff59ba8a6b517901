import { empty, literal, type Sql, sql } from "@/lib/database/sql";
import { type SharedWindow, type SharedWindows, sharedWindows } from "@/lib/work/shared-windows";

/*
 * A delivery is in the database of its event's owner, so one endpoint can get deliveries from
 * several databases, each with a worker of its own. The workers of an instance share the endpoints'
 * windows.
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

type Attempt = { endpointId: string; receiverId: string; broken: boolean };

export type EndpointWindows = SharedWindows<Attempt>;

/** Creates the windows of an instance's endpoints. */
export const endpointWindows = (): EndpointWindows =>
  sharedWindows({
    bounds: { ...endpointWindow, ...remembered },
    placeOf: ({ endpointId }) => endpointId,
    placeLimit: ({ broken }, size) => (broken ? 1 : size),
    groupLimits: ({ receiverId, broken }) => [
      { group: `${receiverId} ${broken}`, max: broken ? maxBrokenPerOwner : maxPerOwner },
    ],
  });

/**
 * SQL: added to the number of attempts for the owner and kind of endpoint in `c`, counts the attempts
 * that this instance's other workers are making.
 */
export function underWayElsewhere(windows: readonly SharedWindow[]): Sql {
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
