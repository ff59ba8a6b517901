import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { baseImages, pinned } from "./base-image";
import { datedChangelog, datedPackageChangelog, dateOf, notesOf } from "./changelogs";
import { escapedPath, goSum } from "./go-module-zip";
import { goModuleOf, outdatedVersions, versionOf, withOneVersion } from "./one-version";
import { builderOf } from "./provenance";
import { missingFor, publishCommands, type ReleaseState, refusalOf } from "./publish";
import { type Bill, forProduction, reproducible } from "./software-bill";

test("writes one version and one Go module path to all files (to update: npm run derive)", () => {
  expect(Object.keys(outdatedVersions("."))).toEqual([]);
  const openapi = JSON.parse(readFileSync("public/openapi.json", "utf8"));
  expect([openapi.info.version, openapi.info["x-service-version"]]).toEqual(["0.0.0", versionOf(".")]);
});

const now = { version: "1.2.3", module: "git.example.com/a/clients/go", former: goModuleOf(".") };

test.each([
  ["package-lock.json", 2],
  ["clients/typescript/package.json", 1],
  ["clients/python/pyproject.toml", 1],
  ["clients/python/src/countersign/__init__.py", 1],
  ["clients/go/client.go", 1],
  ["deploy/helm/Chart.yaml", 2],
  ["examples/web-app/package.json", 1],
])("replaces only our own version in %s", (file, count) => {
  const before = readFileSync(file, "utf8");
  const after = withOneVersion(file, before, now);
  const [one, other] = [before.split("\n"), after.split("\n")];
  expect(other.length).toBe(one.length);
  const changed = other.filter((line, at) => line !== one[at]);
  expect(changed).toHaveLength(count);
  for (const line of changed) expect(line).toContain("1.2.3");
});

test("replaces the version and the Go module's path in the documentation", () => {
  const text = withOneVersion("docs/quick-start.md", readFileSync("docs/quick-start.md", "utf8"), now);
  expect(text).not.toContain(now.former);
  expect(text).toContain("-require git.example.com/a/clients/go@v1.2.3 -replace git.example.com/a/clients/go=");
  for (const name of [
    "countersign-1.2.3.tgz",
    "countersign_client-1.2.3-py3-none-any.whl",
    "countersign-go-1.2.3.tar.gz",
  ])
    expect(text).toContain(name);
  expect(withOneVersion("docs/a.md", "Node v20.19.0, tool@v2.1.0", now)).toBe("Node v20.19.0, tool@v2.1.0");
});

const changelog = "# Changelog\n\n## Unreleased\n\n### Added\n\n- One.\n\n## 0.1.0 - 2026-01-02\n\n- Zero.\n";

test("dates the changes of a release", () => {
  const dated = datedChangelog(changelog, "0.2.0", "2026-12-01");
  expect(dated).toContain("## Unreleased\n\n## 0.2.0 - 2026-12-01\n\n### Added\n\n- One.\n\n## 0.1.0 - 2026-01-02");
  expect(dateOf(dated, "0.2.0")).toBe("2026-12-01");
  expect(notesOf(dated, "0.2.0")).toBe("### Added\n\n- One.\n");
  expect(notesOf(dated, "0.1.0")).toBe("- Zero.\n");
  expect(datedChangelog(dated, "0.2.0", "2027-01-01")).toBe(dated);
  expect(() => datedChangelog(dated, "0.3.0", "2026-12-01")).toThrow("CHANGELOG.md lists no changes");
});

test("dates a package's changelog, and requires a section for the version", () => {
  const text = "# Changelog\n\n## 0.2.0 (unreleased)\n\n- One.\n";
  expect(datedPackageChangelog("a.md", text, "0.2.0", "2026-12-01")).toContain("\n## 0.2.0 - 2026-12-01\n");
  expect(() => datedPackageChangelog("a.md", text, "0.3.0", "2026-12-01")).toThrow("a.md has no section for 0.3.0.");
});

test("computes a Go module's sum regardless of the files' order", () => {
  const files = [
    ["m@v1.0.0/b.go", Buffer.from("b")],
    ["m@v1.0.0/a.go", Buffer.from("a")],
  ] as const;
  expect(goSum(files)).toBe(goSum([...files].reverse()));
  expect(escapedPath("example.com/Acme/go")).toBe("example.com/!acme/go");
});

const digest = `sha256:${"a".repeat(64)}`;

test("pins every use of a base image by its digest", () => {
  const dockerfile = readFileSync("deploy/Dockerfile", "utf8");
  const [{ image = "" } = {}] = baseImages(dockerfile);
  const text = pinned(dockerfile, image, digest);
  expect(baseImages(text)).toEqual([
    { image, digest },
    { image, digest },
  ]);
  expect(text).toContain(`FROM ${image}@${digest} AS build`);
  expect(pinned(text, image, digest)).toBe(text);
  expect(() => pinned(dockerfile, image, "latest")).toThrow("latest is not a digest");
});

