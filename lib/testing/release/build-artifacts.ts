import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { findProgram } from "../find-program";
import { pythonFileName } from "../python-wheel";
import { runSystem } from "../test-with-programs";
import { baseImages } from "./base-image";
import { notesOf } from "./changelogs";
import { writeGoModule } from "./go-module-zip";
import { goModuleOf, versionOf } from "./one-version";
import { builderOf, checksums, filesBelow, provenanceOf, sha256Of } from "./provenance";
import { type Bill, goBill, npmBill, pythonBill, reproducible } from "./software-bill";

/*
 * Writes a release's artifacts into a folder. The packages are the files that the service hosts, so
 * a package has the same digest in a registry and at every service.
 */

export type ReleaseFacts = { version: string; goModule: string; goSum: string; files: string[] };

/**
 * Writes the artifacts.
 * @param root the prepared checkout, or a prepared copy of it
 * @param to the folder for the artifacts, which must be empty
 * @param origin the commit and the repository of the sources
 * @param skip called with a reason for each omitted step
 */
export async function buildArtifacts(
  root: string,
  to: string,
  origin: { date: string; commit: string; repository: string | undefined },
  skip: (reason: string) => void,
): Promise<ReleaseFacts> {
  const [version, goModule] = [versionOf(root), goModuleOf(root)];
  mkdirSync(to, { recursive: true });
  const write = (name: string, data: string) => writeFileSync(join(to, name), data);
  const packages = packageNames(version);
  for (const name of packages) cpSync(join(root, "public/client", name), join(to, name));
  const { sum } = writeGoModule(to, join(root, "clients/go"), { module: goModule, version, date: origin.date });
  await checkGoModule(to, { module: goModule, version, sum }, skip);
  cpSync(join(root, "deploy/Dockerfile"), join(to, "Dockerfile"));
  write("release-notes.md", notesOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version));
  for (const [name, bill] of Object.entries(await bills(root, to, { version, goModule }, skip)))
    write(`countersign-${version}.${name}.cdx.json`, `${JSON.stringify(reproducible(bill, origin.date), null, 2)}\n`);
  const inputs = [
    {
      uri: "urn:countersign:package-lock.json",
      digest: { sha256: sha256Of(readFileSync(join(root, "package-lock.json"))) },
    },
    ...pinnedImages(join(to, "Dockerfile")),
  ];
  const about = { version, ...origin, goModule, builder: builderOf(process.env), inputs };
  write("provenance.intoto.json", `${JSON.stringify(provenanceOf(to, filesBelow(to), about), null, 2)}\n`);
  write("SHA256SUMS", checksums(to));
  return { version, goModule, goSum: sum, files: filesBelow(to) };
}

/** Returns the names of the packages for npm and PyPI. */
export const packageNames = (version: string) =>
  [
    `countersign-${version}.tgz`,
    `${pythonFileName}-${version}.tar.gz`,
    `${pythonFileName}-${version}-py3-none-any.whl`,
  ] as const;

function pinnedImages(dockerfile: string) {
  const known = new Map(baseImages(readFileSync(dockerfile, "utf8")).map(({ image, digest }) => [image, digest]));
  return [...known].flatMap(([image, digest]) =>
    digest ? [{ uri: `pkg:docker/${image.replace(":", "@")}`, digest: { sha256: digest.replace("sha256:", "") } }] : [],
  );
}

async function bills(
  root: string,
  to: string,
  { version, goModule }: { version: string; goModule: string },
  skip: (reason: string) => void,
): Promise<Record<string, Bill>> {
  const project = readFileSync(join(root, "clients/python/pyproject.toml"), "utf8");
  const listed = ["dependencies", "receipts"].flatMap((name) =>
    quotedTexts(new RegExp(`^${name} = \\[(.*)\\]$`, "m").exec(project)?.[1] ?? ""),
  );
  const [, , wheel] = packageNames(version);
  const about = { wheel: resolve(to, wheel), version, requirements: listed };
  return {
    service: await npmBill(root, "countersign-service", "application"),
    npm: await npmBill(join(root, "clients/typescript"), "countersign", "library"),
    python: await pythonBill(about, findProgram("python3"), skip),
    go: goBill(join(root, "clients/go"), goModule, version),
  };
}

const quotedTexts = (list: string) => [...list.matchAll(/"([^"]*)"/g)].map(([, it = ""]) => it);

/** Downloads the module from the folder with Go itself, and compares its sum with ours. */
async function checkGoModule(
  to: string,
  { module, version, sum }: { module: string; version: string; sum: string },
  skip: (reason: string) => void,
): Promise<void> {
  if (!findProgram("go")) return skip("Go's check of the module's archive: There is no go.");
  const cache = mkdtempSync(join(tmpdir(), "countersign-go-"));
  try {
    const env = {
      GOPROXY: pathToFileURL(resolve(to, "go")).href,
      ...{
        GOSUMDB: "off",
        GOPATH: cache,
        GOMODCACHE: join(cache, "mod"),
        GOFLAGS: "-modcacherw",
        GOTOOLCHAIN: "local",
      },
    };
    const { status, out, err } = await runSystem("go", ["mod", "download", "-json", `${module}@v${version}`], {
      cwd: cache,
      env,
    });
    if (status !== 0) throw new Error(`Go rejects the module's archive:\n${out}${err}`);
    const { Sum } = JSON.parse(out) as { Sum: string };
    if (Sum !== sum) throw new Error(`Go computes the sum ${Sum} for the module, instead of ${sum}.`);
  } finally {
    rmSync(cache, { recursive: true });
  }
}

/** Returns the commit of a checkout. */
export const commitOf = (root: string): string =>
  execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
