import type { ClientBase } from "pg";
import type { TransactionContext } from "@/lib/actor";
import { db, inTransaction, type Transaction } from "@/lib/database/db";
import { retryOnConflict } from "@/lib/database/retry-conflict";
import { isOneDatabase } from "@/lib/database/shards/each-shard";
import { inReachableShards, inShardOf } from "@/lib/database/shards/marks";
import { destinationFor, towardsOwner } from "@/lib/database/shards/statement-routing";
import type { Sql } from "@/lib/database/sql";
import { pausePoint } from "@/lib/pause-points";
import { publish } from "./pubsub";

declare const isChange: unique symbol;
/**
 * A transaction that collects the affected owners. `record` accepts only this type, so that
 * every event is published.
 */
export type Change = Transaction & { readonly [isChange]: true };

type OwnerOf = { readonly ownerId: string };

/** The owners affected by each open change. */
const concerned = new WeakMap<Pick<Change, typeof isChange>, Set<string>>();

/**
 * Runs a change in one transaction. After a commit, the affected owners' open pages are notified;
 * after a rollback, none are. To keep an error's side effects, `work` returns the error, which is
 * thrown after the commit.
 * @param owner the owner to notify even if the change records no event; null if only `work` knows
 * the owner
 * @param work makes the change, and must touch nothing but the database, because it is retried
 * after a conflict
 * @param options.timeout the time limit in milliseconds; five seconds by default
 */
export async function change<T>(
  owner: OwnerOf | null,
  work: (tx: Change) => Promise<T>,
  options?: { timeout: number },
): Promise<Exclude<T, Error>> {
  let owners = new Set<string>();
  const attempt = async (transaction: Transaction) => {
    const tx = transaction as Change;
    owners = new Set(owner ? [owner.ownerId] : []);
    concerned.set(tx, owners);
    const done = await work(tx);
    await pausePoint("change made, not committed");
    return done;
  };
  const outcome = await towardsOwner(owner?.ownerId, () => db.$transaction(attempt, options));
  await pausePoint("change committed, not published");
  for (const ownerId of owners) publish(ownerId);
  if (outcome instanceof Error) throw outcome;
  return outcome as Exclude<T, Error>;
}

/**
 * Runs a change that an owner makes and that concerns other owners on all shards. With one database,
 * it is one transaction. Otherwise, the second step begins after the first one has committed in the
 * directory, too, so that a crash in between never changes the other owners' data alone.
 * @param work makes the change of the owner's data, and in the directory
 * @param onEachShard makes the change of the other owners' data on a shard, and gets the result of
 * `work`. A shard that is away is skipped, so a chore must repeat this step.
 */
export async function changeOnAllShards<T>(
  owner: OwnerOf,
  work: (tx: Change) => Promise<T>,
  onEachShard: (tx: Change, done: T) => Promise<unknown>,
  options?: { timeout: number },
): Promise<T> {
  const attempt = async (tx: Change) => {
    const done = await work(tx);
    if (isOneDatabase()) await onEachShard(tx, done);
    return { done };
  };
  const { done } = await inShardOf(owner.ownerId, () => change(owner, attempt, options));
  if (!isOneDatabase()) await inReachableShards(() => change(null, (tx) => onEachShard(tx, done), options));
  return done;
}

/** Adds an affected owner without recording an event. */
export function affects(tx: Pick<Change, typeof isChange>, ownerId: string): void {
  concerned.get(tx)!.add(ownerId);
}

/**
 * Runs statements in one transaction, on the connection in `via`. The statements record their own
 * events and add the affected owners to `via`. Like `change`, publishes the change and
 * retries after a conflict.
 * @param about the owner's ID or the app's token hash
 */
export async function changeWithClient<T>(
  about: string | Buffer,
  work: (via: TransactionContext) => Promise<T>,
): Promise<T> {
  const to = destinationFor({ text: "BEGIN", values: [about] });
  const attempt = async (client: ClientBase): Promise<[Set<string>, T]> => {
    const concerned = new Set<string>();
    const done = await work({ client, affectedOwners: concerned });
    await pausePoint("change made, not committed");
    return [concerned, done];
  };
  const [owners, done] = await retryOnConflict(() => inTransaction(attempt, "BEGIN", to));
  await pausePoint("change committed, not published");
  for (const ownerId of owners) publish(ownerId);
  return done;
}

type Owned = { owner_id: string | null };

/**
 * Runs a change in one statement and notifies open pages, as `change` does.
 * @param owner the owner to notify if the statement wrote a row. If null, the returned rows name
 * their owners, and a row without an owner means no change.
 * @returns the statement's rows
 */
export async function changeByStatement<Row extends object>(owner: OwnerOf, statement: Sql<Row>): Promise<Row[]>;
export async function changeByStatement<Row extends Owned>(owner: null, statement: Sql<Row>): Promise<Row[]>;
export async function changeByStatement(owner: OwnerOf | null, statement: Sql<Owned>): Promise<Owned[]> {
  const { rows, count } = await statement.result();
  const owners = owner ? (count > 0 ? [owner.ownerId] : []) : rows.map(({ owner_id }) => owner_id);
  await pausePoint("change committed, not published");
  for (const ownerId of new Set(owners)) if (ownerId) publish(ownerId);
  return rows;
}

/**
 * Runs a change in one statement without notifying open pages. The page that sent it already shows
 * the change, and other pages show it when they next read. Use it only for changes that don't
 * affect decisions, such as marking something as seen.
 * @returns the number of written rows
 */
export const changeUnannounced = (statement: Sql): Promise<number> => statement.run();
