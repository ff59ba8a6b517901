import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { clientService, clientTestTimeoutMs } from "@/lib/testing/clients/generated-client-service";
import { programs } from "@/lib/testing/clients/openapi-generator-programs";
import { testWith } from "@/lib/testing/test-with-programs";

const version = "7.25.0";
const { folder, run, fromMaven, expectToWork } = await clientService();

let fetched: Promise<string> | undefined;
const generator = () => (fetched ??= fromMaven("org.openapitools", "openapi-generator-cli", version));

/** Generates a client in one language with default settings. @returns its folder */
async function clientIn(language: string, ...settings: string[]): Promise<string> {
  const jar = await generator();
  const made = join(folder, language);
  await run("java", ["-jar", jar, "generate", "-i", "openapi.json", "-g", language, "-o", made, ...settings]);
  return made;
}

testWith(
  ["java", "javac", "mvn"],
  "serves a generated Java client",
  async () => {
    const made = await clientIn("java", "--library", "native");
    writeFileSync(join(made, "Main.java"), programs.java);
    const plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";
    await run("mvn", ["-q", "-B", plugin, "-DincludeScope=compile", "-DoutputDirectory=libraries"], made);
    const path = ["classes", "libraries/*"].join(delimiter);
    await run("javac", ["-d", "classes", "-cp", path, "-sourcepath", "src/main/java", "Main.java"], made);
    await expectToWork("java", ["-cp", path, "Main"], made);
  },
  clientTestTimeoutMs,
);

testWith(
  ["java", "mvn"],
  "serves a generated TypeScript client",
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
  clientTestTimeoutMs,
);

testWith(
  ["java", "mvn", "python3"],
  "serves a generated Python client",
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
  clientTestTimeoutMs,
);

testWith(
  ["java", "mvn", "go"],
  "serves a generated Go client",
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
  clientTestTimeoutMs,
);
