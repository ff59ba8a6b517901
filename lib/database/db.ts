import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { env } from "../config/env";
import { PrismaClient } from "../generated/prisma/client";
import { log } from "../log";
import { detached } from "../request-context";
import { traceStatements } from "../telemetry/tracing";
import { processSingleton } from "../work/process-singleton";
import { endTimers } from "../work/timer-registry";
import { databaseTimeouts } from "./database-timeouts";
import { SharedPool } from "./partitioned-pool";
import { retryOnConflict } from "./retry-conflict";
import { inClientTransaction } from "./transaction";

/*
 * Frequent statements are prepared on the shared pool and batch concurrent requests
 * (lib/requests/batched-statement.ts). Prisma uses the same pool. Approvals and notifications have
 * no foreign keys to owner and app, because locking those two rows would serialize all of an app's
 * requests. The database generates an approval's `wire` from its immutable content, so get and list
 * return that text unchanged.
 */

const made = processSingleton<{ pool?: SharedPool; prisma?: PrismaClient; closed?: true }>("database", () => ({}));

/**
 * Returns the statement that sets the timeouts of a new connection. They are not startup
 * parameters, because poolers reject those. Behind a transaction-mode pooler, they must be set on
 * the role (lib/postgres/connection-check.ts).
 */
const setLimits = () =>
  `SET statement_timeout = ${databaseTimeouts().statement}; SET idle_in_transaction_session_timeout = ${databaseTimeouts().idleTransaction}`;

/**
 * Returns the process's only pool. An app's request waits at most 1 s for a connection and 2 s for
 * a statement (lib/database/database-timeouts.ts). If the database is unreachable, frozen or
 * locked, the app therefore gets a 503 within 3.5 s.
 * @throws after `closeDb`, because an instance that has shut down must write nothing more
 */
export function pool(): SharedPool {
  const shared = made();
  if (shared.closed) throw new Error("This instance has closed its database connections");
  shared.pool ??= new SharedPool({
    connectionString: env().databaseUrl,
    max: env().databasePool,
    query_timeout: databaseTimeouts().reply,
    ...(env().directUrl === env().databaseUrl && { onConnect: (client) => client.query(setLimits()) }),
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: "countersign",
  })
    // Logged outside any request, because the error belongs to no request, not even to the one that
    // opened the connection.
    .on("error", ({ message: reason }) => detached(() => log.warn("an idle database connection was lost", { reason })))
    .on("connect", traceStatements);
  return shared.pool;
}

/**
 * Does work in one transaction on a pool connection. Afterwards the connection is released, or
 * closed if it broke. Changes for an owner use `change` (lib/events/change-transaction.ts).
 * @param begin the BEGIN statement with any settings
 */
export async function inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>, begin?: string): Promise<T> {
  const client = await pool().connect();
  let broken: Error | undefined;
  const lost = (error: Error) => {
    broken = error;
  };
  client.on("error", lost);
  try {
    return await inClientTransaction(client, () => work(client), { lost, ...(begin !== undefined && { begin }) });
  } finally {
    client.off("error", lost).release(broken);
  }
}

/** Prisma on the same pool, for less frequent statements. */
export const db: PrismaClient = new Proxy({} as PrismaClient, {
  get: (_, property) => (property === "$transaction" ? transaction : Reflect.get(prisma(), property, prisma())),
});

/**
 * Runs a Prisma transaction, and retries it once after a conflict. The transaction must therefore
 * use only the database.
 */
const transaction = <T>(work: (tx: Transaction) => Promise<T>, options?: { maxWait?: number; timeout?: number }) =>
  retryOnConflict(() => prisma().$transaction(work, options));

function prisma(): PrismaClient {
  const shared = made();
  const { transactionBegin: maxWait, transaction: timeout } = databaseTimeouts();
  shared.prisma ??= new PrismaClient({ adapter: new PrismaPg(pool()), transactionOptions: { maxWait, timeout } });
  return shared.prisma;
}

/** The client of a Prisma transaction. */
export type Transaction = Parameters<Parameters<PrismaClient["$transaction"]>[0]>[0];

/**
 * Stops every timer and loop and closes every connection at the end of the process. No connection
 * opens later. Resolves once all connections were returned.
 */
export async function closeDb(): Promise<void> {
  await endTimers();
  made().closed = true;
  await disconnect();
}

/** Closes every connection. The next statement opens a new one, with the current settings. */
export async function disconnect(): Promise<void> {
  const shared = made();
  const { prisma: client, pool: connections } = shared;
  delete shared.prisma;
  delete shared.pool;
  await client?.$disconnect();
  await connections?.end();
}
