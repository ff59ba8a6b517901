import type pg from "pg";
import { pool } from "@/lib/database/db";
import { SharedPool } from "@/lib/database/partitioned-pool";
import { isOfService } from "@/lib/database/shards/service-tables";
import { shards } from "@/lib/database/shards/shard-map";
import { chosenDestination } from "@/lib/request-context";
import { isTestFile, statementMaker } from "../statement-maker";
import { mergeResults } from "./send-everywhere";

/*
 * A test's own connection of the pool means the service's database. With several shards, it is one
 * connection to each database, and each statement runs on all of them.
 */

type Query = (text: string, values?: unknown[]) => Promise<pg.QueryResult>;
const patched = new WeakSet<object>();
type Patched = { query: Query; connect(): Promise<pg.PoolClient> };

/** Whether a test calls the pool: directly, or by a function that runs the test's transaction. */
function isCalledByTest(): boolean {
  const { stack = "" } = new Error();
  const caller = stack
    .split("\n")
    .slice(1)
    .find(
      (line) => !/lib\/(testing\/shards\/connect-everywhere|database\/(db|transaction))\.ts|<anonymous>/.test(line),
    );
  return caller !== undefined && !caller.includes("node_modules") && isTestFile(statementMaker(caller, /^$/) ?? "");
}

/** Sends the statements on tests' own connections to all databases. */
export function connectEverywhere(): void {
  if (patched.has(SharedPool)) return;
  patched.add(SharedPool);
  const { query, connect } = SharedPool.prototype as unknown as Patched;
  const isMeant = (given: SharedPool) => chosenDestination() === undefined && given === pool() && isCalledByTest();
  const on = (shard: number) => pool(shard) as unknown as SharedPool;
  Object.assign(SharedPool.prototype, {
    query(this: SharedPool, ...args: unknown[]) {
      const [text] = args;
      if (typeof text !== "string" || !concernsData(text) || !isMeant(this)) return Reflect.apply(query, this, args);
      return mergeResults(
        text,
        shards().map(({ number }) => Reflect.apply(query, on(number), args) as Promise<pg.QueryResult>),
      );
    },
    async connect(this: SharedPool, ...args: unknown[]) {
      if (args.length > 0 || !isMeant(this)) return Reflect.apply(connect, this, args);
      return joined(await Promise.all(shards().map(({ number }) => Reflect.apply(connect, on(number), []))));
    },
  });
}

/**
 * Whether a statement concerns owners' tables, and not the server. Changes of the directory's tables
 * reach their copies by triggers.
 */
const concernsData = (text: string) =>
  !isOfService(text) && !/\b(pg_stat_activity|pg_locks|VACUUM|ALTER\s+DATABASE)\b/i.test(text);

/** Returns one client that sends each statement to all the given ones. */
const joined = (clients: pg.PoolClient[]): pg.PoolClient =>
  new Proxy(clients[0]!, {
    get: (first, property) => {
      if (property === "query")
        return (text: string, values?: unknown[]) =>
          mergeResults(
            text,
            clients.map((client) => client.query(text, values)),
          );
      if (property === "release")
        return (broken?: boolean | Error) => {
          for (const client of clients) client.release(broken);
        };
      const value = Reflect.get(first, property);
      return typeof value === "function" ? value.bind(first) : value;
    },
  });
