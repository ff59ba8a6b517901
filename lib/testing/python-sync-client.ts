import { readFileSync } from "node:fs";
import { join } from "node:path";

/*
 * The Python package has a blocking and an async client with the same methods and docstrings. Only
 * the async client is written by hand. `npm run derive` derives the blocking one by replacing
 * words.
 */

const folder = "clients/python/src/countersign";
const source = "_async_client.py";
export const syncClientFile = `${folder}/_client.py`;

const head = `# Generated from ${source} by "npm run derive". Do not edit.\n`;

const words: readonly (readonly [RegExp, string])[] = [
  [/\basync (def|for) /g, "$1 "],
  // The result of a callback is never awaited.
  [/ \| Awaitable\[[^[\]]*\]/g, ""],
  [/, Awaitable\b/g, ""],
  [/\bAsyncDriver\b/g, "SyncDriver"],
  [/\bAsync(?=[A-Z])/g, ""],
  [/\baclose\b/g, "close"],
  [/\b__a(enter|exit)__\b/g, "__$1__"],
];

/** Returns the source text of the blocking client. */
export function syncClientText(): string {
  const text = readFileSync(join(import.meta.dirname, "../..", folder, source), "utf8");
  const replaced = words.reduce((rest, [from, to]) => rest.replace(from, to), withoutAwait(text));
  return head + replaced.replace(/^(from \S+ import )([\w, ]+)$/gm, (_, start, names) => start + sorted(names));
}

/** Removes `await`, and the parentheses that only it needed: `(await f(x)).y` becomes `f(x).y`. */
function withoutAwait(text: string): string {
  const at = text.search(/(?<![\w\])])\(await /);
  if (at < 0) return text.replaceAll(/\bawait /g, "");
  let depth = 0;
  let end = at;
  do {
    if (text[end] === "(") depth++;
    if (text[end] === ")") depth--;
    end++;
  } while (depth > 0 && end < text.length);
  return withoutAwait(text.slice(0, at) + text.slice(at + "(await ".length, end - 1) + text.slice(end));
}

const sorted = (names: string) => names.split(", ").sort().join(", ");
