import type { TransactionContext } from "@/lib/actor";
import { db, inTransaction, type Transaction } from "@/lib/database/db";
import { retryOnConflict } from "@/lib/database/retry-conflict";
import type { Sql } from "@/lib/database/sql";
import { publish } from "./pubsub";

declare const isChange: unique symbol;
/** A transaction that knows whom it concerns. Events are recorded in nothing else, so that none is left unannounced. */
export type Change = Transaction & { readonly [isChange]: true };

type OwnerOf = { readonly ownerId: string };

/** The owners whom a change concerns. */
const concerned = new WeakMap<Pick<Change, typeof isChange>, Set<string>>();

/**
 * Change something in one transaction. Once it is committed, the open pages of every owner it concerns are told to look; when
 * it rolls back, nobody's are. A refusal that must keep what it did is returned by `work`: it is thrown after the commit.
 * @param owner whose it is, whether or not anything is recorded; null where that is found out on the way
 * @param work touches nothing but the database: it is done once more where others were in its way
 * @param options.timeout longest it may take, in milliseconds; five seconds unless told
 */
export async function change<T>(
  owner: OwnerOf | null,
  work: (tx: Change) => Promise<T>,
  options?: { timeout: number },
): Promise<Exclude<T, Error>> {
  let owners = new Set<string>();
  const outcome = await db.$transaction(async (transaction) => {
    const tx = transaction as Change;
    owners = new Set(owner ? [owner.ownerId] : []);
    concerned.set(tx, owners);
    return work(tx);
  }, options);
  for (const ownerId of owners) publish(ownerId);
  if (outcome instanceof Error) throw outcome;
  return outcome as Exclude<T, Error>;
}

/** Note whom a change concerns, where nothing in their activity says so. */
export function affects(tx: Pick<Change, typeof isChange>, ownerId: string): void {
  concerned.get(tx)!.add(ownerId);
}

/**
 * Change something in one transaction of statements that write their events themselves (`act`): they take part by `via`, and
 * say there whom they concern. Told when, and done once more, as by `change`.
 */
export async function changeWithClient<T>(work: (via: TransactionContext) => Promise<T>): Promise<T> {
  const [owners, done] = await retryOnConflict(() =>
    inTransaction(async (client): Promise<[Set<string>, T]> => {
      const concerned = new Set<string>();
      return [concerned, await work({ client, affectedOwners: concerned })];
    }),
  );
  for (const ownerId of owners) publish(ownerId);
  return done;
}

type Owned = { owner_id: string | null };

/**
 * Change something in one statement, and tell open pages to look, as `change` does.
 * @param owner whose it is: their pages look if the statement wrote any row, whether or not it returns it. Null where the rows
 *   that it returns say whose they are; a row without an owner is one that changed nothing
 * @returns its rows
 */
export async function changeByStatement<Row extends object>(owner: OwnerOf, statement: Sql<Row>): Promise<Row[]>;
export async function changeByStatement<Row extends Owned>(owner: null, statement: Sql<Row>): Promise<Row[]>;
export async function changeByStatement(owner: OwnerOf | null, statement: Sql<Owned>): Promise<Owned[]> {
  const { rows, count } = await statement.result();
  const owners = owner ? (count > 0 ? [owner.ownerId] : []) : rows.map(({ owner_id }) => owner_id);
  for (const ownerId of new Set(owners)) if (ownerId) publish(ownerId);
  return rows;
}

/**
 * Change something in one statement without telling open pages: the page on which the owner did it shows it already, and others
 * show it the next time they are read. Only for what costs nobody a decision, such as having seen something.
 * @returns how many rows it wrote
 */
export const changeUnannounced = (statement: Sql): Promise<number> => statement.run();
