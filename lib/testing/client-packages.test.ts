import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { Countersign } from "@/lib/client/countersign";
import nextConfig from "@/next.config.js";
import { clientTypes } from "./generate-client-types";
import {
  type ClientArchive,
  checksumLine,
  clientArchives,
  mayReplace,
  newestOf,
  sameContents,
  unreleasedOf,
} from "./hosted-client-archives";
import { clientFiles } from "./hosted-client-files";

const published = (name: string) => readFileSync(join("public/client", name), "utf8");

test("generates the client's types from the OpenAPI document (to update: npm run derive)", () => {
  expect(readFileSync("lib/client/types.ts", "utf8")).toBe(clientTypes());
});

test("builds the hosted client from lib/client (to update: npm run derive)", async () => {
  const { js, types } = await clientFiles();
  expect(published("countersign.js")).toBe(js);
  expect(published("countersign.d.ts")).toBe(types);
});

describe("hosted client packages", () => {
  let archives: ClientArchive[];
  beforeAll(async () => {
    archives = await clientArchives();
  });

  test("builds the client packages from clients/ (to update: npm run derive)", () => {
    for (const { name, bytes, version } of archives) {
      expect(name).toMatch(
        new RegExp(`-${version.replaceAll(".", "\\.")}(\\.tgz|\\.tar\\.gz|-py3-none-any\\.whl|\\.js|\\.d\\.ts)$`),
      );
      const served = readFileSync(join("public/client", name));
      expect(sameContents(served, bytes), name).toBe(true);
      expect(published(`${name}.sha256`)).toBe(checksumLine(served, name));
    }
    expect(JSON.parse(published("latest.json"))).toEqual(newestOf(archives));
    expect(JSON.parse(published("unreleased.json"))).toEqual(unreleasedOf(archives));
  });

  test("lets proxies cache every released package permanently", async () => {
    const rules = (await nextConfig.headers?.()) ?? [];
    const [rule] = rules.filter(({ headers }) => headers.some(({ value }) => value.includes("immutable")));
    const [, pattern = ""] = /^\/client\/:file\((.*)\)$/.exec(rule?.source ?? "") ?? [];
    for (const { name } of archives) expect(name).toMatch(new RegExp(`^${pattern}$`));
    for (const name of ["countersign.js", "countersign-python.tar.gz"])
      expect(name).not.toMatch(new RegExp(`^${pattern}$`));
  });

  test("leaves the files of released packages unchanged", () => {
    const [archive] = archives as [ClientArchive];
    const [same, other] = [gzipSync("same", { level: 1 }), gzipSync("other")];
    const next = { ...archive, bytes: gzipSync("same", { level: 9 }) };
    expect([undefined, same, other].map((kept) => mayReplace(kept, { ...next, released: false }))).toEqual([
      true,
      false,
      true,
    ]);
    const released = { ...next, released: true };
    expect([mayReplace(undefined, released), mayReplace(same, released)]).toEqual([true, false]);
    expect(() => mayReplace(other, released)).toThrow(`${archive.name} is released and cannot change.`);
  });

  test("installs client packages from versioned URLs in every page and example", () => {
    const texts = execFileSync("git", ["ls-files", "README.md", "docs/*.md", "clients/*.md", "examples"], {
      encoding: "utf8",
    });
    const named = texts
      .trim()
      .split("\n")
      .flatMap(
        (file) => readFileSync(file, "utf8").match(/(?<=\/client\/)countersign[\w.-]*\.(?:tgz|tar\.gz|whl)/g) ?? [],
      );
    expect(named.length).toBeGreaterThan(10);
    for (const name of named) expect(archives.map((archive) => archive.name)).toContain(name);
  });
});

/** Matches a version's heading in a CHANGELOG, marked as unreleased or with a release date. */
const headingOf = (version: string) =>
  new RegExp(`^## ${version.replaceAll(".", "\\.")} (\\(unreleased\\)|- \\d{4}-\\d\\d-\\d\\d)$`, "m");

