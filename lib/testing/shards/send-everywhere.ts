import type { QueryResult } from "pg";
import { pool } from "@/lib/database/db";
import { SharedPool } from "@/lib/database/partitioned-pool";
import { destinationOf } from "@/lib/database/shards/destination";
import { replicatedTables, tablesIn } from "@/lib/database/shards/service-tables";
import { directoryShard, hasSeveralShards, shards } from "@/lib/database/shards/shard-map";

/*
 * Tests look for rows in "the database". With several databases, a statement that names no
 * destination is therefore sent to every database, and its results are combined. Only tests send
 * such statements, because the product's are rejected (lib/testing/guard-statements.ts).
 */

type Query = { text: string; values?: unknown[] };
type Send = (this: SharedPool, ...args: unknown[]) => unknown;

/** The wait of the current test file. */
const current: { untilReplicated?: () => Promise<void> } = {};

const queryOf = (first: unknown, second: unknown): Query | undefined => {
  if (typeof first === "string") return { text: first, values: Array.isArray(second) ? second : [] };
  if (typeof first !== "object" || first === null || !("text" in first)) return undefined;
  const { text, values = second } = first as Query;
  return { text, values: Array.isArray(values) ? values : [] };
};

/**
 * Sends statements without a destination to every database, and waits after a change of a
 * replicated table until all databases have the change.
 */
export function sendEverywhere(untilReplicated: () => Promise<void>): void {
  const isFirst = current.untilReplicated === undefined;
  current.untilReplicated = untilReplicated;
  // Later files of the same thread share this module.
  if (!isFirst) return;
  const original = SharedPool.prototype.query as Send;
  SharedPool.prototype.query = function (this: SharedPool, ...args: unknown[]) {
    const sent = queryOf(args[0], args[1]);
    if (!sent || typeof args.at(-1) === "function" || this !== pool(directoryShard) || !hasSeveralShards())
      return original.apply(this, args);
    return sendOne(sent, args);
  } as typeof SharedPool.prototype.query;

  async function sendOne({ text, values = [] }: Query, args: unknown[]) {
    const plain = text.replaceAll('"public".', "");
    const to = destinationOf({ text: plain, values });
    const toEvery = to === undefined && tablesIn(plain).length > 0;
    const results: QueryResult[] = [];
    for (const { number } of toEvery ? shards() : [{ number: directoryShard }])
      results.push((await original.apply(pool(number), args)) as QueryResult);
    if (changes(plain)) await current.untilReplicated?.();
    return results.length === 1 ? results[0] : combined(plain, results);
  }
  waitAfterCommits();
}

const changes = (text: string) =>
  /\b(INSERT|UPDATE|DELETE|TRUNCATE)\b/.test(text) && tablesIn(text).some((table) => replicatedTables.includes(table));

/** Waits after each transaction in the directory, which can have changed a replicated table. */
function waitAfterCommits(): void {
  const connect = SharedPool.prototype.connect as (...args: unknown[]) => unknown;
  const watched = new WeakSet<object>();
  SharedPool.prototype.connect = function (this: SharedPool, ...args: unknown[]) {
    if (args.length > 0 || this !== pool(directoryShard)) return connect.apply(this, args);
    return (connect.apply(this) as Promise<{ query: Send }>).then((client) => {
      if (watched.has(client)) return client;
      watched.add(client);
      const { query } = client;
      client.query = (...sent) => {
        const result = Reflect.apply(query, client, sent);
        const text = queryOf(sent[0], undefined)?.text;
        return text !== undefined && /^\s*COMMIT/i.test(text) && result instanceof Promise
          ? result.then(async (done) => {
              await current.untilReplicated?.();
              return done;
            })
          : result;
      };
      return client;
    });
  } as typeof SharedPool.prototype.connect;
}

/** Combines the results of one statement in several databases. */
function combined(text: string, results: QueryResult[]): QueryResult {
  const [first] = results as [QueryResult];
  const rowCount = results.reduce((sum, result) => sum + (result.rowCount ?? 0), 0);
  const rows = results.flatMap((result) => result.rows);
  const isCount = /^\s*SELECT\s+(count|sum)\(/i.test(text) || /^SELECT COUNT\(\*\)/.test(text);
  if (!isCount || results.some((result) => result.rows.length !== 1)) return Object.assign(first, { rowCount, rows });
  const [keys] = [Object.keys(first.rows[0])];
  const sums = keys.map((key) => [key, rows.reduce((sum, row) => sum + Number(row[key]), 0)]);
  const total = Object.fromEntries(sums);
  return Object.assign(first, { rowCount: 1, rows: [Array.isArray(first.rows[0]) ? Object.values(total) : total] });
}
