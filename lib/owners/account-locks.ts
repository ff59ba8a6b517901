import { db } from "@/lib/database/db";
import { lockInDirectory } from "@/lib/database/directory-locks";
import { isOneDatabase } from "@/lib/database/shards/each-shard";
import { inHomeOf } from "@/lib/database/shards/marks";
import { type Executor, sql } from "@/lib/database/sql";
import { notFound } from "../errors";
import { findPasskey } from "./find-accounts";

/*
 * In one database, a trigger keeps an account from being deleted while an app of its owner is
 * registered, and the table's key makes each passkey unique. With several databases, locks in the
 * directory do so, also for the directory's own owners, who can move to another shard. With one
 * database, these functions send no statements.
 */

/**
 * Waits until no registration of an owner is running, and keeps out later ones until the transaction
 * ends. Call it first in the transaction that deletes the account.
 */
export async function keepOutRegistrations(tx: Executor, ownerId: string): Promise<void> {
  if (!isOneDatabase()) await lockInDirectory(`account ${ownerId}`, tx);
}

/**
 * Keeps an account from being deleted until the transaction ends. Call it first in a transaction
 * that stores a row of the account in the directory.
 * @throws {AppError} 404 if the account was deleted
 */
export async function keepAccount(tx: Executor, ownerId: string): Promise<void> {
  if (isOneDatabase()) return;
  await lockInDirectory(`account ${ownerId}`, tx);
  if (!(await sql`SELECT FROM owner WHERE id = ${ownerId}`.row(tx))) throw notFound();
}

/**
 * Runs a statement that stores a row of an account in the directory, while the account exists.
 * @throws {AppError} 404 if the account was deleted
 */
export function whileAccountExists<T>(ownerId: string, statement: (tx?: Executor) => Promise<T>): Promise<T> {
  if (isOneDatabase()) return statement();
  const work = async (tx: Executor) => {
    await keepAccount(tx, ownerId);
    return statement(tx);
  };
  return inHomeOf(ownerId, () => db.$transaction(work));
}

/**
 * Runs work that may store a passkey, while no other such work on the passkey runs.
 * @param work receives whether any shard has the passkey. With one database, the table's key keeps
 * out a second one, so `isTaken` is false.
 */
export function lockingPasskey<T>(id: string, work: (isTaken: boolean) => Promise<T>): Promise<T> {
  if (isOneDatabase()) return work(false);
  // A transaction of the directory alone, so that a move of homes never waits for it.
  return db.$transaction(async (tx) => {
    await lockInDirectory(`passkey ${id}`, tx);
    return work((await findPasskey(id, undefined)) !== null);
  });
}
