import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { npmFolder } from "../npm-install-folder";
import { runSystem, testWith } from "../test-with-programs";
import { vectorFiles } from "./vectors";

/** Prints the names of the vectors with unexpected verdicts, and the number of vectors. */
const program = `
const { checks: usual, vectors } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const main = async () => {
  const wrong = [];
  for (const { name, resolution, checks, refused = "accepted" } of vectors) {
    const given = Object.entries({ ...usual, ...checks }).filter(([, value]) => value !== null);
    const said = await verifySignedAnswer(resolution, Object.fromEntries(given)).then(
      () => "accepted",
      (error) => (error instanceof VerificationError ? error.message : "another error"),
    );
    if (!said.includes(refused.slice(1))) wrong.push([name, said]);
  }
  console.log(JSON.stringify(wrong), vectors.length > 100);
};
main();
`;

testWith(["npm"], "verifies signed answers in all supported versions of Node.js", async (skip) => {
  const node = `npm:node-${process.platform}-${process.arch}`;
  const { folder } = await npmFolder({ "node-18": `${node}@18.20.8`, "node-22": `${node}@22.23.3` }, skip);
  const [names, fs] = ["{ VerificationError, verifySignedAnswer }", "{ readFileSync }"];
  writeFileSync(
    join(folder, "main.mjs"),
    `import ${names} from "countersign";\nimport ${fs} from "node:fs";${program}`,
  );
  const common = `const ${names} = require("countersign");\nconst ${fs} = require("node:fs");${program}`;
  writeFileSync(join(folder, "main.cjs"), common);
  const nodes = ["18", "22"].map((version) => join(folder, `node_modules/node-${version}/bin/node`));
  for (const node of [process.execPath, ...nodes]) {
    for (const file of ["main.mjs", "main.cjs"]) {
      const { status, out, err } = await runSystem(node, [file, resolve(vectorFiles[0])], { cwd: folder });
      expect([node, file, status, out], err).toEqual([node, file, 0, "[] true\n"]);
    }
  }
});
