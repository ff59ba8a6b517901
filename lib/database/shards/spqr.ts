import { env } from "@/lib/config/env";
import { driverError } from "@/lib/errors";
import type { Shard } from "./shard-map";

/*
 * SPQR's router (https://github.com/pg-sharding/spqr) sends the statements of all shards to several
 * PostgreSQL servers. Each pool belongs to one shard, so each of its connections names the shard
 * once. A comment in each statement would be too late: SPQR reads comments when it executes a
 * statement, but rejects some prepared statements before that.
 *
 * SPQR parses each statement. Our SQL avoids what its parser rejects
 * (lib/testing/sql-for-spqr.test.ts). This module changes the statements that SPQR parses, but
 * treats in another way than PostgreSQL.
 */

/** Whether this process sends the statements of all shards to SPQR. Commands do not. */
export function usesSpqr(): boolean {
  const { shardRouter, databaseUrl, directUrl } = env();
  return shardRouter === "spqr" && databaseUrl !== directUrl;
}

/** Returns the statement that sends the connection's later statements to a shard. */
export const selectShard = ({ name }: Pick<Shard, "name">): string => `SET __spqr__execute_on TO '${name}'`;

/**
 * Returns the statements that have the same effect behind SPQR. Only the last one has a result.
 *
 * - SPQR drops a SET LOCAL before a transaction's first query, and rejects one in the same message
 *   as BEGIN. A call of set_config is a query.
 * - SPQR prepares a statement on any shard, unless the transaction has run a query. Then a lost shard
 *   would also end transactions on other shards.
 * - SPQR rejects a prepared INSERT with VALUES into a table that is not in its own configuration. It
 *   accepts the same INSERT in a CTE. Therefore no table must be in SPQR's configuration.
 */
export function forSpqr(text: string): readonly [first: string, second?: string] {
  const [, begin, name, value] = /^(BEGIN; )?SET LOCAL (\w+) = (\w+)$/.exec(text) ?? [];
  if (name !== undefined) {
    const set = `SELECT set_config('${name}', '${value}', true)`;
    return begin === undefined ? [set] : ["BEGIN", set];
  }
  if (/^BEGIN\b[^;]*$/.test(text)) return [text, "SELECT"];
  if (!/^\s*INSERT\b/.test(text) || !/\bVALUES\b/.test(text)) return [text];
  const returning = /\bRETURNING\b/.test(text) ? "" : " RETURNING 1";
  return [`WITH written AS (${text}${returning}) SELECT * FROM written`];
}

/**
 * Changes a query in any of the forms that pg accepts: text, a text with options, or a query object.
 * @returns the queries to send
 */
export function queriesForSpqr(query: unknown): readonly unknown[] {
  if (typeof query === "string") return forSpqr(query);
  if (query === null || typeof query !== "object" || !("text" in query) || typeof query.text !== "string")
    return [query];
  const [text, ...others] = forSpqr(query.text);
  return ["submit" in query ? Object.assign(query, { text }) : { ...query, text }, ...others];
}

/** The SQLSTATEs of errors that SPQR reports with its own code, by the message. */
const sqlStates: readonly (readonly [message: RegExp, code: string])[] = [
  [/invalid byte sequence for encoding/, "22021"],
  [/statement timeout/, "57014"],
  [/cached plan must not change/, "0A000"],
  [/current transaction is aborted/, "25P02"],
  [/failed to find primary|unexpected message|EOF|connection re(?:set|fused)|broken pipe/, "08006"],
];

/**
 * Returns the SQLSTATE of an error with one of SPQR's own codes.
 * @param shard the shard of the statement
 */
export function sqlStateFromSpqr(error: { code?: string; message: string }, shard: string): string | undefined {
  if (!error.code?.startsWith("SPQR")) return undefined;
  const [, away = shard] = /^shard (\w+): failed to find primary/.exec(error.message) ?? [];
  return away === shard ? sqlStates.find(([message]) => message.test(error.message))?.[1] : otherShardAway;
}

/** SQLSTATE communication_link_failure: SPQR tried to prepare the statement on a lost shard. */
const otherShardAway = "08S01";
/** With two shards, one of 65,000 statements fails as often. */
const attempts = 16;

/**
 * Sends a statement again if SPQR tried to prepare it on another shard that is away. Such a
 * statement has had no effect.
 */
export async function retryOnOtherShard<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (attempt === attempts || driverError(error).code !== otherShardAway) throw error;
    }
  }
}
