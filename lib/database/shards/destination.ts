import { chosenDestination, currentRequest } from "@/lib/request-context";
import { type Destination, formerHome, type Home, homeOf } from "./homes";
import { homesIn, notedHome } from "./homes-in-values";
import { isOfService, readsOnlyClock } from "./service-tables";

/** A statement that needs a destination. */
export type OutgoingStatement = {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Whether the statement names only tables of the service. By default, its text decides. */
  readonly ofService?: boolean;
};

/**
 * Returns the destination of a statement, or undefined if nothing names it. In this order:
 *
 * 1. The statement names only tables of the service.
 * 2. The work that sends it has a mark (./marks.ts).
 * 3. Its values name the home.
 * 4. It belongs to a request, whose token or session names the home before any query.
 * 5. It only reads the clock, so any shard can answer.
 *
 * The values precede the request, because a link can belong to another owner than the session of
 * the browser that opens it. An app could send another owner's ID as a value, so of several homes
 * among the values, the request's home counts.
 */
export function destinationOf(statement: OutgoingStatement): Destination | undefined {
  if (statement.ofService ?? isOfService(statement.text)) return "service";
  const mark = chosenDestination();
  if (mark) return mark;
  const { sure, likely } = homesIn(statement.values);
  const ofRequest = destinationOfRequest();
  if (ofRequest && (sure.length === 0 || sure.includes(ofRequest.home)) && likely === undefined) return ofRequest;
  if (sure[0] !== undefined) return { home: sure[0] };
  if (likely !== undefined) return { home: likely, isLikely: true };
  return readsOnlyClock(statement.text) ? "service" : undefined;
}

/** Returns the home of the current request, from its session or token. */
function destinationOfRequest(): { home: Home; isLikely?: boolean } | undefined {
  const { owner, app } = currentRequest() ?? {};
  if (owner !== undefined) return { home: homeOf(owner) };
  const home = app && notedHome(app.tokenHash);
  return home === undefined ? undefined : { home, isLikely: home === formerHome };
}
