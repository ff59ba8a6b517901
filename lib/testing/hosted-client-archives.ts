import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { create } from "tar";
import { buildPackage } from "./build-npm-package";
import { clientFiles } from "./hosted-client-files";
import { packageMetadata, pythonFileName, wheelOf } from "./python-wheel";

/*
 * Builds the client packages that the service hosts in `public/client`, with versions and SHA-256
 * checksums. Developers can install these packages without a checkout or a registry. Invariant:
 * once a package's CHANGELOG lists a version as released, the version's archive never changes.
 */

const root = join(import.meta.dirname, "../..");
const served = join(root, "public/client");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const versionIn = (path: string, pattern: RegExp) => {
  const [, version] = pattern.exec(read(path)) ?? [];
  if (!version) throw new Error(`${path} names no version`);
  return version;
};

type Package = {
  source: string;
  version: () => string;
  /**
   * The archive's name without its version. The URL with this name redirects to the newest version.
   */
  newest: string;
  named: (version: string) => string;
  /** The folder inside the archive. */
  folder: (version: string) => string;
  /** Matches the paths of the source files that belong in the archive. */
  belongs: RegExp;
};

const packages: readonly Package[] = [
  {
    source: "clients/typescript",
    version: () => versionIn("clients/typescript/package.json", /"version": "(.*)"/),
    newest: "countersign.tgz",
    named: (version) => `countersign-${version}.tgz`,
    folder: () => "package",
    belongs: /^(package\.json|README\.md|CHANGELOG\.md|LICENSE|dist\/.+)$/,
  },
  {
    source: "clients/python",
    version: () => versionIn("clients/python/pyproject.toml", /^version = "(.*)"$/m),
    newest: "countersign-python.tar.gz",
    named: (version) => `${pythonFileName}-${version}.tar.gz`,
    folder: (version) => `${pythonFileName}-${version}`,
    // PyPI requires PKG-INFO.
    belongs: /^(PKG-INFO|pyproject\.toml|README\.md|CHANGELOG\.md|LICENSE|src\/.+\.py|src\/.+\/py\.typed)$/,
  },
  {
    source: "clients/go",
    version: () => versionIn("clients/go/client.go", /^const Version = "(.*)"$/m),
    newest: "countersign-go.tar.gz",
    named: (version) => `countersign-go-${version}.tar.gz`,
    folder: () => "countersign-go",
    belongs: /^(go\.mod|README\.md|CHANGELOG\.md|LICENSE|[a-z]+\.go)$/,
  },
];

export type ClientArchive = {
  name: string;
  /**
   * The archive's name without its version. A wheel has no such name, because pip reads the version
   * from the file name. The single-file client's name without a version is a file of its own.
   */
  newest?: string;
  source: string;
  version: string;
  /** Whether the CHANGELOG lists this version as released. */
  released: boolean;
  bytes: Buffer;
};

/** Builds the packages' archives from the current sources. */
export async function clientArchives(): Promise<ClientArchive[]> {
  const made: ClientArchive[] = [];
  for (const { source, newest, ...it } of packages) {
    const version = it.version();
    const heading = versionIn(`${source}/CHANGELOG.md`, new RegExp(`^## (${version.replaceAll(".", "\\.")}.*)$`, "m"));
    const bytes = await archiveOf(source, it.folder(version), it.belongs);
    const about = { source, version, released: !/unreleased/.test(heading) };
    made.push({ ...about, name: it.named(version), newest, bytes });
    if (source === "clients/python")
      made.push({ ...about, name: `${pythonFileName}-${version}-py3-none-any.whl`, bytes: pythonWheel(source) });
    if (source === "clients/typescript") {
      const { js, types } = await clientFiles();
      for (const [extension, text] of [
        ["js", js],
        ["d.ts", types],
      ] as const)
        made.push({ ...about, name: `countersign-${version}.${extension}`, bytes: Buffer.from(text) });
    }
  }
  return made;
}

function pythonWheel(source: string): Buffer {
  const names = readdirSync(join(root, source, "src"), { recursive: true, encoding: "utf8" });
  return wheelOf(join(root, source), names.filter((name) => /\/(\w+\.py|py\.typed)$/.test(name)).sort());
}

async function archiveOf(source: string, inside: string, belongs: RegExp): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-archives-"));
  try {
    const copy = join(folder, inside);
    mkdirSync(copy);
    cpSync(join(root, source), copy, { recursive: true, filter: (path) => !path.endsWith("/dist") });
    if (source === "clients/typescript") await buildPackage(join(copy, "dist"));
    if (source === "clients/python")
      writeFileSync(
        join(copy, "PKG-INFO"),
        packageMetadata(read(`${source}/pyproject.toml`), read(`${source}/README.md`)),
      );
    const files = readdirSync(copy, { recursive: true, encoding: "utf8" }).filter((path) => belongs.test(path));
    const how = { cwd: folder, sync: true, portable: true, mtime: new Date(0), gzip: { level: 9 } } as const;
    return create(
      how,
      files.sort().map((path) => `${inside}/${path}`),
    ).read() as Buffer;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Whether two archives have the same contents. The compressed bytes can differ between zlib
 * versions.
 */
export const sameContents = (a: Buffer, b: Buffer): boolean =>
  a.equals(b) || (isGzip(a) && isGzip(b) && gunzipSync(a).equals(gunzipSync(b)));
const isGzip = (bytes: Buffer) => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** Returns the line that `sha256sum --check` reads. */
export const checksumLine = (bytes: Buffer, name: string): string =>
  `${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`;

/**
 * Returns whether to replace a hosted archive, which is false if its contents would not change.
 * @throws if a released version would change, because its URL is cached permanently and lock files
 *   contain its checksum
 */
export function mayReplace(kept: Buffer | undefined, archive: ClientArchive): boolean {
  if (kept && sameContents(kept, archive.bytes)) return false;
  if (kept && archive.released)
    throw new Error(
      `${archive.name} is released and cannot change. Raise the version in ${archive.source}, and name it in its CHANGELOG.`,
    );
  return true;
}

/**
 * Writes the hosted packages: archives, checksums, and the lists of newest and unreleased archives.
 * Browsers and proxies may cache only released archives permanently.
 */
export async function writeClientArchives(): Promise<void> {
  const all = await clientArchives();
  for (const archive of all) {
    const path = join(served, archive.name);
    if (mayReplace(existsSync(path) ? readFileSync(path) : undefined, archive)) writeFileSync(path, archive.bytes);
    writeFileSync(`${path}.sha256`, checksumLine(readFileSync(path), archive.name));
  }
  writeFileSync(join(served, "latest.json"), `${JSON.stringify(newestOf(all), null, 2)}\n`);
  writeFileSync(join(served, "unreleased.json"), `${JSON.stringify(unreleasedOf(all), null, 2)}\n`);
}

/** Returns the names of the archives that may still change. */
export const unreleasedOf = (all: readonly ClientArchive[]): string[] =>
  all.flatMap(({ name, released }) => (released ? [] : [name]));

/** Returns the newest archive for each versionless name. */
export const newestOf = (all: readonly ClientArchive[]): Record<string, string> =>
  Object.fromEntries(all.flatMap(({ newest, name }) => (newest ? [[newest, name]] : [])));
