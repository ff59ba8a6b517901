import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { finished } from "@/lib/testing/operator-command";
import { runProgram } from "@/lib/testing/service-process";
import { root } from "./prepare-checkout.mjs";

// Copies the inputs of the commands' bundle to a separate checkout, whose sources these tests
// change.
const checkout = mkdtempSync(join(tmpdir(), "countersign-checkout-"));
const taken = ["lib", "prisma", ".config", "server.ts", "package.json", "package-lock.json", "tsconfig.json"];
const filter = (path: string) => path !== join(root, "lib", "generated", "programs");
for (const name of taken) cpSync(join(root, name), join(checkout, name), { recursive: true, filter });
symlinkSync(join(root, "node_modules"), join(checkout, "node_modules"));
afterAll(() => rmSync(checkout, { recursive: true }));

const programs = join(checkout, "lib", "generated", "programs");
/** Code that prints, on exit, which packages were loaded besides esbuild and Commander. */
const telling = `import module from "node:module"; process.on("exit", () => {
  const read = Object.keys(module._cache).flatMap((file) => /node_modules\\/(?!esbuild|commander)[^/]+/.exec(file) ?? []);
  if (read.length > 0) console.error("packages read: " + read);
});`;
const help = () =>
  finished(
    runProgram([join(checkout, "lib", "cli", "run-typescript.mjs"), "lib/cli/main.ts", "--help"], {
      DATA_DIR: checkout,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(telling)}`,
    }),
  );
const change = (file: string, word: string) =>
  writeFileSync(file, readFileSync(file, "utf8").replace(/"\w+ run -s/, `"${word} run -s`));

test("rebuilds the bundle after a source change", async () => {
  const first = await help();
  expect(first.err).toContain("Bundling");
  expect(first.out).toContain("Usage: npm");

  const [made = ""] = readdirSync(programs);
  change(join(programs, made, "lib", "cli", "main.js"), "bundled");
  const second = await help();
  expect([second.err, second.status]).toEqual(["", 0]);
  expect(second.out).toContain("Usage: bundled run");

  const source = join(checkout, "lib", "cli", "run-command-line.ts");
  change(source, "newer");
  expect((await help()).out).toContain("Usage: newer run");
  // The previous bundle must stay, because a service may still run from it.
  expect(readdirSync(programs)).toHaveLength(2);
  writeFileSync(source, `${readFileSync(source, "utf8")}\n`);
  expect((await help()).err).toContain("Bundling");
  expect(readdirSync(programs)).toHaveLength(2);
  expect(readdirSync(programs)).not.toContain(made);
});

test("builds the bundle only once for concurrent processes", async () => {
  rmSync(programs, { recursive: true });
  const all = await Promise.all([help(), help(), help()]);
  expect(all.map(({ status }) => status)).toEqual([0, 0, 0]);
  expect(readdirSync(programs)).toHaveLength(1);
});
