import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { clientArchives } from "./client-archives";
import { clientFiles } from "./client-files";
import { clientTypes } from "./client-types";

const published = (name: string) => readFileSync(join("public/client", name), "utf8");

test("the client's types are those of the OpenAPI document (npm run derive writes them)", () => {
  expect(readFileSync("lib/client/types.ts", "utf8")).toBe(clientTypes());
});

test("the client that is served is the one in lib/client (npm run derive writes it)", { timeout: 60_000 }, async () => {
  const { js, types } = await clientFiles();
  expect(published("countersign.js")).toBe(js);
  expect(published("countersign.d.ts")).toBe(types);
});

test("the packages that are served are those in clients/ (npm run derive writes them)", {
  timeout: 60_000,
}, async () => {
  for (const [name, archive] of Object.entries(await clientArchives())) {
    const served = gunzipSync(readFileSync(join("public/client", name)));
    expect(served.equals(gunzipSync(archive)), name).toBe(true);
  }
});

test("it needs nothing but itself", () => {
  expect(published("countersign.js")).not.toMatch(/^import |\brequire\(|process\.|Buffer/m);
  expect(published("countersign.d.ts")).not.toMatch(/^import /m);
});

test("the npm package names the gate and every adapter, and tells what its version changed", () => {
  const read = (name: string) => readFileSync(join("clients/typescript", name), "utf8");
  const { version, exports, typesVersions } = JSON.parse(read("package.json"));
  const names = readdirSync("lib/client/adapters").flatMap((name) => /^([\w-]+)\.ts$/.exec(name)?.[1] ?? []);
  // Resolvers that do not know exports find the same types.
  expect(typesVersions["*"]).toEqual(
    Object.fromEntries([...names, "gate"].map((name) => [name, [exports[`./${name}`].require.types]])),
  );
  expect(Object.keys(exports).sort()).toEqual(
    [".", "./package.json", ...[...names, "gate"].map((name) => `./${name}`)].sort(),
  );
  expect(read("CHANGELOG.md")).toContain(`\n## ${version}\n`);
  for (const name of names) expect(read("README.md")).toContain(`countersign/${name}`);
  expect(read("LICENSE")).toBe(readFileSync("LICENSE", "utf8"));
});

test("the packages for Python and Go have the licence, and tell what their version changed", () => {
  const read = (name: string) => readFileSync(join("clients", name), "utf8");
  for (const name of ["python", "go"]) expect(read(`${name}/LICENSE`)).toBe(readFileSync("LICENSE", "utf8"));
  const [, python] = /^version = "(.*)"$/m.exec(read("python/pyproject.toml")) ?? [];
  expect(read("python/CHANGELOG.md")).toContain(`\n## ${python}\n`);
  // A module's version is the tag it is published with; the example names the one that is next.
  const [, go] = /countersign v([\d.]+)$/m.exec(readFileSync("examples/go/go.mod", "utf8")) ?? [];
  expect(read("go/CHANGELOG.md")).toContain(`\n## ${go}\n`);
});

const program = `import { type Answer, Countersign, verifyReceipt } from "./countersign.js";
const owner = new Countersign({ baseUrl: "http://localhost:3000", token: "x" });
const fromEnvironment: Countersign[] = [new Countersign(), new Countersign({ token: undefined })];
const options = [{ id: "ship", label: "Ship" }];
const answer: Answer = await owner.ask({ question: "Ship?", options, timeoutMs: 5, signal: AbortSignal.timeout(1) });
const { data } = await owner.approvals.list({ status: "pending", limit: 3 });
const question: string | undefined = data[0]?.question;
for await (const event of owner.events()) console.log(fromEnvironment, event.id, question, answer.yes("ship"));
const jws = await owner.approvals.receipt("apr_a");
const receipt = await verifyReceipt(jws, { issuer: "https://x.example", audience: "app_a", owner: "own_a", content: { question: "Ship?", options } });
// @ts-expect-error: bound to nothing
await verifyReceipt(jws, { issuer: "https://x.example", audience: "app_a", owner: "own_a" });
if (receipt.yes("ship")) await owner.notifications.create({ title: "Shipped" });
// @ts-expect-error: a question needs options
await owner.ask({ question: "Ship?" });
`;

test("a program elsewhere can be written with its types", { timeout: 60_000 }, () => {
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
