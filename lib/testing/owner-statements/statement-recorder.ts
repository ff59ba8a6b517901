import { AsyncLocalStorage } from "node:async_hooks";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { serialize } from "node:v8";
import { threadId } from "node:worker_threads";
import pg from "pg";
import type { Transaction } from "@/lib/database/db";
import { empty } from "@/lib/database/sql";
import { PrismaClient } from "@/lib/generated/prisma/client";
import { isTestFile, statementMaker } from "@/lib/testing/statement-maker";
import { emptyValues } from "./empty-values";

/*
 * Runs before each database test file. If RECORDED_STATEMENTS names a folder, writes each statement
 * that the product sends to a file there, with the values of one use. The test of
 * `one-owner-statements.plans.test.ts` reads them.
 */

/**
 * A recorded statement. `values` are serialized (node:v8) in base64, and `empty` says which of them
 * are empty: of two strings, the smaller one has fewer.
 */
export type RecordedStatement = { file: string; text: string; empty: string; values: string };
type Sent = { text?: string; values?: unknown };
type Asked = { callsite?: { _error?: Error } };
type Call = (...args: unknown[]) => unknown;

const folder = process.env.RECORDED_STATEMENTS;

/** Files whose functions send the statements of other files. */
const senders =
  /^(node_modules|lib\/testing\/owner-statements\/statement|lib\/database\/(?!expired-row-sweeper|sql-gauge))|^lib\/(events\/change-transaction|request-context)\.ts$/;

/**
 * The call that makes statements, because a connection sends them later. An error has its stack,
 * which is expensive to read.
 */
const makerStack = new AsyncLocalStorage<Error | undefined>();
/** The recorded statements, each with which of its values are empty. */
const seen = new Map<string, string>();

/**
 * How often tests sent each statement. After `mostlyByTests` times, the sender of a statement is no
 * longer looked up, because reading a stack takes about a millisecond.
 */
const sentByTests = new Map<string, number>();
const mostlyByTests = 20;

/**
 * Records a statement, unless a test sends it.
 * @param weight how often the call counts if a test sends it
 */
function record(query: string | Sent, given: unknown, weight = 1) {
  const { text, values: sent = given } = typeof query === "string" ? { text: query } : query;
  if (!text) return;
  const values = Array.isArray(sent) ? sent : [];
  const empty = emptyValues(values);
  const byTests = sentByTests.get(text) ?? 0;
  const before = seen.get(text);
  if ((before !== undefined && empty >= before) || byTests >= mostlyByTests) return;
  const { stack = "" } = makerStack.getStore() ?? new Error();
  // A move of homes copies and deletes the rows of all owners of these homes.
  if (stack.includes("/lib/database/shards/moves/")) return;
  const file = statementMaker(stack, senders);
  if (!file || isTestFile(file)) return void sentByTests.set(text, byTests + weight);
  seen.set(text, empty);
  const line: RecordedStatement = { file, text, empty, values: serialize(values).toString("base64") };
  appendFileSync(join(folder ?? "", `${process.pid}-${threadId}.jsonl`), `${JSON.stringify(line)}\n`);
}

/**
 * Replaces a method, once.
 * @param around gets the arguments and a function that calls the original method
 */
function wrap(prototype: object, name: string, around: (args: unknown[], call: Call) => unknown) {
  const original = Reflect.get(prototype, name) as Call & { wraps?: true };
  if (original.wraps) return;
  const wrapped = function (this: unknown, ...args: unknown[]) {
    return around(args, (...given) => original.apply(this, given));
  };
  Object.defineProperty(prototype, name, { configurable: true, value: Object.assign(wrapped, { wraps: true }) });
}

/** Returns a transaction of Prisma whose raw statements keep the stack of their maker. */
const keepingStack = (on: Transaction, stack: Error) =>
  Object.fromEntries(
    (["$queryRawUnsafe", "$executeRawUnsafe"] as const).map((name) => [
      name,
      (...args: [string]) =>
        new Promise((resolve, reject) => makerStack.run(stack, () => on[name](...args).then(resolve, reject))),
    ]),
  );

if (folder) {
  Error.stackTraceLimit = 50;
  wrap(pg.Client.prototype, "query", (args, call) => {
    record(args[0] as string | Sent, args[1]);
    return call(...args);
  });
  wrap(pg.Pool.prototype, "query", (args, call) => {
    // If all connections are in use, a connection sends the statement later, in the context of the
    // work that used the connection before.
    record(args[0] as string | Sent, args[1], mostlyByTests);
    return call(...args);
  });
  for (const name of ["rows", "run", "result"])
    wrap(Object.getPrototypeOf(empty), name, ([on], call) => {
      const stack = new Error();
      const isPrisma = on && !("query" in (on as object));
      return makerStack.run(stack, () => call(isPrisma ? keepingStack(on as Transaction, stack) : on));
    });
  wrap(PrismaClient.prototype, "_request", ([asked], call) =>
    makerStack.run((asked as Asked).callsite?._error ?? makerStack.getStore(), () => call(asked)),
  );
}
