import { chosenDestination, currentRequest } from "@/lib/request-context";
import { type Destination, formerHome, homeOf } from "./homes";
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
 * 3. It belongs to a request, whose token or session names the home before any query.
 * 4. Its values name the home.
 * 5. It only reads the clock, so any shard can answer.
 *
 * The request precedes the values, because an app could send another owner's ID as a value.
 */
export function destinationOf(statement: OutgoingStatement): Destination | undefined {
  if (statement.ofService ?? isOfService(statement.text)) return "service";
  const context = destinationOfWork();
  if (context) return context;
  const { sure, likely } = homesIn(statement.values);
  if (sure[0] !== undefined) return { home: sure[0] };
  if (likely !== undefined) return { home: likely, isLikely: true };
  return readsOnlyClock(statement.text) ? "service" : undefined;
}

/** Returns the destination of the current work's statements, from its mark or its request. */
export function destinationOfWork(): Destination | undefined {
  const chosen = chosenDestination();
  if (chosen) return chosen;
  const { owner, app } = currentRequest() ?? {};
  if (owner !== undefined) return { home: homeOf(owner) };
  const home = app && notedHome(app.tokenHash);
  return home === undefined ? undefined : { home, isLikely: home === formerHome };
}
