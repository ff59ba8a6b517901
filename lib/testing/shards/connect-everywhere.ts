import type pg from "pg";
import { pool } from "@/lib/database/db";
import { SharedPool } from "@/lib/database/partitioned-pool";
import { isOfService, tablesIn } from "@/lib/database/shards/service-tables";
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
    .find((line) => !/lib\/(testing\/shards\/connect-everywhere\.ts|database\/)|\(<anonymous>\)/.test(line));
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
      if (typeof text !== "string" || !concernsOwners(text) || !isMeant(this)) return Reflect.apply(query, this, args);
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

/** Whether a statement concerns tables of owners, and not the service's tables or the server. */
function concernsOwners(text: string): boolean {
  const tables = tablesIn(text);
  const isCatalog = tables.length > 0 && tables.every((table) => table.startsWith("pg_"));
  return !isCatalog && !isOfService(text) && !/\b(VACUUM|ALTER\s+DATABASE)\b/i.test(text);
}

type Callback = (error: Error | null, result?: pg.QueryResult) => void;
type Given = string | { text: string; values?: unknown[] };

/** Returns one client that sends each statement to all the given ones. */
function joined(clients: pg.PoolClient[]): pg.PoolClient {
  const query = (given: Given, more?: unknown[] | Callback) => {
    const { text, values } = typeof given === "string" ? { text: given, values: undefined } : given;
    const result = mergeResults(
      text,
      clients.map((client) => client.query(text, values ?? (Array.isArray(more) ? more : undefined))),
    );
    if (typeof more !== "function") return result;
    return void result.then((merged) => more(null, merged), more);
  };
  const release = (broken?: boolean | Error) => {
    for (const client of clients) client.release(broken);
  };
  const all: pg.PoolClient = new Proxy(clients[0]!, {
    get: (first, property) => {
      if (property === "query") return query;
      if (property === "release") return release;
      const value = Reflect.get(first, property);
      if (typeof value !== "function") return value;
      // `client.off(…)` returns the client, which the caller then releases.
      return (...args: unknown[]) => {
        const result = Reflect.apply(value, first, args);
        return result === first ? all : result;
      };
    },
  });
  return all;
}
