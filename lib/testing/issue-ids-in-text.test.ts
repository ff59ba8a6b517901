import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/*
 * IDs from a list outside the repository, such as F12, mean nothing to readers. These tests reject
 * them in titles, comments and documentation. They ignore data in strings, such as colors.
 */

/**
 * Matches a letter with a number as a separate word. Does not match "B2B", "T-shirt" or "0xF12".
 */
const id = String.raw`(?<![\w/#.+-])(?:[FBXT]\d{1,3}(?![\w.+-]*[\w+])|Assertion \d+)`;
/** Names of keys, and a technical term, that only look like such IDs. */
const technical = /\bF(?:1|5|12) key\b|\bpress(?:es|ed)? F(?:1|5|12)\b|\bB20 format\b/i;
const inComment = new RegExp(String.raw`(?:^|\s)(?://|/?\*|#|--)\s.*${id}`);
const inTitle = new RegExp(String.raw`\b(?:test|it|describe)\b[^"'\x60]{0,80}["'\x60][^"'\x60]*${id}`);
const atStart = new RegExp(String.raw`["'\x60]${id}[ :,]`);
const inProse = new RegExp(id);

/** How many such lines each folder may still have. Lower the number after each cleanup. */
const allowed: Record<string, number> = {
  e2e: 7,
  "lib/alerts": 2,
  "lib/api": 30,
  "lib/approvals": 5,
  "lib/apps": 6,
  "lib/cli": 3,
  "lib/client": 2,
  "lib/event-feed": 2,
  "lib/grants": 2,
  "lib/http": 58,
  "lib/integrations": 4,
  "lib/net": 2,
  "lib/oauth": 45,
  "lib/owners": 3,
  "lib/postgres": 2,
  "lib/receipts": 2,
  "lib/web/security-txt.test.ts": 4,
  "lib/testing": 1,
  "lib/text": 1,
  "lib/web": 2,
  "lib/webhooks": 9,
};

const mentions = (file: string, line: string) =>
  !technical.test(line) &&
  (/\.md$/.test(file) ? inProse.test(line) : [inComment, inTitle, atStart].some((pattern) => pattern.test(line)));

test("recognizes the ID of an entry in a third-party list", () => {
  const found = (line: string) => mentions("a.test.ts", line);
  expect(
    ['test("F20 the license", …', "// as B88 says", '["B17 a number", 1]', "/* Assertion 36 */"].map(found),
  ).toEqual([...[true, true, true, true]]);
  expect(
    ['const a = "B2B";', "// a B2B service", 'color: "#F12"', "// the F1 key opens help", '"xB3="'].map(found),
  ).toEqual([...[false, false, false, false, false]]);
});

test("limits each folder's third-party IDs to the folder's allowance", () => {
  const files = execFileSync("git", ["ls-files"], { encoding: "utf8" })
    .split("\n")
    .filter((file) => /\.(?:tsx?|mjs|cjs|py|go|sql|md|sh|ya?ml|prisma)$/.test(file))
    .filter((file) => !/^docs\/licenses\.md$|^lib\/testing\/issue-ids-in-text\.test\.ts$|LICENSE/.test(file));
  expect(files.length).toBeGreaterThan(1000);
  const places = files.flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line, index) =>
        mentions(file, line)
          ? [
              {
                folder: /^(?:lib\/)?[^/]+/.exec(file)?.[0] ?? "",
                at: `${file}:${index + 1}: ${line.trim().slice(0, 100)}`,
              },
            ]
          : [],
      ),
  );
  const countIn = (folder: string) => places.filter((place) => place.folder === folder).length;
  const beyond = places.filter(({ folder }) => countIn(folder) > (allowed[folder] ?? 0));
  expect(beyond.map(({ at }) => at)).toEqual([]);
});
