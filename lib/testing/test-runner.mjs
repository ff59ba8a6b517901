// The code that `npm run check`, `npm test` and the other test commands share. It runs checks and
// counts their tests.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { run } from "../cli/child-program.mjs";
import { describeError } from "../cli/describe-error.mjs";
import { generate, install, nodeTooOld, root } from "../cli/prepare-checkout.mjs";
import { seconds } from "../cli/progress.mjs";
import { unmountIn } from "./leftover-folders.mjs";
import { endLeftRunning } from "./leftover-processes.mjs";
import { memoryFolder } from "./memory-folder.mjs";

/** The temporary folder outside of this run, for a program that keeps files after the run. */
export const outside = { TMPDIR: process.env.TMPDIR };
// The temporary folder of this run. Its name identifies leftover processes, and a database server
// under another account also stores data in it. The name is short because the paths of sockets must
// be short.
const folder = mkdtempSync(join(process.env.TMPDIR ?? memoryFolder() ?? tmpdir(), "csn-"));
chmodSync(folder, 0o711);
process.env.TMPDIR = folder;
const reports = mkdtempSync(join(folder, "reports-"));
const total = { passed: 0, failed: 0 };
const began = performance.now();

// Ctrl-C also reaches child processes. This process still cleans up, but starts no further checks.
let interrupted = false;
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => (interrupted = true));

/**
 * Creates a folder that is removed at the end of the run.
 * @param {string} name
 */
export const makeFolder = (name) => mkdtempSync(join(folder, `${name}-`));

/** @param {string} line */
export const say = (line) => void process.stdout.write(`${line}\n`);

/**
 * Installs what the tests need, runs the tests, prints the counts, and exits.
 * @param {() => Promise<void>} tests
 */
export async function prove(tests) {
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
  try {
    await install(step, { tests: true });
    await generate(step);
    const { register } = await import("tsx/esm/api");
    register({ tsconfig: join(root, "tsconfig.json") });
    // Settings in the developer's environment must not affect the tests.
    const { settingNames } = await import("../config/env.ts");
    for (const name of settingNames) delete process.env[name];
    await tests();
  } catch (error) {
    total.failed++;
    say(/** @type {{ said?: string }} */ (error).said ?? "");
    say(describeError(error));
  } finally {
    await endOwn();
  }
  say(`\n${total.passed} passed, ${total.failed} failed in ${seconds(began)} s`);
  process.exit(total.failed === 0 && !interrupted ? 0 : 1);
}

/**
 * Ends the processes that are still running, unmounts the run's disks, and removes the run's files.
 * Each such process counts as a failure.
 */
async function endOwn() {
  const left = await endLeftRunning(folder, 20_000);
  for (const each of left) say(`Left running, and ended now: ${each}`);
  total.failed += left.length;
  unmountIn(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * Runs work that may overlap with other work. Prints a line when the work begins, and the duration
 * when it ends.
 * @template T
 * @param {string} label
 * @param {import("../cli/progress.mjs").Work<T>} work
 * @returns {Promise<T>}
 */
export async function step(label, work) {
  const began = performance.now();
  say(`${label} …`);
  try {
    return await work(
      (line) => say(`${label}: ${line}`),
      () => {},
    );
  } finally {
    say(`${label}: ${seconds(began)} s`);
  }
}

/**
 * Runs one check. If the check fails, prints its whole output.
 * @param {string} label
 * @param {() => Promise<unknown>} work may return the number of tests
 * @returns {Promise<boolean>} whether the check passed
 */
export async function check(label, work) {
  if (interrupted) return false;
  try {
    add(await step(label, work));
    return true;
  } catch (error) {
    const { said, counts } = /** @type {{ said?: string, counts?: Counts }} */ (error);
    if (counts?.failed) add(counts);
    else total.failed++;
    say(`${label}: FAILED\n${said ?? describeError(error)}`);
    return false;
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
 * @param {string} name
 * @param {string[]} projects
 * @param {Record<string, string>} [environment]
 * @param {readonly string[]} [only] parts of the files' paths
 * @param {string} [config]
 */
export function vitest(name, projects, environment = {}, only = [], config = "lib/testing/vitest.config.ts") {
  const report = join(reports, `${name}.json`);
  const chosen = projects.flatMap((project) => ["--project", project]);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const args = ["run", ...only, "--config", config, ...chosen, ...reporters];
  return counted(node("vitest/vitest.mjs", args, environment), () => {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
    for (const title of skippedIn(testResults)) say(`Skipped: ${title}`);
    return { passed: numPassedTests, failed: numFailedTests };
  });
}

/** @param {{ assertionResults: { status: string, fullName: string }[] }[]} files */
const skippedIn = (files) =>
  files.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === "skipped").map(({ fullName }) => fullName),
  );

/**
 * Runs a configuration's tests in the browser.
 * @param {string} config
 * @param {Record<string, string>} [environment]
 */
export function playwright(config, environment = {}) {
  const report = join(reports, `${config.replaceAll("/", "-")}.json`);
  const args = ["test", "--config", config];
  return counted(node("@playwright/test/cli.js", args, { ...environment, E2E_REPORT: report }), () => {
    const { stats, suites } = JSON.parse(readFileSync(report, "utf8"));
    for (const { title, first } of flakyIn(suites)) say(`Passed only at the second try: ${title}\n${first}`);
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
  });
}

/** @typedef {{ status: string, results: { error?: { message?: string, location?: { line: number } } }[] }} Tried */
/** @typedef {{ title: string, suites?: Suite[], specs?: { title: string, tests: Tried[] }[] }} Suite */

/**
 * Returns the titles of tests that passed only on the second attempt, each with its first error.
 * @param {Suite[]} suites
 * @returns {{ title: string, first: string }[]}
 */
function flakyIn(suites) {
  return suites.flatMap(({ title, suites = [], specs = [] }) => [
    ...specs.flatMap((spec) =>
      spec.tests
        .filter(({ status }) => status === "flaky")
        .map(({ results }) => ({ title: `${title}: ${spec.title}`, first: wordsOf(results[0]?.error) })),
    ),
    ...flakyIn(suites),
  ]);
}

/** @param {Tried["results"][number]["error"]} error */
const wordsOf = ({ message = "", location } = {}) =>
  stripVTControlCharacters(`  line ${location?.line}: ${message}`).split("\n").slice(0, 8).join("\n  ");

/**
 * Returns the counts in a program's report. If the program fails, adds the counts to the thrown
 * error.
 * @param {Promise<string>} work
 * @param {() => Counts} read
 */
async function counted(work, read) {
  try {
    await work;
  } catch (error) {
    try {
      Object.assign(/** @type {object} */ (error), { counts: read() });
    } catch {
      // The program failed before it wrote the report.
    }
    throw error;
  }
  return read();
}

/** @param {string} program in node_modules @param {string[]} args @param {Record<string, string>} [environment] */
export function node(program, args, environment = {}) {
  return run(process.execPath, [join(root, "node_modules", program), ...args], environment);
}

/** Provides the browser for tests. Installs missing parts, or explains how to install them. */
export async function browser() {
  const { findChromium, installChromium, lighterToHave } = await import("./find-chromium.ts");
  const todo = findChromium() && !lighterToHave() ? undefined : installChromium();
  if (todo) throw new Error(todo);
}
