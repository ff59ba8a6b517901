// Runs one of our TypeScript programs: `node lib/cli/run-typescript.mjs <file> [argument…]`.
// Installs missing packages first. Leaves stdout to the program.
import "./v8-flags.mjs";
import { pathToFileURL } from "node:url";
import { Failed } from "./child-program.mjs";
import { describeError } from "./describe-error.mjs";
import { bundle, generate, install, nodeTooOld, programs, readEnvFile, root } from "./prepare-checkout.mjs";
import { progress } from "./progress.mjs";

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
  const at = programs.includes(file) ? await bundle(step) : await translated();
  process.argv.splice(1, 2, file);
  await import(at(file));
} catch (error) {
  if (error instanceof Failed) process.stderr.write(error.said);
  process.stderr.write(`${describeError(error)}\n`);
  process.exit(1);
}

/**
 * Loads tsx, which compiles each program when it is loaded. Operators don't have tsx, so only
 * developers can run these programs.
 */
async function translated() {
  const { register } = await import("tsx/esm/api");
  register({ tsconfig: `${root}/tsconfig.json` });
  return (/** @type {string} */ program) => pathToFileURL(`${root}/${program}`).href;
}
