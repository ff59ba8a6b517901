import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/*
 * SPQR parses each statement with its own grammar, and rejects valid SQL that is not in the grammar
 * (lib/database/shards/spqr.ts). `npm run test:cluster` runs statements through SPQR's router. This
 * test also covers the others, without the router.
 */

/** What SPQR's parser rejects, and what to write instead. */
const rejected: readonly (readonly [form: RegExp, instead: string])[] = [
  [/\bINSERT INTO \w+ AS \w+/g, "the table's name instead of an alias, in ON CONFLICT and RETURNING"],
  [/::json\b(?!b)|\bAS json\)/g, '::"json"'],
  [/(?:=|<>|\bLIKE|\bILIKE) ALL \(/g, "NOT … = ANY (…), or bool_and"],
  [/\bnullif\(/gi, "CASE"],
  [/\bWITHIN GROUP\b/g, "array_agg"],
  [/^\s*\(\w+(?:, \w+)+\) = \(/gm, "one assignment for each column"],
  [/^\s*WINDOW \w+ AS/gm, "OVER (…)"],
  [/`(?:LOCK|NOTIFY|LISTEN|UNLISTEN|SAVEPOINT|DECLARE|FETCH|CALL|DO) [^`]*`/g, "a query"],
];

/** Code that uses the databases' own addresses. */
const direct = /^lib\/(?:cli|postgres|database\/shards\/(?:moves|replication)|events\/shard-messages\.ts)/;

const find = (text: string) =>
  rejected.flatMap(([form, instead]) => [...text.matchAll(form)].map(([found]) => `${found.trim()}: use ${instead}`));

test("finds SQL that SPQR's parser rejects", () => {
  const sql = ["INSERT INTO t AS u (a)", "$1::json", "a <> ALL ($1)", "\n  WINDOW w AS (ORDER BY a)", "`LOCK TABLE t`"];
  expect(sql.flatMap(find)).toHaveLength(5);
  expect(
    ["INSERT INTO t (a)", '$1::"json"', "$1::jsonb", "NOT a = ANY ($1)", "UNION ALL (SELECT"].flatMap(find),
  ).toEqual([]);
});

test("avoids SQL that SPQR's parser rejects", () => {
  const sources = readdirSync("lib", { recursive: true, encoding: "utf8" })
    .map((file) => join("lib", file))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^lib\/(?:generated|testing)\//.test(file))
    .filter((file) => !direct.test(file));
  expect(sources.length).toBeGreaterThan(500);
  const withoutComments = (text: string) => text.replaceAll(/^\s*(?:\*|\/\/|\/\*).*$/gm, "");
  const found = sources.flatMap((file) =>
    find(withoutComments(readFileSync(file, "utf8"))).map((it) => `${file}: ${it}`),
  );
  expect(found).toEqual([]);
});
