// `npm test`, or `npm run check` with --fast. Installs what the tests need, such as packages and a
// browser. The tests never touch DATA_DIR or other processes on this machine.
import { build } from "../cli/prepare-checkout.mjs";
import { browser, check, makeFolder, node, playwright, prove, step, vitest } from "./test-runner.mjs";

const fast = process.argv.includes("--fast");

await prove(async () => {
  const types = check("Types", async () => {
    await node("next/dist/bin/next", ["typegen"]);
    await node("typescript/bin/tsc", []);
  });
  await Promise.all([types, withoutBuild()]);
  if (fast) return;
  // These run one after another. On two processors, parallel runs would take just as long and cause
  // timeouts in each other.
  const built = await check("Build", () => build(step));
  await asProcesses(built);
  await inBrowser(built);
});

async function withoutBuild() {
  await check("Lint and formatting", () => node("@biomejs/biome/bin/biome", ["check", "--error-on-warnings"]));
  const recorded = { RECORDED_STATEMENTS: makeFolder("statements") };
  // These run in parallel, because the first check uses the CPU and the second mostly waits.
  const passed = await Promise.all([
    check("Unit and database tests", () => vitest("main", ["unit", "database", "database-together"], recorded)),
    check("Database tests of engines", () => vitest("engines", ["database-engines"], recorded)),
  ]);
  if (passed.every(Boolean)) await check("Plans of statements", () => vitest("plans", ["plans"], recorded));
}

/** @param {boolean} built */
async function asProcesses(built) {
  const descriptions = ["public/openapi.json", "public/openapi-3.0.json"];
  await check("OpenAPI documents", () =>
    node("@redocly/cli/bin/cli.js", ["lint", "--extends=recommended", ...descriptions]),
  );
  if (built) await check("Service and commands", () => vitest("process", ["process"]));
}

/** @param {boolean} built */
async function inBrowser(built) {
  if ((await check("Browser", browser)) && built) {
    await check("End-to-end tests", () => playwright("e2e/playwright.config.ts"));
  }
}
