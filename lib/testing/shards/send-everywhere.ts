import type pg from "pg";
import type { OutgoingStatement } from "@/lib/database/shards/destination";
import { shards } from "@/lib/database/shards/shard-map";

/*
 * A test that reads a table without naming an owner means all rows, on whichever shard they are. In
 * database tests with several shards, such a statement runs on every database, and the test gets
 * one result.
 */

type Result = { rows: object[]; rowCount: number | null };

/** Sends a test's statement to all databases, and merges their results. */
export async function sendEverywhere<T>(statement: OutgoingStatement, send: (shard: number) => Promise<T>): Promise<T> {
  const [, method] = /^\w+\.(\w+) \(Prisma\)$/.exec(statement.text) ?? [];
  const settled = await Promise.allSettled(shards().map(({ number }) => send(number)));
  const done = settled.flatMap((it) => (it.status === "fulfilled" ? [it.value] : []));
  const failed = settled.find((it) => it.status === "rejected");
  // A method that requires a row fails on all databases but the row's.
  const concernsOneRow = method !== undefined && /OrThrow$|^(create|update|delete|upsert)$/.test(method);
  if (failed && (done.length === 0 || !concernsOneRow)) throw failed.reason;
  return (method === undefined ? mergeRaw(statement.text, done) : mergePrisma(method, done)) as T;
}

/** Returns one result for a statement that runs on several databases. @throws if one of them fails */
export async function mergeResults(text: string, running: Promise<pg.QueryResult>[]): Promise<pg.QueryResult> {
  const settled = await Promise.allSettled(running);
  const failed = settled.find((it) => it.status === "rejected");
  if (failed) throw failed.reason;
  return mergeRaw(
    text,
    settled.map((it) => (it as PromiseFulfilledResult<pg.QueryResult>).value),
  ) as pg.QueryResult;
}

function mergePrisma(method: string, done: unknown[]): unknown {
  if (method === "findMany" || method === "groupBy") return done.flat();
  if (method === "count") return (done as number[]).reduce((sum, count) => sum + count, 0);
  if (method.endsWith("Many"))
    return { count: (done as { count: number }[]).reduce((sum, { count }) => sum + count, 0) };
  return done.find((it) => it !== null) ?? null;
}

function mergeRaw(text: string, done: unknown[]): unknown {
  if (typeof done[0] === "number") return (done as number[]).reduce((sum, count) => sum + count, 0);
  if (Array.isArray(done[0])) return mergeRows(text, done as object[][]);
  const results = done as Result[];
  return {
    ...results[0],
    rows: mergeRows(
      text,
      results.map(({ rows }) => rows),
    ),
    rowCount: results.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0),
  };
}

/** Concatenates rows. Of aggregates over all rows, each database has one row, and so has the result. */
function mergeRows(text: string, tables: object[][]): object[] {
  if (/^\s*SELECT\b.*\bLIMIT\s+\d/is.test(text) && tables.filter(({ length }) => length > 0).length > 1)
    throw new Error(`Several shards return rows, so the LIMIT does not hold. Select the rows of one owner: ${text}`);
  const uses = (...names: string[]) => new RegExp(`\\b(${names.join("|")})\\s*\\(`, "i").test(text);
  const aggregates = uses("count", "sum", "max", "min", "bool_or", "bool_and", "array_agg", "json_agg", "string_agg");
  if (!aggregates || /\bGROUP\s+BY\b/i.test(text) || tables.some(({ length }) => length !== 1)) return tables.flat();
  const adds = uses("count", "sum");
  const how: Merge = {
    ...(uses("max") && !adds && { pick: "last" }),
    ...(uses("min") && !adds && { pick: "first" }),
    isTrue: (values) => (uses("bool_and") ? values.every(Boolean) : values.some(Boolean)),
  };
  const rows = tables.map(([row]) => row as Record<string, unknown>);
  const columns = Object.keys(rows[0]!).map((column) => [
    column,
    mergeValues(
      rows.map((row) => row[column]),
      how,
    ),
  ]);
  return [Object.fromEntries(columns)];
}

/** How the values of one column become one value: numbers are added, unless the first or last counts. */
type Merge = { pick?: "first" | "last"; isTrue: (values: unknown[]) => boolean };

function mergeValues(values: unknown[], { pick, isTrue }: Merge): unknown {
  const present = values.filter((value) => value !== null && value !== undefined);
  const [first] = present;
  if (present.length < 2) return first ?? null;
  if (typeof first === "boolean") return isTrue(present);
  if (pick) return present.sort((a, b) => (a! < b! ? -1 : 1)).at(pick === "first" ? 0 : -1);
  if (typeof first === "number") return (present as number[]).reduce((sum, value) => sum + value, 0);
  if (typeof first === "bigint") return (present as bigint[]).reduce((sum, value) => sum + value, 0n);
  if (typeof first === "string" && /^\d+$/.test(first))
    return String((present as string[]).reduce((sum, value) => sum + BigInt(value), 0n));
  return Array.isArray(first) ? present.flat() : first;
}