test("uses no dependencies in the hosted client", () => {
  expect(published("countersign.js")).not.toMatch(/^import |\brequire\(|process\.|Buffer/m);
  expect(published("countersign.d.ts")).not.toMatch(/^import /m);
});

test("exports the tool-call gate and every adapter from the npm package", () => {
  const read = (name: string) => readFileSync(join("clients/typescript", name), "utf8");
  const { version, exports, typesVersions } = JSON.parse(read("package.json"));
  const names = readdirSync("lib/client/adapters").flatMap((name) => /^([\w-]+)\.ts$/.exec(name)?.[1] ?? []);
  // Resolvers that do not support `exports` must find the same types.
  expect(typesVersions["*"]).toEqual(
    Object.fromEntries([...names, "gate"].map((name) => [name, [exports[`./${name}`].require.types]])),
  );
  expect(Object.keys(exports).sort()).toEqual(
    [".", "./package.json", ...[...names, "gate"].map((name) => `./${name}`)].sort(),
  );
  expect(read("CHANGELOG.md")).toMatch(headingOf(version));
  for (const name of names) expect(read("README.md")).toContain(`countersign/${name}`);
  expect(read("LICENSE")).toBe(readFileSync("LICENSE", "utf8"));
});

test("includes a license and a changelog for Python and Go", () => {
  const read = (name: string) => readFileSync(join("clients", name), "utf8");
  for (const name of ["python", "go"]) expect(read(`${name}/LICENSE`)).toBe(readFileSync("LICENSE", "utf8"));
  const [, python = ""] = /^version = "(.*)"$/m.exec(read("python/pyproject.toml")) ?? [];
  expect(read("python/CHANGELOG.md")).toMatch(headingOf(python));
  expect(read("python/src/countersign/__init__.py")).toContain(`\n__version__ = "${python}"\n`);
  // A Go module's version is a git tag, so the expected version comes from the example's go.mod.
  const [, go = ""] = /^require \S+ v([\d.]+)$/m.exec(readFileSync("examples/go/go.mod", "utf8")) ?? [];
  expect(read("go/CHANGELOG.md")).toMatch(headingOf(go));
  expect(read("go/client.go")).toContain(`\nconst Version = "${go}"\n`);
});

test("provides the same client calls in TypeScript, Python and Go", () => {
  const client = new Countersign({ baseUrl: "https://a.example", token: "x" });
  const read = (path: string) => readFileSync(join("clients", path), "utf8");
  const go = readdirSync("clients/go")
    .filter((name) => /^[a-z]+\.go$/.test(name))
    .map((name) => read(`go/${name}`))
    .join("\n");
  for (const [field, type] of [
    ["approvals", "Approvals"],
    ["notifications", "Notifications"],
    ["integrations", "Integrations"],
  ] as const) {
    const inTypeScript = Object.keys(client[field]).sort();
    for (const file of ["_client.py", "_async_client.py"]) {
      const [, own = ""] =
        new RegExp(`\\nclass (?:Async)?${type}:([\\s\\S]*?)\\n(?=class )`).exec(
          read(`python/src/countersign/${file}`),
        ) ?? [];
      expect([...own.matchAll(/^ {4}(?:async )?def ([a-z]\w*)/gm)].map(([, name]) => name).sort(), file).toEqual(
        inTypeScript,
      );
    }
    const methods = [...go.matchAll(new RegExp(`^func \\(\\w \\*${type}\\) ([A-Z]\\w*)`, "gm"))];
    expect(methods.map(([, name = ""]) => name.toLowerCase()).sort()).toEqual(inTypeScript);
  }
  for (const name of ["ask", "events", "freeze", "ownerKeys"]) {
    expect(client).toHaveProperty(name);
    const [snake, pascal] = [name.replace("K", "_k"), name.charAt(0).toUpperCase() + name.slice(1)];
    expect(read("python/src/countersign/_client.py")).toContain(`\n    def ${snake}(`);
    expect(go).toContain(`\nfunc (c *Client) ${pascal}(`);
  }
});

const program = `import { type Answer, Countersign, verifyReceipt } from "./countersign.js";
const client = new Countersign({ baseUrl: "http://localhost:3000", token: "x" });
const fromEnvironment: Countersign[] = [new Countersign(), new Countersign({ token: undefined })];
const options = [{ id: "ship", label: "Ship" }];
const answer: Answer = await client.ask({ question: "Ship?", options, timeoutMs: 5, signal: AbortSignal.timeout(1) });
const { data } = await client.approvals.list({ status: "pending", limit: 3 });
const question: string | undefined = data[0]?.question;
for await (const event of client.events()) console.log(fromEnvironment, event.id, question, answer.yes("ship"));
const jws = await client.approvals.receipt("apr_a");
const receipt = await verifyReceipt(jws, { issuer: "https://x.example", audience: "app_a", owner: "own_a", content: { question: "Ship?", options } });
// @ts-expect-error: bound to nothing
await verifyReceipt(jws, { issuer: "https://x.example", audience: "app_a", owner: "own_a" });
if (receipt.yes("ship")) await client.notifications.create({ title: "Shipped" });
// @ts-expect-error: a question needs options
await client.ask({ question: "Ship?" });
`;

test("type-checks an external program against the client's types", () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-types-"));
  cpSync("public/client", folder, { recursive: true });
  writeFileSync(join(folder, "program.mts"), program);
  const flags =
    "--ignoreConfig --noEmit --strict --target es2023 --lib es2023,dom,dom.iterable --module nodenext --types";
  const tsc = [resolve("node_modules/typescript/bin/tsc"), ...flags.split(" "), "", join(folder, "program.mts")];
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  try {
    execFileSync(process.execPath, tsc, { cwd: folder, encoding: "utf8" });
  } catch (error) {
    expect((error as { stdout: string }).stdout).toBe("");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
