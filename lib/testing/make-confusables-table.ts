import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Creates `lib/text/confusables-table.ts` from Unicode's confusables.txt (UTS #39, section 4):
 * `node lib/cli/run-typescript.mjs lib/testing/make-confusables-table.ts FILE LICENSE`. FILE is at
 * unicode.org/Public/security, and in ICU's sources. LICENSE is the license file of that source.
 * Omits characters that NFKD changes, because NFKD is applied before the table is used.
 */
const [file = "", license = ""] = process.argv.slice(2);
const text = readFileSync(file, "utf8").replace(/^\ufeff/, "");
const version = /^# Version: (\S+)/m.exec(text)?.[1];
const pairs = [...text.matchAll(/^([0-9A-F]+) ;\t([0-9A-F ]+) ;/gm)]
  .map(([, from = "", to = ""]) => [from, ...to.trim().split(" ")].map((code) => Number.parseInt(code, 16)))
  .filter(([from = 0]) => String.fromCodePoint(from).normalize("NFKD") === String.fromCodePoint(from))
  .sort(([a = 0], [b = 0]) => a - b);
if (!version || pairs.length < 1000) throw new Error(`${file} is no confusables.txt`);

let before = 0;
const entries = pairs.map(([from = 0, ...to]) => {
  const step = (from - before).toString(36);
  before = from;
  return `${step}:${to.map((code) => code.toString(36)).join(".")}`;
});
const lines = entries.join(" ").match(/.{1,236}(?: |$)/g) ?? [];
const notice = (readFileSync(license, "utf8").split(/^-{20,}$/m)[0] ?? "").trim();
writeFileSync(
  join(import.meta.dirname, "../text/confusables-table.ts"),
  `/*
Made by lib/testing/make-confusables-table.ts of confusables.txt, Unicode Security Mechanisms (UTS #39), version ${version}.

${notice}
*/

/**
 * Each look-alike and what it looks like: \`step:to.to…\` in base 36, the steps from one code point
 * to the next.
 */
export const table = \`
${lines.map((line) => line.trim()).join("\n")}
\`;
`,
);
