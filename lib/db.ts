import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { env } from "./env";
import { PrismaClient } from "./generated/prisma/client";
import { log } from "./log";
import { onceMore } from "./once-more";
import { SharedPool, statementLimit } from "./shared-pool";
import { transact } from "./transaction";
import { perProcess } from "./work/per-process";

const made = perProcess<{ pool?: pg.Pool; prisma?: PrismaClient }>("database", () => ({}));

/**
 * The process's one pool. Waiting for a connection ends after 1 s, a statement after 2 s, so that a database that is away,
 * frozen or locked shows as 503 within 3.5 s and never as a hang.
 */
export function pool(): pg.Pool {
  const shared = made();
  shared.pool ??= new SharedPool({
    connectionString: env().databaseUrl,
    max: env().databasePool,
    statement_timeout: statementLimit,
    query_timeout: statementLimit + 500,
    idle_in_transaction_session_timeout: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: "countersign",
  }).on("error", (error) => log.warn("an idle database connection was lost", { reason: error.message }));
  return shared.pool;
}

/** A statement that may take its time, up to half a minute: much is written or read, and no reply is late for it. */
export async function unhurried<Row extends pg.QueryResultRow>(
  text: string,
  values: unknown[] = [],
): Promise<pg.QueryResult<Row>> {
  const patient: pg.QueryConfig & { query_timeout: number } = { text, values, query_timeout: 31_000 };
  return inTransaction((client) => client.query<Row>(patient), "BEGIN; SET LOCAL statement_timeout = 30000");
}

/**
 * Work in one transaction on a connection of the pool, which goes back to it, or is closed where it broke. What changes
 * something for an owner is a `change` (lib/events/change.ts).
 * @param begin how it begins, with whatever settings it has
 */
export async function inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>, begin?: string): Promise<T> {
  const client = await pool().connect();
  let broken: Error | undefined;
  const lost = (error: Error) => {
    broken = error;
  };
  // While it is out, nobody else listens: what ends it between two statements would end the process.
  client.on("error", lost);
  try {
    return await transact(client, () => work(client), { lost, ...(begin !== undefined && { begin }) });
  } finally {
    client.off("error", lost).release(broken);
  }
}

/** Prisma on the same pool, for everything that is not one of the hot statements. */
export const db: PrismaClient = new Proxy({} as PrismaClient, {
  get: (_, property) => (property === "$transaction" ? transaction : Reflect.get(prisma(), property, prisma())),
});

/** Bodies of transactions touch nothing but the database: one that met others in a deadlock is done once more. */
const transaction = <T>(work: (tx: Transaction) => Promise<T>, options?: { maxWait?: number; timeout?: number }) =>
  onceMore(() => prisma().$transaction(work, options));

function prisma(): PrismaClient {
  const shared = made();
  shared.prisma ??= new PrismaClient({ adapter: new PrismaPg(pool()) });
  return shared.prisma;
}

/** A Prisma transaction's client. */
export type Transaction = Parameters<Parameters<PrismaClient["$transaction"]>[0]>[0];

/** Close every connection. For the end of the process, and of a test file. */
export async function closeDb(): Promise<void> {
  const shared = made();
  const { prisma: client, pool: connections } = shared;
  delete shared.prisma;
  delete shared.pool;
  await client?.$disconnect();
  await connections?.end();
}
