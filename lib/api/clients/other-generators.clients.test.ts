import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programs } from "@/lib/testing/clients/others";
import { clientService, patience } from "@/lib/testing/clients/service";
import { testWith } from "@/lib/testing/programs";

const { folder, run, expectToWork, pythonWith } = await clientService();
const inFolder = (name: string, file: string, text: string) => {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, file), text);
  return join(folder, name);
};

testWith(
  ["python3"],
  "openapi-python-client asks, waits, lists, gets and answers",
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
  patience,
);

testWith(
  ["python3"],
  "the models of datamodel-code-generator, which write null for what was not set",
  async () => {
    const bin = await pythonWith("made-by-dcg", ["datamodel-code-generator==0.89.0", "pydantic>=2"]);
    const made = inFolder("dcg", "main.py", programs.datamodelCodeGenerator);
    const how = ["--input", "openapi.json", "--input-file-type", "openapi", "--output", "dcg/models.py"];
    await run(join(bin, "datamodel-codegen"), [...how, "--output-model-type", "pydantic_v2.BaseModel"]);
    await expectToWork(join(bin, "python"), ["main.py"], made);
  },
  patience,
);

testWith(
  ["go"],
  "oapi-codegen",
  async () => {
    const made = inFolder("oapi", "go.mod", "module example.com/countersign\n\ngo 1.24\n");
    inFolder(
      "oapi/client",
      "settings.yaml",
      "package: client\noutput: client/client.go\ngenerate: {models: true, client: true}\n",
    );
    inFolder("oapi/main", "main.go", programs.oapiCodegen);
    const generator = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2";
    await run("go", ["run", generator, "-config", "client/settings.yaml", "../openapi.json"], made);
    await run("go", ["mod", "tidy"], made);
    await run("go", ["vet", "./..."], made);
    await expectToWork("go", ["run", "./main"], made);
  },
  patience,
);

testWith(
  ["npm"],
  "openapi-typescript with openapi-fetch",
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
  patience,
);
