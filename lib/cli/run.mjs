// Runs one of our TypeScript programs: `node lib/cli/run.mjs <file> [argument…]`. What is missing is installed first; stdout
// is left to the program.
import "./flags.mjs";
import { pathToFileURL } from "node:url";
import { Failed, generate, install, nodeTooOld, readEnvFile, root } from "./prepare.mjs";
import { progress } from "./progress.mjs";
import { sentence } from "./sentence.mjs";

const file = process.argv[2] ?? "";
const { step } = progress(process.stderr);

const problem = nodeTooOld();
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
process.env.NODE_ENV ??= "production";
process.chdir(root);
readEnvFile();

try {
  await install(step, { tests: /^(bench|lib\/testing)\//.test(file) });
  await generate(step);
  const { register } = await import("tsx/esm/api");
  register({ tsconfig: `${root}/tsconfig.json` });
  process.argv.splice(1, 2, file);
  await import(pathToFileURL(`${root}/${file}`).href);
} catch (error) {
  if (error instanceof Failed) process.stderr.write(error.said);
  process.stderr.write(`${sentence(error)}\n`);
  process.exit(1);
}