test("gives the same bill of materials the same serial number", () => {
  const component = { type: "library", "bom-ref": "a", name: "a", purl: "pkg:npm/a" };
  const bill = (serialNumber: string, timestamp: string): Bill => ({
    ...{ bomFormat: "CycloneDX", specVersion: "1.5", serialNumber, version: 1, components: [] },
    metadata: { timestamp, component },
  });
  const one = reproducible(bill("urn:uuid:1", "2026-01-01T01:02:03Z"), "2026-12-01");
  expect(one).toEqual(reproducible(bill("urn:uuid:2", "2026-05-05T05:05:05Z"), "2026-12-01"));
  expect(one.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("drops development dependencies from a bill of materials", () => {
  const component = (name: string, ...properties: { name: string; value: string }[]) => ({
    ...{ type: "library", "bom-ref": name, name, purl: `pkg:npm/${name}`, properties },
  });
  const bill = forProduction({
    ...{ bomFormat: "CycloneDX", specVersion: "1.5", version: 1, metadata: { component: component("a") } },
    components: [component("b"), component("c", { name: "cdx:npm:package:development", value: "true" })],
    dependencies: [
      { ref: "a", dependsOn: ["b", "c"] },
      { ref: "c", dependsOn: ["b"] },
    ],
  });
  expect(bill.components.map(({ name }) => name)).toEqual(["b"]);
  expect(bill.dependencies).toEqual([{ ref: "a", dependsOn: ["b"] }]);
});

test("names a hosted workflow as the builder only in that workflow", () => {
  expect(builderOf({ NODE_ENV: "test" })).toBe("urn:countersign:release:local");
  const hosted = { GITHUB_SERVER_URL: "https://git.example.com", GITHUB_WORKFLOW_REF: "a/b/release.yml@refs/tags/v1" };
  expect(builderOf({ NODE_ENV: "test", ...hosted })).toBe("https://git.example.com/a/b/release.yml@refs/tags/v1");
});

const complete: ReleaseState = {
  ...{ version: "0.1.0", goModule: "git.example.com/a/clients/go", changed: [], dirty: false },
  tags: ["v0.1.0", "clients/go/v0.1.0"],
  dockerfile: `FROM node:24@${digest}\n`,
  environment: {
    ...{ NODE_ENV: "test", NODE_AUTH_TOKEN: "x", TWINE_PASSWORD: "x", RELEASE_IMAGE: "registry.example.com/a" },
    ...{ RELEASE_SIGNING_KEY: "ABCD", RELEASE_REPOSITORY: "https://git.example.com/a" },
  },
  has: () => true,
};

test("names each item that a release lacks", () => {
  expect(missingFor(complete)).toEqual([]);
  const nothing = missingFor({
    ...{ version: "0.1.0", goModule: "unpublished.example/countersign", changed: ["a"], dirty: true, tags: [] },
    ...{ dockerfile: "FROM node:24\n", environment: { NODE_ENV: "test" }, has: () => false },
  });
  const sentence = refusalOf("0.1.0", nothing);
  for (const item of ["RELEASE_GO_MODULE", "signed tags", "npm account", "PyPI account", "RELEASE_IMAGE"])
    expect(sentence).toContain(item);
  for (const item of ["RELEASE_SIGNING_KEY", "RELEASE_BASE_DIGEST", "RELEASE_REPOSITORY", "uncommitted", "--dry-run"])
    expect(sentence).toContain(item);
});

test("signs the checksums before it publishes anything", () => {
  const commands = publishCommands("out", complete, complete.environment);
  expect(commands.map(({ program }) => program)).toEqual(["gpg", "docker", "npm", "twine", "go"]);
  expect(commands[4]?.args.at(-1)).toBe("git.example.com/a/clients/go@v0.1.0");
});

test("names every setting of a release on the page for maintainers and in the hosted workflow", () => {
  const used = new Set(
    readFileSync("lib/testing/release/publish.ts", "utf8").match(/\b(?:RELEASE|TWINE|NODE_AUTH)_[A-Z_]+/g),
  );
  expect(used.size).toBeGreaterThan(6);
  for (const file of ["RELEASING.md", ".github/workflows/release.yml"])
    expect(
      [...used].filter((name) => !readFileSync(file, "utf8").includes(name)),
      file,
    ).toEqual([]);
});

test("pins the actions of the hosted workflow by commit", () => {
  const used = [...readFileSync(".github/workflows/release.yml", "utf8").matchAll(/uses: (.*)/g)].map(([, it]) => it);
  expect(used.length).toBeGreaterThan(8);
  for (const action of used) expect(action).toMatch(/@[0-9a-f]{40} # v\d/);
});

test("repeats the Dockerfile's port, health check and user on the page about hosting services", () => {
  const [dockerfile, page] = ["deploy/Dockerfile", "docs/operations/try-hosted.md"].map((file) =>
    readFileSync(file, "utf8"),
  );
  const found = (pattern: RegExp) => pattern.exec(dockerfile ?? "")?.[1] ?? "missing";
  const [port, path, user] = [found(/^EXPOSE (\d+)$/m), found(/PORT\}(\/\w+)`/), found(/^USER (\d+):/m)];
  expect(page).toContain(`(default \`${port}\`)`);
  expect(page).toContain(`internal_port = ${port}\n`);
  for (const line of [
    `healthCheckPath: ${path}\n`,
    `path = "${path}"\n`,
    `user | \`${user}\``,
    `\`${found(/^VOLUME (\S+)$/m)}\``,
  ])
    expect(page).toContain(line);
});

test("uses a supported Node.js and the service's port in the development container", () => {
  const { image, forwardPorts } = JSON.parse(readFileSync(".devcontainer/devcontainer.json", "utf8"));
  expect([image, forwardPorts]).toEqual([expect.stringMatching(/typescript-node:20-/), [3000]]);
});
