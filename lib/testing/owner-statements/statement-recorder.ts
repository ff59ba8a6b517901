import { AsyncLocalStorage } from "node:async_hooks";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { serialize } from "node:v8";
import { threadId } from "node:worker_threads";
import pg from "pg";
import { empty } from "@/lib/database/sql";
import { PrismaClient } from "@/lib/generated/prisma/client";

/*
 * Runs before each database test file. If RECORDED_STATEMENTS names a folder, writes each statement
 * that the product sends to a file there, with the values of its first use. The test of
 * `one-owner-statements.plans.test.ts` reads them.
 */

/** A recorded statement. `values` are serialized (node:v8) in base64. */
export type RecordedStatement = { file: string; text: string; values: string };
type Sent = { text?: string; values?: unknown };
type Call = { callsite?: { _error?: Error } };
type Method = (this: unknown, ...args: never[]) => unknown;

const folder = process.env.RECORDED_STATEMENTS;
const root = join(import.meta.dirname, "../../..");
const isTest = (file: string) => /^(e2e|bench|lib\/testing)\/|\.test\.tsx?$/.test(file);

/** Files whose functions send the statements of other files. */
const senders = /^(node_modules|lib\/database|lib\/testing\/owner-statements)\/|^lib\/events\/change-transaction\.ts$/;

/** Returns the file that makes a statement, which is the first one on the stack. */
const makerIn = (stack: string) =>
  stack
    .split("\n")
    .map((line) => /\(?(?:file:\/\/)?(\/[^()]+?):\d+:\d+\)?$/.exec(line)?.[1])
    .filter((path) => path?.startsWith(`${root}/`))
    .map((path) => path?.slice(root.length + 1) ?? "")
    .find((file) => !senders.test(file));

/** The stack of the call that makes statements, because a connection sends them later. */
const makerStack = new AsyncLocalStorage<string | undefined>();
const seen = new Set<string>();

function record(query: string | Sent, given: unknown) {
  const { text, values = given } = typeof query === "string" ? { text: query } : query;
  if (!text || seen.has(text)) return;
  const file = makerIn(makerStack.getStore() ?? new Error().stack ?? "");
  if (!file || isTest(file)) return;
  seen.add(text);
  const line: RecordedStatement = {
    file,
    text,
    values: serialize(Array.isArray(values) ? values : []).toString("base64"),
  };
  appendFileSync(join(folder ?? "", `${process.pid}-${threadId}.jsonl`), `${JSON.stringify(line)}\n`);
}

/** Runs `around` in place of a method, with its arguments and a function that calls it. */
function observe(prototype: object, name: string, around: (args: never[], call: () => unknown) => unknown) {
  const original = Reflect.get(prototype, name) as Method;
  Object.defineProperty(prototype, name, {
    configurable: true,
    value(this: unknown, ...args: never[]) {
      return around(args, () => original.apply(this, args));
    },
  });
}

const marked = globalThis as { recordsStatements?: true };
if (folder && !marked.recordsStatements) {
  marked.recordsStatements = true;
  Error.stackTraceLimit = 100;
  for (const { prototype } of [pg.Client, pg.Pool])
    observe(prototype, "query", ([query, values], call) => {
      record(query as unknown as string | Sent, values);
      return call();
    });
  for (const name of ["rows", "run", "result"])
    observe(Object.getPrototypeOf(empty), name, (_, call) => makerStack.run(new Error().stack, call));
  observe(PrismaClient.prototype, "_request", ([asked], call) =>
    makerStack.run((asked as Call).callsite?._error?.stack ?? makerStack.getStore(), call),
  );
}
