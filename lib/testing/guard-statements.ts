import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { guardStatements } from "@/lib/database/shards/statement-routing";

const root = `${join(import.meta.dirname, "../..")}/`;
/** Files whose functions send the statements of other files. */
const senders =
  /^(node_modules|lib\/database|lib\/generated)\/|^lib\/(events\/change-transaction|testing\/guard-statements)\.ts$/;
const ofTests = /^(e2e|bench|lib\/testing)\/|\.test\.tsx?$/;

/** Returns the files of this repository on a stack, innermost first. */
export const filesOn = (stack: string): { file: string; name: string }[] =>
  stack.split("\n").flatMap((line) => {
    const [, name = "", path = ""] =
      /^\s*at (?:async )?(?:(.+?) \()?(?:file:\/\/)?(\/[^()]+?):\d+:\d+\)?$/.exec(line) ?? [];
    const file = path.startsWith(root) ? path.slice(root.length) : "node_modules/";
    return senders.test(file) ? [] : [{ file, name }];
  });

function exempts(problem: string): boolean {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  const frames = filesOn(new Error().stack ?? "");
  Error.stackTraceLimit = limit;
  const [maker] = frames;
  if (!maker || ofTests.test(maker.file)) return true;
  appendFileSync(
    "/tmp/routing-guard.jsonl",
    `${JSON.stringify({ maker: maker.file, chain: frames.map(({ file, name }) => `${file}:${name}`), problem })}\n`,
  );
  return true;
}
/** Rejects the product's statements without a destination, until the test file ends. */
export const guardProduct = () => guardStatements({ exempts });
