import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Returns a script that compiles modules as `npm run derive` does, and loads them. */
const load = (modules: string[]) => `
  const { register } = await import("tsx/esm/api");
  register({ tsconfig: ${JSON.stringify(join(root, "tsconfig.json"))} });
  for (const each of ${JSON.stringify(modules)}) await import(each);
  console.log("loaded", "DATABASE_URL" in process.env);`;

// Developers may run `npm run derive` before they have settings, so no module may read a setting
// while it loads.
test("loads the modules of `npm run derive` without settings", async () => {
  const imports = readFileSync(join(root, "lib/testing/regenerate-derived-files.ts"), "utf8").matchAll(
    / from "(@|\.)\/(.+)";/g,
  );
  const files = [...imports].map(([, from, path]) => join(root, from === "@" ? "" : "lib/testing", `${path}.ts`));
  expect(files).toContain(join(root, "lib/api/openapi.ts"));
  const script = load(files.map((file) => pathToFileURL(file).href));
  const settings = { PATH: process.env.PATH ?? "", NODE_ENV: "production" } as const;
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    cwd: root,
    env: settings,
  });
  expect((await run).stdout).toBe("loaded false\n");
});
