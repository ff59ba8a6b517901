// `npm test`, or `npm run check` with --fast. Installs what the tests need, such as packages and a
// browser. The tests never touch DATA_DIR or other processes on this machine. With `--slow`, the
// tests run while busy threads slow the machine down: a test that passes only on a quiet machine
// fails here. Other arguments select files, and `--flakiest` selects those that `.ci/run` repeats
// this way.
import { build } from "../cli/prepare-checkout.mjs";
import { slowDown } from "./slow-down.mjs";
import { browser, check, makeFolder, node, playwright, prove, step, vitest } from "./test-runner.mjs";

/** The ten files whose tests depended on a quiet machine most often, until they were mended. */
const flakiest = [
  "lib/alerts/push-alerts.db.test.ts",
  "lib/api/database-outage-waits.db.test.ts",
  "lib/api/wait.db.test.ts",
  "lib/approvals/held-answers.db.test.ts",
  "lib/event-feed/stream.db.test.ts",
  "lib/integrations/account-check-worker.db.test.ts",
  "lib/oauth/refresh.db.test.ts",
  "lib/oauth/token-endpoint.db.test.ts",
  "lib/serving/metrics.db.test.ts",
  "lib/webhooks/delivery-queue.db.test.ts",
];

const args = process.argv.slice(2);
const fast = args.includes("--fast");
const only = [...(args.includes("--flakiest") ? flakiest : []), ...args.filter((word) => !word.startsWith("--"))];

await prove(async () => {
  const stop = args.includes("--slow") ? slowDown() : () => {};
  try {
    await (only.length > 0 ? someFiles() : everything());
  } finally {
    await stop();
  }
});

async function someFiles() {
  const projects = ["unit", "database", "database-engines", "database-together"];
  await check("Unit and database tests", () => vitest("some", projects, {}, only));
}

async function everything() {
  const types = check("Types", async () => {
    await node("next/dist/bin/next", ["typegen"]);
    // Several checkers check the shared types several times, and the tests need the other processors.
    await node("typescript/bin/tsc", ["--checkers", "1"]);
  });
  await Promise.all([types, withoutBuild()]);
  if (fast) return;
  // These run one after another. On two processors, parallel runs would take just as long and cause
  // timeouts in each other.
  const built = await check("Build", () => build(step));
  await asProcesses(built);
  await inBrowser(built);
}

async function withoutBuild() {
  await check("Lint and formatting", () => node("@biomejs/biome/bin/biome", ["check", "--error-on-warnings"]));
  const recorded = { RECORDED_STATEMENTS: makeFolder("statements") };
  // These run in parallel, because the first check uses the CPU and the second mostly waits.
  const passed = await Promise.all([
    check("Unit and database tests", () => vitest("main", ["unit", "database"], recorded)),
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
