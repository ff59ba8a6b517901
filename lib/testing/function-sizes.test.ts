import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { functionSizes } from "@/lib/testing/function-sizes";
import { sources } from "@/lib/testing/layers-and-imports";

const maxLines = 80;
const maxComplexity = 20;

const scripts = readdirSync("lib", { recursive: true, encoding: "utf8" })
  .map((name) => join("lib", name))
  .filter((file) => /\.(?:mjs|cjs|js)$/.test(file) && !/^lib\/(?:generated|testing)\//.test(file));

const languageOf = (file: string) => (file.endsWith(".tsx") ? "tsx" : file.endsWith(".ts") ? "ts" : "js");

test("counts a function's lines and branches without nested functions", () => {
  const text = `const pick = (a?: number[]) => {
    for (const b of a ?? []) if (b > 1 && b < 5) return b ? "x" : "y";
    const inner = () => a?.map((c) => (c ? 1 : 2));
    switch (a?.length) { case 1: return inner(); case 2: try { inner(); } catch { } default: }
  };
  class C { size() { let d = 0; while (d ||= 1) do d--; while (d); } }`;
  expect(functionSizes(text, "ts")).toEqual([
    { name: "pick", line: 1, lines: 5, complexity: 9 },
    { name: "inner", line: 3, lines: 1, complexity: 1 },
    { name: "map", line: 3, lines: 1, complexity: 2 },
    { name: "size", line: 6, lines: 1, complexity: 4 },
  ]);
});

test("limits functions to 80 lines and a complexity of 20", () => {
  const sizes = [...sources, ...scripts].flatMap((file) =>
    functionSizes(readFileSync(file, "utf8"), languageOf(file)).map((size) => ({ file, ...size })),
  );
  expect(sizes.length).toBeGreaterThan(5_000);
  const large = sizes
    .filter(({ lines, complexity }) => lines > maxLines || complexity > maxComplexity)
    .sort(
      (a, b) => b.lines / maxLines + b.complexity / maxComplexity - (a.lines / maxLines + a.complexity / maxComplexity),
    );
  const shown = large.map(
    ({ file, line, name, lines, complexity }) => `${file}:${line} ${name}: ${lines} lines, complexity ${complexity}`,
  );
  expect(shown, "split these, or move their branches into named functions").toEqual([]);
});
