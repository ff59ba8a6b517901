import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { runSystem } from "../test-with-programs";
import { buildArtifacts, commitOf } from "./build-artifacts";
import { dateOf } from "./changelogs";
import { goModuleOf, versionOf } from "./one-version";
import { changedFiles, copyCheckout, prepareRelease } from "./prepare-release";
import { missingFor, publish, publishCommands, readState, refusalOf } from "./publish";

/*
 * `npm run release`: releases the version in package.json. RELEASING.md describes the steps.
 * `--prepare` writes all changes of a release to the checkout. `--dry-run` builds every artifact
 * from a copy of the checkout, and publishes nothing.
 */

const usage = `Usage: npm run release -- [--dry-run | --prepare] [options]

  --dry-run         build all artifacts, and publish nothing
  --prepare         write the version, the dates and the derived files to the checkout
  --out FOLDER      the folder for the artifacts (default: .release)
  --date DATE       the release's date, like 2026-12-01 (default: today)
  --go-module PATH  the Go module's path (default: RELEASE_GO_MODULE, or the path in clients/go/go.mod)
`;

const root = join(import.meta.dirname, "../../..");
/** A reserved path that a dry run uses if no path is set, so that the artifacts are complete. */
const samplePath = "example.com/countersign/clients/go";

const { values: options } = parseArgs({
  args: process.argv.slice(2),
  options: {
    "dry-run": { type: "boolean", default: false },
    prepare: { type: "boolean", default: false },
    out: { type: "string", default: ".release" },
    date: { type: "string", default: new Date().toISOString().slice(0, 10) },
    "go-module": { type: "string", default: process.env.RELEASE_GO_MODULE },
    help: { type: "boolean", default: false },
  },
});
const say = (text: string) => void process.stdout.write(`${text}\n`);
const skip = (reason: string) => say(`Skipped ${reason}`);

async function main(): Promise<void> {
  if (options.help) return say(usage);
  if (!/^\d{4}-\d\d-\d\d$/.test(options.date)) throw new Error("--date must be a date like 2026-12-01.");
  const baseDigest = process.env.RELEASE_BASE_DIGEST || undefined;
  const repository = process.env.RELEASE_REPOSITORY || undefined;
  // A prepared checkout keeps its date.
  const date = dateOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"), versionOf(root)) ?? options.date;
  const choices = { date, goModule: options["go-module"] || undefined, repository, baseDigest };
  if (options.prepare) {
    await prepareRelease(root, choices, skip);
    await makeReleaseDump();
    return say(`Prepared ${versionOf(root)}. Review and commit the changes.`);
  }
  const unset = /^unpublished\.example\//.test(choices.goModule ?? goModuleOf(root));
  if (options["dry-run"] && unset) {
    choices.goModule = samplePath;
    skip(`the Go module's real path: RELEASE_GO_MODULE is not set. The artifacts use ${samplePath}.`);
  }
  const copy = copyCheckout(root);
  try {
    await prepareRelease(copy, choices, skip);
    if (!options["dry-run"]) refuseUnlessComplete(copy);
    const to = emptyFolder(resolve(root, options.out));
    const origin = { date, commit: commitOf(root), repository };
    const facts = await buildArtifacts(copy, to, origin, skip);
    say(`\nBuilt ${facts.version} in ${relative(process.cwd(), to) || "."}:`);
    for (const file of facts.files) say(`  ${file}`);
    say(`The Go module's sum is ${facts.goSum}.`);
    const commands = publishCommands(to, facts, process.env);
    if (!options["dry-run"]) return publish(commands, root);
    say("\nThese commands would publish the release:");
    for (const { program, args } of commands) say(`  ${program} ${args.join(" ")}`);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** Keeps a database that this version filled, from which later versions test their upgrade. */
async function makeReleaseDump(): Promise<void> {
  const program = "lib/testing/upgrades/make-release-dump.ts";
  const { status, err } = await runSystem(process.execPath, ["lib/cli/run-typescript.mjs", program], { cwd: root });
  if (status !== 0) throw new Error(`The dump of this version failed:\n${err}`);
}

/** @throws if the release lacks an account, a key, or a step of RELEASING.md */
function refuseUnlessComplete(copy: string): void {
  const facts = {
    version: versionOf(root),
    goModule: goModuleOf(root),
    changed: changedFiles(root, copy),
    dockerfile: readFileSync(join(root, "deploy/Dockerfile"), "utf8"),
  };
  const missing = missingFor(readState(root, facts));
  if (missing.length > 0) throw new Error(refusalOf(facts.version, missing));
}

/** Empties a folder that only earlier runs filled. @throws if the folder contains other files */
function emptyFolder(folder: string): string {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return folder;
  if (!existsSync(join(folder, "SHA256SUMS")))
    throw new Error(`${folder} contains other files. Choose an empty folder with --out.`);
  rmSync(folder, { recursive: true });
  return folder;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
