// `npm run test:more`: what tests need Java, Go, Python or curl for. A test whose program is missing here is skipped and says so.
// Words given narrow it down: `npm run test:more -- front`.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { generate, install, nodeTooOld, root } from "../cli/prepare.mjs";
import { progress } from "../cli/progress.mjs";

const { say, step } = progress();
const problem = nodeTooOld();
if (problem) {
  say(problem);
  process.exit(1);
}
await install(step, { tests: true });
await generate(step);
const { register } = await import("tsx/esm/api");
register({ tsconfig: join(root, "tsconfig.json") });
// What the operator set for the service is not for its tests.
const { settingNames } = await import("../env.ts");
for (const name of settingNames) delete process.env[name];

const vitest = join(root, "node_modules/vitest/vitest.mjs");
const args = [
  "run",
  "--config",
  "lib/testing/vitest.config.ts",
  "--project",
  "more",
  "--reporter=verbose",
  "--passWithNoTests",
];
const child = spawn(process.execPath, [vitest, ...args, ...process.argv.slice(2)], { cwd: root, stdio: "inherit" });
child.on("close", (code) => process.exit(code ?? 1));
