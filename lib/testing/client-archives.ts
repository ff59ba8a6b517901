import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "tar";
import { buildPackage } from "./client-package";

/*
 * The clients as packages that the service itself gives out, in `public/client`, so that whoever knows a service needs no checkout and
 * no registry. `npm run derive` makes them; the same sources make the same bytes within the compression.
 */

const root = join(import.meta.dirname, "../..");

/** By the archive's name: the folder inside it, where that is made from, and which of its files belong to it. */
const archives: Record<string, { folder: string; source: string; belongs: RegExp }> = {
  "countersign.tgz": {
    folder: "package",
    source: "clients/typescript",
    belongs: /^(package\.json|README\.md|CHANGELOG\.md|LICENSE|dist\/.+)$/,
  },
  "countersign-python.tar.gz": {
    folder: "countersign-python",
    source: "clients/python",
    belongs: /^(pyproject\.toml|README\.md|CHANGELOG\.md|LICENSE|src\/.+\.py|src\/.+\/py\.typed)$/,
  },
  "countersign-go.tar.gz": {
    folder: "countersign-go",
    source: "clients/go",
    belongs: /^(go\.mod|README\.md|CHANGELOG\.md|LICENSE|[a-z]+\.go)$/,
  },
};

/** @returns the archives by their names in `public/client` */
export async function clientArchives(): Promise<Record<string, Buffer>> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-archives-"));
  try {
    const made: Record<string, Buffer> = {};
    for (const [name, { folder: inside, source, belongs }] of Object.entries(archives)) {
      const copy = join(folder, inside);
      mkdirSync(copy);
      cpSync(join(root, source), copy, { recursive: true, filter: (path) => !path.endsWith("/dist") });
      if (name === "countersign.tgz") await buildPackage(join(copy, "dist"));
      const files = readdirSync(copy, { recursive: true, encoding: "utf8" }).filter((path) => belongs.test(path));
      const how = { cwd: folder, sync: true, portable: true, mtime: new Date(0), gzip: { level: 9 } } as const;
      made[name] = create(
        how,
        files.sort().map((path) => `${inside}/${path}`),
      ).read() as Buffer;
    }
    return made;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
