// `npm run test:history`: apps, owners, pages and webhooks use two instances with two shards, while
// instances, databases, the network, the clock and a disk fail. Then the checker (lib/testing/history)
// checks everything that they did and saw. docs/reliability.md describes the checks.
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { run as runProgram } from "../cli/child-program.mjs";
import { build, root } from "../cli/prepare-checkout.mjs";
import { removeLeftovers } from "./leftover-folders.mjs";

const usage = `Usage: npm run test:history -- [options]

  --minutes N   how long the clients run (default: 2)
  --seed N      the seed of all choices, to repeat those of an earlier run (default: random)
  --save        keep the history although it has no problem
  --check FILE  check a stored history again, and run nothing
  --release V   begin with the database that the release V filled (lib/testing/upgrades/dumps)
  --former REF  switch the instances between this version and a former one, a tag or a commit
`;

// Read before the test runner replaces the temporary folder by one that it removes.
const kept = tmpdir();
const { browser, check, prove, say, step } = await import("./test-runner.mjs");

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "2" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1e9)) },
    save: { type: "boolean", default: false },
    check: { type: "string" },
    release: { type: "string" },
    former: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
const [minutes, seed] = [Number(options.minutes), Number(options.seed)];
if (options.help || !(minutes > 0) || !Number.isInteger(seed)) {
  say(usage);
  process.exit(options.help ? 0 : 2);
}

let interrupted = false;
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => (interrupted = true));

await prove(async () => {
  await removeLeftovers(root);
  const { check: stored } = options;
  if (stored !== undefined) {
    await check("Checking the history", () => checkStored(stored));
    return;
  }
  if (!(await check("Browser", browser)) || !(await check("Build", () => build(step)))) return;
  await check(`History of ${minutes} minutes with the seed ${seed}`, run);
});

/** @param {string} file */
async function checkStored(file) {
  const [{ checkHistory }, { fromLines }] = await Promise.all([
    import("./history/checker.ts"),
    import("./history/history.ts"),
  ]);
  return report(checkHistory(fromLines(readFileSync(file, "utf8"))), file);
}

async function run() {
  const { runHistory } = await import("./history/run-history.ts");
  const { readRelease } = await import("./upgrades/release-dumps.ts");
  const file = join(kept, `countersign-history-${seed}.jsonl`);
  const dump = options.release === undefined ? undefined : readRelease(options.release);
  const former = options.former === undefined ? undefined : await buildFormer(options.former);
  try {
    const upgrade = { dump, former: former?.folder };
    return report(await runHistory({ minutes, seed, say, isInterrupted: () => interrupted, ...upgrade }, file), file);
  } finally {
    former?.remove();
  }
}

/** @param {string} version */
async function buildFormer(version) {
  const { checkOutVersion } = await import("./former-version.ts");
  const checkedOut = checkOutVersion(version);
  const { folder, remove } = checkedOut;
  try {
    await step(`Build of ${version}`, () => runProgram(process.execPath, [join(folder, "lib/cli/build.mjs")]));
    if (interrupted) throw new Error("The run was interrupted.");
    return checkedOut;
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Prints what was checked.
 * @param {import("./history/checker.ts").Verdict} verdict
 * @param {string} file
 * @throws if there are problems
 */
async function report({ problems, counts }, file) {
  say("");
  for (const [name, count] of Object.entries({ ...counts, problems: problems.length }))
    say(`  ${name.padEnd(12)} ${String(count).padStart(8)}`);
  if (problems.length === 0) {
    if (options.save || options.check) say(`The history is in ${file}.`);
    else (await import("node:fs")).rmSync(file);
    return { passed: Object.values(counts).reduce((sum, count) => sum + count, 0) };
  }
  const shown = problems.slice(0, 50).map((problem) => `  ${problem}`);
  if (shown.length < problems.length) shown.push(`  … and ${problems.length - shown.length} more`);
  const said = `${shown.join("\n")}\nThe history is in ${file}. Check it again with --check ${file}.`;
  throw Object.assign(new Error("The history has problems."), { said });
}
