import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/*
 * The service and its packages have one version, and the Go module has one path. package.json is the
 * source of the version, and clients/go/go.mod is the source of the path. All other files with
 * either value derive from these two (`npm run derive`), so that no release can mix versions.
 */

const version = String.raw`\d+\.\d+\.\d+`;

/** The places of the version: a pattern for files, and a pattern for the version inside them. */
const places: readonly (readonly [files: RegExp, place: RegExp])[] = [
  [/^package-lock\.json$/, new RegExp(`(?<="name": "countersign",\\s+"version": ")${version}(?=")`, "g")],
  [/^clients\/typescript\/package\.json$/, new RegExp(`(?<=^ {2}"version": ")${version}(?=")`, "m")],
  [/^clients\/python\/pyproject\.toml$/, new RegExp(`(?<=^version = ")${version}(?=")`, "m")],
  [/^clients\/python\/src\/countersign\/__init__\.py$/, new RegExp(`(?<=^__version__ = ")${version}(?=")`, "m")],
  [/^clients\/go\/client\.go$/, new RegExp(`(?<=^const Version = ")${version}(?=")`, "m")],
  [/^deploy\/helm\/Chart\.yaml$/, new RegExp(`(?<=^(?:version: |appVersion: "))${version}`, "gm")],
  [/^examples\/[\w-]+\/package\.json$/, new RegExp(`(?<="countersign": "\\^)${version}`)],
  [
    /^(README|docs\/.+|clients\/.+)\.md$/,
    new RegExp(`(?<=countersign(?:-go|_client)?-)${version}(?=\\.(?:t|js|d\\.ts)|-py3)`, "g"),
  ],
];

/** The files that may name the Go module's path. */
const namesModule = /^(docs\/.+\.md|clients\/go\/(README\.md|[a-z_]+\.go)|examples\/go\/(go\.mod|main\.go))$/;

const read = (root: string, file: string) => readFileSync(join(root, file), "utf8");
const match = (text: string, pattern: RegExp, what: string) => {
  const [, found] = pattern.exec(text) ?? [];
  if (!found) throw new Error(`There is no ${what}.`);
  return found;
};

/**
 * Returns the version of the service and its packages.
 * @throws if package.json has a version that not all package registries accept
 */
export const versionOf = (root: string): string =>
  match(read(root, "package.json"), new RegExp(`"version": "(${version})"`), "version like 1.2.3 in package.json");

/** Returns the Go module's path. */
export const goModuleOf = (root: string): string =>
  match(read(root, "clients/go/go.mod"), /^module (\S+)$/m, "module in clients/go/go.mod");

/** Changes the Go module's path. Other files follow with the next `npm run derive`. */
export function setGoModule(root: string, path: string): void {
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+(\/[\w.~-]+)+$/.test(path))
    throw new Error(
      `${JSON.stringify(path)} is not a Go module's path. Use a path like git.example.com/countersign/clients/go.`,
    );
  writeFileSync(
    join(root, "clients/go/go.mod"),
    read(root, "clients/go/go.mod").replace(/^module \S+$/m, `module ${path}`),
  );
}

/** Returns a file's text with the current version and the current path of the Go module. */
export function withOneVersion(file: string, text: string, now: { version: string; module: string; former: string }) {
  const versioned = places
    .filter(([files]) => files.test(file))
    .reduce((before, [, place]) => before.replace(place, now.version), text);
  if (!namesModule.test(file)) return versioned;
  // Also replaces the version in requirements, as in `go mod edit` and in go.mod.
  const required = new RegExp(`(?<=${now.module.replaceAll(".", "\\.")}[@ ]v)${version}`, "g");
  return versioned.replaceAll(now.former, now.module).replace(required, now.version);
}

/** Lists the files that can contain the version or the Go module's path. */
function candidates(root: string): string[] {
  const below = ["docs", "clients", "examples", "deploy/helm"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  return ["README.md", "package-lock.json", ...below].filter(
    (file) =>
      !/(^|\/)(node_modules|dist)\//.test(file) &&
      (namesModule.test(file) || places.some(([files]) => files.test(file))),
  );
}

/** Returns the files whose version or Go module path is outdated, each with its correct text. */
export function outdatedVersions(root: string): Record<string, string> {
  // The example's go.mod has the path of the last `npm run derive`.
  const former = match(read(root, "examples/go/go.mod"), /^require (\S+) v/m, "requirement in examples/go/go.mod");
  const now = { version: versionOf(root), module: goModuleOf(root), former };
  const texts = candidates(root).map((file) => {
    const text = read(root, file);
    return [file, text, withOneVersion(file, text, now)] as const;
  });
  return Object.fromEntries(texts.flatMap(([file, before, after]) => (before === after ? [] : [[file, after]])));
}

/** Writes the version and the Go module's path to all files that derive from them. */
export function writeOneVersion(root: string): void {
  for (const [file, text] of Object.entries(outdatedVersions(root))) writeFileSync(join(root, file), text);
}
