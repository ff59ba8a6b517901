import { chosenDestination, withDestination } from "@/lib/request-context";
import { destinationOf, type OutgoingStatement } from "./destination";
import { type Destination, type Home, readHome } from "./homes";
import { homesIn } from "./homes-in-values";
import { isOfService } from "./service-tables";
import { directoryShard, isRouted, shardOf, shardOfHome, statementGuard } from "./shard-map";

/*
 * Each statement goes to the shard of its destination. With one shard, production does not resolve
 * destinations at all. Tests always resolve them, and reject a statement that has none or that
 * names owners with other homes. Otherwise, such a statement would be noticed only after a second
 * shard is added, when it finds nothing.
 */

/**
 * Returns the number of the shard that a statement goes to.
 * @throws {Error} if nothing names its destination; in tests, also if its values contradict it
 */
export function shardFor(statement: OutgoingStatement): number {
  const to = destinationFor(statement);
  return to ? shardOf(to) : directoryShard;
}

/**
 * Returns the destination of a statement; undefined with one shard, because nothing is resolved.
 * @throws {Error} as `shardFor` does
 */
export function destinationFor(statement: OutgoingStatement): Destination | undefined {
  if (!isRouted()) return undefined;
  const to = destinationOf(statement);
  assertRouted(statement, to);
  return to;
}

/** Runs work whose statements go to a shard, whatever request it happens to run in. */
export const inShard = <T>(shard: number, work: () => T): T => (isRouted() ? withDestination({ shard }, work) : work());

/**
 * Runs a transaction of an owner, unless the work that begins it has a mark. The owner decides the
 * shard even if the first statement does not name them.
 */
export function towardsOwner<T>(ownerId: string | undefined, work: () => T): T {
  if (ownerId === undefined || !isRouted() || chosenDestination()) return work();
  const home = readHome(ownerId.slice(14, 16));
  return home === undefined ? work() : withDestination({ home }, work);
}

/**
 * Decides where a transaction's statements go: where its first statement with a destination goes.
 * With `hasDirectoryPart`, statements about the service go to a second transaction in the directory.
 */
export class TransactionRoute {
  private shard: number | undefined;
  private readonly hasDirectoryPart: boolean;
  private hasServiceStatement = false;

  /** @param to the destination; by default, the mark of the work that begins the transaction */
  constructor(
    private to: Destination | undefined = chosenDestination(),
    { hasDirectoryPart = false } = {},
  ) {
    if (to) this.shard = shardOf(to);
    this.hasDirectoryPart = hasDirectoryPart;
  }

  /**
   * Returns the number of the statement's shard, before it is sent.
   * @throws {Error} if the statement has another destination than the transaction
   */
  admit(statement: OutgoingStatement): number {
    const ofService = statement.ofService ?? isOfService(statement.text);
    this.hasServiceStatement ||= ofService;
    if (!ofService) this.to ??= destinationOf(statement);
    // After a statement about the service, one that names no owner goes to the directory, too.
    const isAboutService = ofService || (!this.to && (this.hasServiceStatement || this.shard !== undefined));
    const to = isAboutService ? "service" : this.to;
    assertRouted(statement, to);
    const shard = to ? shardOf(to) : (this.shard ?? directoryShard);
    if (to === "service" && this.hasDirectoryPart) return shard;
    this.shard ??= shard;
    if (this.shard !== shard) throw new Error(`A transaction cannot use two shards: ${titleOf(statement)}`);
    return shard;
  }
}

const routes = new WeakMap<object, TransactionRoute>();

/** Notes where a connection's transaction goes, so that its statements can be checked. */
export const routeConnection = (connection: object, route: TransactionRoute): void =>
  void routes.set(connection, route);

/** Checks a statement on a connection whose transaction has a route. */
export const admitOn = (connection: object, statement: OutgoingStatement): void => {
  if (isRouted()) routes.get(connection)?.admit(statement);
};

function assertRouted(statement: OutgoingStatement, to: Destination | undefined): void {
  const problem = problemOf(statement, to);
  if (problem === undefined) return;
  const message = `${problem}: ${titleOf(statement)}`;
  if (!statementGuard()?.exempts(message)) throw new Error(message);
}

function problemOf({ values }: OutgoingStatement, to: Destination | undefined): string | undefined {
  if (!to) return "A statement names no owner, and its work has no mark (lib/database/shards/marks.ts)";
  if (to === "service" || !statementGuard()) return undefined;
  const isElsewhere = (home: Home) =>
    "shard" in to ? shardOfHome(home) !== to.shard : home !== to.home && !to.isLikely;
  return homesIn(values).sure.some(isElsewhere)
    ? "A statement names an owner with another home than its work or its other values"
    : undefined;
}

/** Returns a statement's text, shortened to one line. Texts contain no values. */
const titleOf = ({ text }: OutgoingStatement) => text.replaceAll(/\s+/g, " ").trim().slice(0, 300);
