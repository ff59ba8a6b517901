import { chosenDestination, currentRequest } from "@/lib/request-context";
import { type Home, homeOf } from "./homes";
import { homesIn, notedHome } from "./homes-in-values";
import { isOfService } from "./service-tables";

/**
 * Where a statement goes: to the shard of a home, to the directory with the service's own tables,
 * or to a shard by its number, in work that visits every shard.
 */
export type Destination = { readonly home: Home } | { readonly shard: number } | "service";

/** A statement that needs a destination. */
export type Asked = {
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
 *
 * The request precedes the values, because an app could send another owner's ID as a value.
 */
export function destinationOf(statement: Asked): Destination | undefined {
  if (statement.ofService ?? isOfService(statement.text)) return "service";
  const context = destinationOfWork();
  if (context) return context;
  const [home] = homesIn(statement.values);
  return home === undefined ? undefined : { home };
}

/** Returns the destination of the current work's statements, from its mark or its request. */
export function destinationOfWork(): Destination | undefined {
  const chosen = chosenDestination();
  if (chosen) return chosen;
  const { owner, app } = currentRequest() ?? {};
  const home = owner === undefined ? app && notedHome(app.tokenHash) : homeOf(owner);
  return home === undefined ? undefined : { home };
}
