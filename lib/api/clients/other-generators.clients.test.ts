import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe } from "vitest";
import { programs } from "@/lib/testing/clients/others";
import { clientService, clientTestTimeoutMs } from "@/lib/testing/clients/service";
import { testWith } from "@/lib/testing/programs";

const { folder, run, fromMaven, expectToWork, pythonWith } = await clientService();
const inFolder = (name: string, file: string, text: string) => {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, file), text);
  return join(folder, name);
};

testWith(
  ["python3"],
  "works with openapi-python-client",
  async () => {
    const bin = await pythonWith("made-by-opc", ["openapi-python-client==0.29.1", "httpx", "attrs"]);
    const made = inFolder("opc", "main.py", programs.openapiPythonClient);
    const generator = join(bin, "openapi-python-client");
    const how = ["--path", "openapi.json", "--overwrite", "--meta", "none"];
    await run(generator, ["generate", ...how, "--output-path", "opc/countersign_client"], folder, {
      PATH: `${bin}:${process.env.PATH}`,
    });
    await expectToWork(join(bin, "python"), ["main.py"], made);
  },
  clientTestTimeoutMs,
);

testWith(
  ["python3"],
  "works with datamodel-code-generator, which writes null for unset fields",
  async () => {
    const bin = await pythonWith("made-by-dcg", ["datamodel-code-generator==0.89.0", "pydantic>=2"]);
    const made = inFolder("dcg", "main.py", programs.datamodelCodeGenerator);
    const how = ["--input", "openapi.json", "--input-file-type", "openapi", "--output", "dcg/models.py"];
    await run(join(bin, "datamodel-codegen"), [...how, "--output-model-type", "pydantic_v2.BaseModel"]);
    await expectToWork(join(bin, "python"), ["main.py"], made);
  },
  clientTestTimeoutMs,
);

testWith(
  ["java", "javac", "mvn"],
  "works with swagger-codegen for Java, from the OpenAPI 3.0 description",
  async () => {
    const jar = await fromMaven("io.swagger.codegen.v3", "swagger-codegen-cli", "3.0.61");
    const how = ["-i", "openapi-3.0.json", "-l", "java", "-o", "swagger-codegen", "--library", "okhttp4-gson"];
    await run("java", ["-jar", jar, "generate", ...how]);
    const made = inFolder("swagger-codegen", "Main.java", programs.swaggerCodegen);
    // The generator's own list of requirements omits this package.
    const annotations = await fromMaven("javax.annotation", "javax.annotation-api", "1.3.2");
    const plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";
    await run("mvn", ["-q", "-B", plugin, "-DincludeScope=compile", "-DoutputDirectory=libraries"], made);
    const path = ["classes", "libraries/*", annotations].join(delimiter);
    await run("javac", ["-d", "classes", "-cp", path, "-sourcepath", "src/main/java", "Main.java"], made);
    await expectToWork("java", ["-cp", path, "Main"], made);
  },
  clientTestTimeoutMs,
);

describe.each(["openapi.json", "openapi-3.0.json"])("with %s", (description) =>
  testWith(
    ["go"],
    "oapi-codegen",
    async () => {
      const made = inFolder(`oapi-${description}`, "go.mod", "module example.com/countersign\n\ngo 1.24\n");
      inFolder(
        `oapi-${description}/client`,
        "settings.yaml",
        "package: client\noutput: client/client.go\ngenerate: {models: true, client: true}\n",
      );
      inFolder(`oapi-${description}/main`, "main.go", programs.oapiCodegen);
      const generator = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2";
      await run("go", ["run", generator, "-config", "client/settings.yaml", `../${description}`], made);
      await run("go", ["mod", "tidy"], made);
      await run("go", ["vet", "./..."], made);
      await expectToWork("go", ["run", "./main"], made);
    },
    clientTestTimeoutMs,
  ),
);

testWith(
  ["npm"],
  "works with openapi-typescript and openapi-fetch",
  async () => {
    const made = inFolder("openapi-typescript", "main.ts", programs.openapiTypescript);
    inFolder("openapi-typescript", "package.json", '{"type":"module","private":true}');
    const packages = ["openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3", "@types/node@20.19.43"];
    await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--save-exact", ...packages], made);
    await run("npx", ["openapi-typescript", "../openapi.json", "-o", "countersign.d.ts"], made);
    const how = "--strict --target es2022 --lib es2022,dom --module nodenext --types node --outDir out main.ts";
    await run("npx", ["tsc", ...how.split(" ")], made);
    await expectToWork(process.execPath, ["out/main.js"], made);
  },
  clientTestTimeoutMs,
);
