// `npm run test:shards`: repeats database tests with several databases (a directory that stores no
// owner, and shards that share the homes), and tests the service with several PostgreSQL servers.
// Arguments select test files.
import { build } from "../cli/prepare-checkout.mjs";
import { check, prove, step, vitest } from "./test-runner.mjs";

const words = process.argv.slice(2);

/** The tests of the contract: what apps and owners can rely on. */
const contract = ["lib/api", "lib/approvals/approvals", "lib/approvals/answer", "lib/event-feed", "lib/oauth"];

await prove(async () => {
  await check("Database tests with two shards", () => vitest("two", ["database"], { TEST_SHARDS: "2" }, words));
  if (words.length === 0)
    await check("Contract tests with four shards", () => vitest("four", ["database"], { TEST_SHARDS: "4" }, contract));
  if (await check("Build", () => build(step)))
    await check("The service with several servers", () => vitest("shards", ["shards"], {}, words));
});
