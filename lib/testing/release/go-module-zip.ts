import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ArchivedFile, zipOf } from "../zip-archive";

/*
 * Builds the Go module as a module proxy serves it (https://go.dev/ref/mod#goproxy-protocol). The
 * folder is a valid GOPROXY. The sum equals the one that Go computes from the tag, so anyone can
 * compare the published module with this release.
 */

/** Returns a module's path as a module proxy writes it: `!a` instead of `A`. */
export const escapedPath = (path: string): string => path.replaceAll(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);

/** Returns the module's files, with the names that they have in the archive. */
export function goModuleFiles(source: string, module: string, version: string): ArchivedFile[] {
  return readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(source, path)).isFile())
    .sort()
    .map((path) => [`${module}@v${version}/${path}`, readFileSync(join(source, path))]);
}

/** Returns the module's sum, as in go.sum (golang.org/x/mod/sumdb/dirhash, Hash1). */
export function goSum(files: readonly ArchivedFile[]): string {
  const lines = [...files]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, bytes]) => `${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`);
  return `h1:${createHash("sha256").update(lines.join("")).digest("base64")}`;
}

/**
 * Writes the module's files for a module proxy.
 * @returns the path of the archive below the folder, and the module's sum
 */
export function writeGoModule(
  folder: string,
  source: string,
  about: { module: string; version: string; date: string },
) {
  const { module, version, date } = about;
  const files = goModuleFiles(source, module, version);
  const below = join("go", escapedPath(module), "@v");
  const sum = goSum(files);
  mkdirSync(join(folder, below), { recursive: true });
  const write = (name: string, data: string | Buffer) => writeFileSync(join(folder, below, name), data);
  write("list", `v${version}\n`);
  write(`v${version}.info`, `${JSON.stringify({ Version: `v${version}`, Time: `${date}T00:00:00Z` })}\n`);
  write(`v${version}.mod`, readFileSync(join(source, "go.mod")));
  write(`v${version}.zip`, zipOf(files));
  write(`v${version}.ziphash`, sum);
  return { zip: join(below, `v${version}.zip`), sum };
}
