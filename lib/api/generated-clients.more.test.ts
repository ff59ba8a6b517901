import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, expect } from "vitest";
import { startFront } from "@/lib/testing/api";
import { anAppWith } from "@/lib/testing/factories";
import { printed, programs } from "@/lib/testing/generated-clients";
import { runSystem, testWith } from "@/lib/testing/programs";
import { openapiText } from "./openapi";

const version = "7.25.0";
const patience = 900_000;
const { port } = await startFront();
const { token } = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");

/** The service as it may be one day: every object of its replies holds something that nobody knows yet. */
const nextYear = http.createServer(async (req, res) => {
  const body = req.method === "POST" ? await new Response(Readable.toWeb(req) as ReadableStream).text() : undefined;
  const { authorization = "" } = req.headers;
  const headers = { authorization, ...(body && { "content-type": "application/json" }) };
  const reply = await fetch(`http://127.0.0.1:${port}${req.url}`, {
    method: req.method as string,
    headers,
    ...(body && { body }),
  });
  const grown = JSON.parse(await reply.text(), (_, value) =>
    typeof value === "object" && !Array.isArray(value) ? { ...value, newNextYear: { of: "ours" } } : value,
  );
  res.writeHead(reply.status, { "content-type": "application/json" }).end(JSON.stringify(grown));
});
await new Promise<void>((resolve) => nextYear.listen(0, "127.0.0.1", resolve));
afterAll(() => void nextYear.close());
const services = [port, (nextYear.address() as AddressInfo).port].map((each) => [`http://127.0.0.1:${each}`, token]);

/** What a client's program prints, against the service of today and the one of next year. */
async function expectToWork(program: string, args: readonly string[], cwd: string) {
  for (const told of services) expect(lines(await run(program, [...args, ...told], cwd))).toEqual(printed);
}

const folder = mkdtempSync(join(tmpdir(), "countersign-clients-"));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, "openapi.json"), openapiText());

/** Run a program, which has to succeed. @returns what it printed */
async function run(program: string, args: readonly string[], cwd = folder): Promise<string> {
  const { status, out, err } = await runSystem(program, args, { cwd });
  if (status !== 0) throw new Error(`${program} ended with ${status}:\n${out}\n${err}`);
  return out;
}

let fetched: Promise<string> | undefined;
/** The generator comes from Maven, which keeps it for the next time. */
const generator = () =>
  (fetched ??= run("mvn", [
    ...["-q", "-B", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"],
    ...[`-Dartifact=org.openapitools:openapi-generator-cli:${version}`, `-DoutputDirectory=${folder}`],
  ]));

/** A client in a language, as its generator makes it with no settings but names. @returns its folder */
async function clientIn(language: string, ...settings: string[]): Promise<string> {
  await generator();
  const made = join(folder, language);
  const jar = join(folder, `openapi-generator-cli-${version}.jar`);
  await run("java", ["-jar", jar, "generate", "-i", "openapi.json", "-g", language, "-o", made, ...settings]);
  return made;
}

const lines = (out: string) => out.trim().split(/\r?\n/);

testWith(
  ["java", "javac", "mvn"],
  "a generated Java client asks, waits, lists, gets and answers",
  async () => {
    const made = await clientIn("java", "--library", "native");
    writeFileSync(join(made, "Main.java"), programs.java);
    const plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";
    await run("mvn", ["-q", "-B", plugin, "-DincludeScope=compile", "-DoutputDirectory=libraries"], made);
    const path = ["classes", "libraries/*"].join(delimiter);
    await run("javac", ["-d", "classes", "-cp", path, "-sourcepath", "src/main/java", "Main.java"], made);
    await expectToWork("java", ["-cp", path, "Main"], made);
  },
  patience,
);

testWith(
  ["java", "mvn"],
  "a generated TypeScript client (fetch)",
  async () => {
    const made = await clientIn("typescript-fetch");
    writeFileSync(join(made, "main.ts"), programs.typescript);
    writeFileSync(join(made, "package.json"), '{"type":"commonjs"}');
    const modules = join(process.cwd(), "node_modules");
    const how = "--ignoreConfig --strict --target es2022 --lib es2022,dom --module commonjs --types node --outDir out";
    const types = ["--typeRoots", join(modules, "@types")];
    const tsc = join(modules, "typescript/bin/tsc");
    await run(process.execPath, [tsc, ...how.split(" "), ...types, "main.ts"], made);
    await expectToWork(process.execPath, ["out/main.js"], made);
  },
  patience,
);

testWith(
  ["java", "mvn", "python3"],
  "a generated Python client",
  async () => {
    const made = await clientIn("python");
    writeFileSync(join(made, "main.py"), programs.python);
    await run("python3", ["-m", "venv", "venv"], made);
    const python = join(made, "venv/bin/python");
    await run(
      python,
      ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", "requirements.txt"],
      made,
    );
    await expectToWork(python, ["main.py"], made);
  },
  patience,
);

testWith(
  ["java", "mvn", "go"],
  "a generated Go client",
  async () => {
    const made = await clientIn("go", "--additional-properties=withGoMod=false");
    rmSync(join(made, "test"), { recursive: true });
    writeFileSync(join(made, "go.mod"), "module example.com/countersign\n\ngo 1.23\n");
    mkdirSync(join(made, "main"));
    writeFileSync(join(made, "main/main.go"), programs.go);
    await run("go", ["mod", "tidy"], made);
    await run("go", ["vet", "./..."], made);
    await expectToWork("go", ["run", "./main"], made);
  },
  patience,
);
