import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { list, type ReadEntry } from "tar";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pythonWith } from "../python-environment";
import { type Ran, runSystem, testWith } from "../test-with-programs";
import { goModuleOf, versionOf } from "./one-version";
import { filesBelow, sha256Of } from "./provenance";
import type { Bill } from "./software-bill";

/*
 * Runs the dry run of a release into a temporary folder, and checks every artifact with the programs
 * that read it.
 */

const folder = mkdtempSync(join(tmpdir(), "countersign-dry-run-"));
const out = join(folder, "out");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const version = versionOf(".");
const module = "git.example.com/acme/countersign/clients/go";
const digest = `sha256:${"0".repeat(64)}`;
const read = (name: string) => readFileSync(join(out, name));
const json = (name: string) => JSON.parse(read(name).toString());
let ran: Ran;

const release = (args: string[], env: Record<string, string> = {}) =>
  runSystem(process.execPath, ["lib/cli/run-typescript.mjs", "lib/testing/release/main.ts", ...args], { env });

beforeAll(async () => {
  const env = { RELEASE_BASE_DIGEST: digest, RELEASE_REPOSITORY: "https://git.example.com/acme/countersign" };
  ran = await release(["--dry-run", "--out", out, "--date", "2026-12-01", "--go-module", module], env);
}, 600_000);

test("builds all artifacts without a change to the checkout", () => {
  expect(ran.status, ran.err).toBe(0);
  const proxied = ["list", "info", "mod", "zip", "ziphash"].map((it) => (it === "list" ? it : `v${version}.${it}`));
  const bills = ["go", "npm", "python", "service"].map((name) => `countersign-${version}.${name}.cdx.json`);
  const packages = [
    ...["-py3-none-any.whl", ".tar.gz"].map((end) => `countersign_client-${version}${end}`),
    `countersign-${version}.tgz`,
  ];
  const others = ["Dockerfile", "SHA256SUMS", "provenance.intoto.json", "release-notes.md"];
  const below = proxied.map((name) => `go/${module}/@v/${name}`);
  expect(filesBelow(out)).toEqual([...bills, ...packages, ...others, ...below].sort());
  expect(goModuleOf(".")).not.toBe(module);
  expect(ran.out).toContain("npm publish");
});

test("matches the checksums and the provenance to the files", () => {
  const lines = read("SHA256SUMS").toString().trim().split("\n");
  const listed = lines.map((line) => line.split("  ")[1] ?? "");
  expect(listed).toEqual(filesBelow(out).filter((name) => name !== "SHA256SUMS"));
  for (const line of lines) {
    const [sum, name = ""] = line.split("  ");
    expect(sum, name).toBe(sha256Of(read(name)));
  }
  const { _type, subject, predicateType, predicate } = json("provenance.intoto.json");
  expect([_type, predicateType]).toEqual(["https://in-toto.io/Statement/v1", "https://slsa.dev/provenance/v1"]);
  for (const { name, digest: of } of subject) expect(of.sha256, name).toBe(sha256Of(read(name)));
  expect(subject).toHaveLength(listed.length - 1);
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  const [source, , image] = predicate.buildDefinition.resolvedDependencies;
  expect(source).toEqual({
    uri: `git+https://git.example.com/acme/countersign@refs/tags/v${version}`,
    digest: { gitCommit: commit },
  });
  expect(image.digest.sha256).toBe("0".repeat(64));
});

/** Returns each file of a compressed archive, with its text. */
function contentsOf(name: string): Record<string, string> {
  const texts: Record<string, string> = {};
  const onReadEntry = (entry: ReadEntry) => {
    const parts: Buffer[] = [];
    entry.on("data", (data: Buffer) => parts.push(data));
    entry.on("end", () => (texts[entry.path] = Buffer.concat(parts).toString()));
  };
  list({ file: join(out, name), sync: true, onReadEntry });
  return texts;
}

test("packs the npm package and the Python sources with their metadata", () => {
  const npm = contentsOf(`countersign-${version}.tgz`);
  const about = JSON.parse(npm["package/package.json"] ?? "{}");
  const url = "git+https://git.example.com/acme/countersign.git";
  expect(about).toMatchObject({ name: "countersign", version, repository: { url } });
  expect(npm["package/CHANGELOG.md"]).toContain(`## ${version} - `);
  const python = contentsOf(`countersign_client-${version}.tar.gz`);
  expect(python[`countersign_client-${version}/PKG-INFO`]).toContain(`\nVersion: ${version}\n`);
  expect(python[`countersign_client-${version}/PKG-INFO`]).toContain(
    "\nProject-URL: Source, https://git.example.com/acme",
  );
  const texts = [...Object.values(npm), ...Object.values(python)];
  expect(texts.filter((text) => text.includes("unpublished.example"))).toEqual([]);
  expect(texts.filter((text) => /\(unreleased\)/.test(text))).toEqual([]);
});

