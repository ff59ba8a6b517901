import { AsyncLocalStorage } from "node:async_hooks";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { serialize } from "node:v8";
import { threadId } from "node:worker_threads";
import pg from "pg";
import type { Transaction } from "@/lib/database/db";
import { empty, type Sql, statement } from "@/lib/database/sql";
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
type Sent = { text?: string; values?: unknown; [maker]?: Error };
type Asked = { callsite?: { _error?: Error } };
type Call = (...args: unknown[]) => unknown;

const folder = process.env.RECORDED_STATEMENTS;

/** Files whose functions send the statements of other files. */
const senders =
  /^(node_modules|lib\/testing\/owner-statements\/statement|lib\/database\/(?!expired-row-sweeper|sql-gauge))|^lib\/(events\/change-transaction|request-context)\.ts$/;

/**
 * The property with the stack of the call that gave a statement to a pool. If all connections are
 * in use, one sends the statement later, on the stack and in the context of its earlier work.
 */
const maker = Symbol.for("the stack of a statement's maker");

type State = {
  /**
   * The call that makes statements, because a connection sends them later. An error has its stack,
   * which is expensive to read.
   */
  makerStack: AsyncLocalStorage<Error | undefined>;
  /** The recorded statements, each with which of its values are empty. */
  seen: Map<string, string>;
  /**
   * How often tests sent each statement. After `mostlyByTests` times, the sender of a statement is
   * no longer looked up, because reading a stack takes about a millisecond.
   */
  sentByTests: Map<string, number>;
};
const mostlyByTests = 20;

/**
 * What the copies of this module share. After a test has reset its thread's modules, a new copy
 * wraps the new classes of the product, and the first one still wraps those of `pg`.
 */
const key = Symbol.for("the state of the statement recorder");
const shared = globalThis as { [key]?: State };
const { makerStack, seen, sentByTests } = (shared[key] ??= {
  makerStack: new AsyncLocalStorage(),
  seen: new Map(),
  sentByTests: new Map(),
});

/**
 * Returns an error with a long stack. Other errors keep their limit, because Prisma creates one for
 * each call.
 */
function currentStack(): Error {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 50;
  const stack = new Error();
  Error.stackTraceLimit = limit;
  return stack;
}

/** Returns a statement, unless nothing is left to learn about it. */
function unknownStatement(query: string | Sent, given: unknown) {
  const { text, values: sent = given } = typeof query === "string" ? { text: query } : query;
  if (!text || (sentByTests.get(text) ?? 0) >= mostlyByTests) return;
  const values = Array.isArray(sent) ? sent : [];
  const empty = emptyValues(values);
  const before = seen.get(text);
  return before !== undefined && empty >= before ? undefined : { text, values, empty };
}

/** Records a statement, unless a test sends it. */
function record(query: string | Sent, given: unknown) {
  const found = unknownStatement(query, given);
  if (!found) return;
  const { text, values, empty } = found;
  const toPool = typeof query === "object" ? query[maker] : undefined;
  const { stack = "" } = toPool ?? makerStack.getStore() ?? currentStack();
  // A move of homes copies and deletes the rows of all owners of these homes.
  if (stack.includes("/lib/database/shards/moves/")) return;
  const file = statementMaker(stack, senders);
  if (!file || isTestFile(file)) return void sentByTests.set(text, (sentByTests.get(text) ?? 0) + 1);
  seen.set(text, empty);
  const line: RecordedStatement = { file, text, empty, values: serialize(values).toString("base64") };
  appendFileSync(join(folder ?? "", `${process.pid}-${threadId}.jsonl`), `${JSON.stringify(line)}\n`);
}

/**
 * Replaces a method, once.
 * @param around gets the arguments, a function that calls the original method, and `this`
 */
function wrap(prototype: object, name: string, around: (args: unknown[], call: Call, on: unknown) => unknown) {
  const original = Reflect.get(prototype, name) as Call & { wraps?: true };
  if (original.wraps) return;
  const wrapped = function (this: unknown, ...args: unknown[]) {
    return around(args, (...given) => original.apply(this, given), this);
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
  wrap(pg.Client.prototype, "query", (args, call) => {
    record(args[0] as string | Sent, args[1]);
    return call(...args);
  });
  wrap(pg.Pool.prototype, "query", ([first, ...more], call) => {
    const query = first as string | Sent;
    if (!unknownStatement(query, more[0])) return call(query, ...more);
    const sent: Sent = typeof query === "string" ? { text: query } : query;
    return call(Object.assign(sent, { [maker]: makerStack.getStore() ?? currentStack() }), ...more);
  });
  for (const name of ["rows", "run", "result"])
    wrap(Object.getPrototypeOf(empty), name, ([on], call, piece) => {
      if (!unknownStatement(statement(piece as Sql), [])) return call(on);
      const stack = currentStack();
      const isPrisma = on && !("query" in (on as object));
      return makerStack.run(stack, () => call(isPrisma ? keepingStack(on as Transaction, stack) : on));
    });
  wrap(PrismaClient.prototype, "_request", ([asked], call) =>
    makerStack.run(makerStack.getStore() ?? (asked as Asked).callsite?._error, () => call(asked)),
  );
}
