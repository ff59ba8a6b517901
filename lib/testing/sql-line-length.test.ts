import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/*
 * The maximum width of SQL, in columns. A longer line usually holds more than one clause, and each
 * clause should have its own line.
 */
const widest = 100;

/** The start of SQL: the tag `sql` or, in a plain template, a statement's first keyword. */
const begin =
  /\bsql(?:<[^`]*?>)?`|(?<=[(=:,?]\s*)`(?=\s*(?:SELECT|WITH|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|GRANT)\s)/g;

/**
 * Returns the index of the backtick that closes a template.
 * @param start the index after the opening backtick
 */
function endOfTemplate(source: string, start: number): number {
  let at = start;
  while (source[at] !== "`") {
    if (at >= source.length) throw new Error(`a template does not end: ${source.slice(start, start + 80)}`);
    if (source[at] === "\\") at += 2;
    else if (source.startsWith("${", at)) at = endOfValue(source, at + 2) + 1;
    else at++;
  }
  return at;
}

/** Returns the index of the brace that closes a value in a template. */
function endOfValue(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    if (source[at] === "`") at = endOfTemplate(source, at + 1);
    else if (source[at] === "{") depth++;
    else if (source[at] === "}" && depth-- === 0) return at;
  }
  throw new Error(`a value does not end: ${source.slice(start, start + 80)}`);
}

/** Returns the SQL lines that are too wide, as `line: text`. */
function wideLines(source: string): string[] {
  const wide = new Set<string>();
  for (const { index, 0: opening } of source.matchAll(begin)) {
    const start = index + opening.length;
    const end = endOfTemplate(source, start);
    let lineStart = source.lastIndexOf("\n", start - 1) + 1;
    while (lineStart <= end) {
      const lineEnd = source.indexOf("\n", lineStart);
      const sqlEnd = Math.min(lineEnd === -1 ? source.length : lineEnd, end);
      const text = source.slice(Math.max(lineStart, start), sqlEnd).trim();
      const number = source.slice(0, lineStart).split("\n").length;
      if (text && sqlEnd - lineStart > widest) wide.add(`${number}: ${text.slice(0, 80)}`);
      lineStart = sqlEnd + 1;
    }
  }
  return [...wide];
}

test("detects overlong SQL lines in every kind of template", () => {
  const long = "a".repeat(101);
  const found = (source: string) => wideLines(source).map((line) => Number.parseInt(line, 10));
  expect(
    [
      `const a = sql\`SELECT ${long}\`;`,
      `const a = sql<{ b: string }>\`\n  SELECT b\n  FROM ${long}\`.rows();`,
      `const a = sql\`\${b ? sql\`x\` : "}"}\n ${long}\`;`,
      `await query(\`\n  SELECT ${long}\`);`,
    ].map(found),
  ).toEqual([[1], [3], [2], [2]]);
  expect(
    [
      `const ${long} = sql<{ a: string }>\`\n  SELECT a\`;`,
      `const a = sql\`SELECT a\`; // ${long}`,
      `const a = \`${long}\`;`,
      `const a = "SELECT ${long}";`,
    ].flatMap(found),
  ).toEqual([]);
});

test("limits SQL lines to 100 columns", () => {
  const sources = ["lib", "app"]
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^lib\/(?:generated|testing)\//.test(file));
  expect(sources.length).toBeGreaterThan(600);
  const statements = sources.map((file) => readFileSync(file, "utf8"));
  expect(statements.reduce((sum, text) => sum + [...text.matchAll(begin)].length, 0)).toBeGreaterThan(700);
  expect(sources.flatMap((file, index) => wideLines(statements[index] ?? "").map((line) => `${file}:${line}`))).toEqual(
    [],
  );
});
