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
import { spqrClient } from "./failover-client";
import { SharedPool } from "./partitioned-pool";
import { preparedNames } from "./prepared-query";
import { retryOnConflict } from "./retry-conflict";
import { routedClient, routedTransaction } from "./routed-prisma";
import { awaitCopies, sendToShard } from "./shards/directory-copies";
import type { Destination } from "./shards/homes";
import { searchHiddenHomesFirst } from "./shards/moves/hiding-schema";
import { enter } from "./shards/moves/pause-gate";
import { instanceTag } from "./shards/placement/instance-tag";
import {
  directoryShard,
  hasSeveralShards,
  isRouted,
  isUsable,
  type Shard,
  shardOf,
  shards,
  usableShard,
} from "./shards/shard-map";
import { selectShard, usesSpqr } from "./shards/spqr";
import { destinationFor, routeConnection, TransactionRoute } from "./shards/statement-routing";
import { inClientTransaction } from "./transaction";

/*
 * Frequent statements are prepared on the shared pool, which Prisma also uses, and batch concurrent
 * requests (lib/requests/batched-statement.ts). Approvals and notifications have no foreign keys to
 * owner and app, because locking those two rows would serialize all of an app's requests. The
 * database generates an approval's `question_json` from its immutable content, so get and list return that
 * text unchanged.
 */

type Connections = { pools: SharedPool[]; prismas: PrismaClient[]; closed?: true };
const made = processSingleton<Connections>("database", () => ({ pools: [], prismas: [] }));

/**
 * Returns the statement that sets the timeouts of a new connection. The timeouts are not startup
 * parameters, because poolers reject those. Behind a transaction-mode pooler, the timeouts must be
 * set on the role (lib/postgres/connection-check.ts).
 */
const setLimits = () =>
  `SET statement_timeout = ${databaseTimeouts().statement}; SET idle_in_transaction_session_timeout = ${databaseTimeouts().idleTransaction}`;

/**
 * Returns a shard's pool, by default that of the first one. An app's request waits at most 1 s for
 * a connection and 2 s for a statement (lib/database/database-timeouts.ts). Therefore, if the
 * database is unreachable, frozen or locked, the app gets a 503 within 3.5 s.
 * @throws after `closeDb`, because an instance that has shut down must not write anything; for a
 *   shard that this process can't use
 */
export function pool(shard = directoryShard): SharedPool {
  const shared = made();
  if (shared.closed) throw new Error("This instance has closed its database connections");
  return (shared.pools[shard] ??= newPool(usableShard(shard)));
}

/** Returns the pools of all shards that this process can use, with the shards' names. */
export const openPools = (): { shard: string; connections: SharedPool }[] =>
  shards()
    .filter(({ number }) => isUsable(number))
    .map(({ number, name }) => ({ shard: name, connections: pool(number) }));

function newPool(shard: Shard): SharedPool {
  const { databaseUrl, databasePool, directUrl, shards: listed } = env();
  const isMember = listed.size > 0;
  const { url = databaseUrl } = shard;
  const isBehindSpqr = shard.url === undefined && usesSpqr();
  return (
    new SharedPool({
      connectionString: url,
      max: databasePool,
      query_timeout: databaseTimeouts().reply,
      ...((directUrl === databaseUrl || url !== databaseUrl) && {
        onConnect: (client) => client.query(isMember ? `${setLimits()}; ${searchHiddenHomesFirst}` : setLimits()),
      }),
      ...(isBehindSpqr && { Client: spqrClient(shard.name), onConnect: (client) => client.query(selectShard(shard)) }),
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      application_name: isMember ? `countersign ${instanceTag()}` : "countersign",
    })
      // Logs outside of any request, because the error does not belong to a request, not even to the
      // one that opened the connection.
      .on("error", ({ message: reason }) =>
        detached(() =>
          log.warn("an idle database connection was lost", {
            reason,
            ...(hasSeveralShards() && { shard: shard.name }),
          }),
        ),
      )
      .on("connect", traceStatements)
  );
}

/** Takes a connection from a shard's pool. The caller releases it. */
export async function connect(shard: number): Promise<pg.PoolClient> {
  if (!isRouted()) return pool(shard).connect();
  const client = await pool(shard).connect();
  routeConnection(client, new TransactionRoute({ shard }));
  return client;
}

/**
 * Runs `work` in one transaction on a pool connection. Afterwards, the connection is released, or
 * closed if it broke. For changes to an owner's data, use `change`
 * (lib/events/change-transaction.ts).
 * @param begin the BEGIN statement with any settings
 * @param to by default, the destination of the current work
 */
export async function inTransaction<T>(
  work: (client: pg.PoolClient) => Promise<T>,
  begin?: string,
  to = destinationFor({ text: "BEGIN", values: [] }),
): Promise<T> {
  return hasSeveralShards() ? enter(to, () => transact(work, begin, to)) : transact(work, begin, to);
}

async function transact<T>(
  work: (client: pg.PoolClient) => Promise<T>,
  begin: string | undefined,
  to: Destination | undefined,
): Promise<T> {
  const shard = to ? shardOf(to) : directoryShard;
  const client = await connect(shard);
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

/** Prisma on the shared pools, for less frequent statements. */
export const db: PrismaClient = new Proxy({} as PrismaClient, {
  get: (_, property) => {
    if (property === "$transaction") return transaction;
    const client = prisma();
    return Reflect.get(isRouted() ? routed : client, property);
  },
});

const routed = routedClient<PrismaClient>((asked, call) =>
  sendToShard(asked, (shard) => call(prisma(shard)) as Promise<unknown>),
);

/**
 * Runs a Prisma transaction, and retries it once after a conflict. The transaction must therefore
 * have no effects outside the database.
 */
const transaction = <T>(work: (tx: Transaction) => Promise<T>, options?: { maxWait?: number; timeout?: number }) =>
  retryOnConflict(() =>
    isRouted() && typeof work === "function"
      ? awaitCopies(() => routedTransaction(prisma, work, options))
      : prisma().$transaction(work, options),
  );

function prisma(shard = directoryShard): PrismaClient {
  const { transactionBegin: maxWait, transaction: timeout } = databaseTimeouts();
  return (made().prismas[shard] ??= new PrismaClient({
    adapter: new PrismaPg(pool(shard), {
      // Without a name, pg does not prepare the statement.
      statementNameGenerator: ({ sql }) => preparedNames.get(sql) as string,
    }),
    transactionOptions: { maxWait, timeout },
  }));
}

/** The client of a Prisma transaction. */
export type Transaction = Parameters<Parameters<PrismaClient["$transaction"]>[0]>[0];

/**
 * Stops all timers and loops and closes all connections when the process ends. After that, no
 * connection opens. Resolves once all connections have been returned.
 */
export async function closeDb(): Promise<void> {
  await endTimers();
  made().closed = true;
  await disconnect();
}

/** Closes all connections. The next statement opens a new connection with the current settings. */
export async function disconnect(): Promise<void> {
  const { prismas, pools } = made();
  await Promise.all(prismas.splice(0).map((client) => client.$disconnect()));
  await Promise.all(pools.splice(0).map((connections) => connections.end()));
}
