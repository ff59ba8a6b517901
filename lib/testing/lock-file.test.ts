import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

type Entry = { integrity?: string; resolved?: string; inBundle?: boolean };

const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package-lock.json"), "utf8")) as {
  packages: Record<string, Entry>;
};

test("what is installed is what was locked: every package has its hash", () => {
  // What lies in another package's archive is covered by the hash of that.
  const archives = Object.entries(packages).filter(([path, { inBundle }]) => path && !inBundle);
  const sound = ({ integrity, resolved }: Entry) =>
    integrity?.startsWith("sha512-") && resolved?.startsWith("https://registry.npmjs.org/");
  expect(archives.filter(([, entry]) => !sound(entry)).map(([path]) => path)).toEqual([]);
});