test("names no unpublished path in any artifact", () => {
  // The archives of the wheel and the Go module are not compressed.
  expect(filesBelow(out).filter((name) => read(name).includes("unpublished.example"))).toEqual([]);
  expect(read(`go/${module}/@v/v${version}.mod`).toString()).toContain(`module ${module}\n`);
});

test("pins the image's build file, and dates the notes' version", () => {
  const lines =
    read("Dockerfile")
      .toString()
      .match(/^FROM .*/gm) ?? [];
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).toContain(`@${digest}`);
  expect(read("release-notes.md").toString()).toContain("### Added for developers");
});

test("lists each artifact's components in its software bill of materials", () => {
  const bill = (name: string) => json(`countersign-${version}.${name}.cdx.json`) as Bill;
  for (const name of ["service", "npm", "python", "go"]) {
    const { bomFormat, specVersion, metadata } = bill(name);
    expect([bomFormat, specVersion, metadata.timestamp]).toEqual(["CycloneDX", "1.5", "2026-12-01T00:00:00Z"]);
    expect(metadata.component.purl).toContain(version);
  }
  const names = (name: string) => bill(name).components.map((it) => it.name);
  const locked = JSON.parse(readFileSync("package.json", "utf8"));
  const purls = new Set(bill("service").components.map(({ purl }) => decodeURIComponent(purl)));
  for (const [name, at] of Object.entries(locked.dependencies)) expect(purls).toContain(`pkg:npm/${name}@${at}`);
  expect([...purls].filter((purl) => purl.startsWith("pkg:npm/vitest@"))).toEqual([]);
  expect(names("npm")).toEqual([]);
  expect(names("go")).toEqual(["std"]);
  for (const name of ["anyio", "httpx", "pyjwt"]) expect(names("python").map((it) => it.toLowerCase())).toContain(name);
  if (/^Skipped the versions of the Python/m.test(ran.out)) return;
  for (const component of bill("python").components) {
    expect(component.version, component.name).toMatch(/^\d/);
    expect(component.hashes?.[0]?.content, component.name).toMatch(/^[0-9a-f]{64}$/);
  }
});

testWith(["go"], "lets Go build a program with the module from the artifacts", async () => {
  const cwd = mkdtempSync(join(folder, "go-"));
  const env = {
    ...{ GOPROXY: pathToFileURL(join(out, "go")).href, GOSUMDB: "off", GOTOOLCHAIN: "local" },
    ...{ GOMODCACHE: join(cwd, "mod"), GOFLAGS: "-mod=mod -modcacherw" },
  };
  const go = async (...args: string[]) => {
    const { status, out: text, err } = await runSystem("go", args, { cwd, env });
    expect(status, text + err).toBe(0);
    return text;
  };
  await go("mod", "init", "example.com/try");
  const { Sum } = JSON.parse(await go("mod", "download", "-json", `${module}@v${version}`));
  expect(Sum).toBe(read(`go/${module}/@v/v${version}.ziphash`).toString());
  await go("get", `${module}@v${version}`);
  await go("build", `${module}`);
});

testWith(["python3"], "passes twine's checks of the Python package, and opens the wheel", async (skip) => {
  const programs = await pythonWith("release", ["twine"], skip);
  const [source, wheel] = [".tar.gz", "-py3-none-any.whl"].map((end) =>
    join(out, `countersign_client-${version}${end}`),
  ) as [string, string];
  const { status, out: text, err } = await runSystem(join(programs, "twine"), ["check", "--strict", source, wheel]);
  expect([status, text.match(/PASSED/g)?.length], text + err).toEqual([0, 2]);
  const code = `import sys, zipfile; assert zipfile.ZipFile(${JSON.stringify(wheel)}).testzip() is None`;
  expect((await runSystem(join(programs, "python"), ["-c", code])).status).toBe(0);
});

test("reports each skipped step", async () => {
  const unset = { RELEASE_GO_MODULE: "", RELEASE_BASE_DIGEST: "", PATH: join(process.execPath, "..") };
  // Without git on the path, the command can't copy the checkout.
  const git = execFileSync("sh", ["-c", "dirname $(command -v git)"], { encoding: "utf8" }).trim();
  const bare = await release(["--dry-run", "--out", join(folder, "bare")], { ...unset, PATH: `${unset.PATH}:${git}` });
  expect(bare.status, bare.err).toBe(0);
  expect(bare.out).toMatch(/^Skipped the Go module's real path: RELEASE_GO_MODULE is not set\./m);
  expect(bare.out).toMatch(/^Built /m);
  const named = filesBelow(join(folder, "bare")).map((name) => readFileSync(join(folder, "bare", name)));
  expect(named.filter((bytes) => bytes.includes("unpublished.example"))).toEqual([]);
}, 600_000);

test("refuses to release, and names the missing accounts", async () => {
  const {
    status,
    out: text,
    err,
  } = await release([], { RELEASE_GO_MODULE: "", NODE_AUTH_TOKEN: "", TWINE_PASSWORD: "" });
  expect(status, text).toBe(1);
  expect(err).toMatch(/^Couldn't release .*an npm account .*a PyPI account .*add --dry-run\.$/m);
}, 600_000);
