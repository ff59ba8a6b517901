import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

type Entry = {
  version: string;
  integrity?: string;
  resolved?: string;
  peerDependencies?: Record<string, string>;
};

const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package-lock.json"), "utf8")) as {
  packages: Record<string, Entry>;
};

test("locks every installed package with a hash", () => {
  // Includes packages inside another package's archive, of which npm checks only the outer archive.
  const archives = Object.entries(packages).filter(([path]) => path);
  const sound = ({ integrity, resolved }: Entry) =>
    integrity?.startsWith("sha512-") && resolved?.startsWith("https://registry.npmjs.org/");
  expect(archives.filter(([, entry]) => !sound(entry)).map(([path]) => path)).toEqual([]);
});

test("overrides only next-auth's nodemailer version (CONTRIBUTING.md)", () => {
  const { overrides } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
  expect(overrides).toEqual({ "next-auth": { nodemailer: "$nodemailer" } });
  const wanted = packages["node_modules/next-auth"]?.peerDependencies?.nodemailer ?? "";
  const [major = ""] = packages["node_modules/nodemailer"]?.version.split(".") ?? [];
  // Remove the override when this assertion fails.
  expect(wanted).toMatch(/^\^\d+\.\d+\.\d+( \|\| \^\d+\.\d+\.\d+)*$/);
  expect(wanted.split(" || ").filter((range) => range.startsWith(`^${major}.`))).toEqual([]);
});
