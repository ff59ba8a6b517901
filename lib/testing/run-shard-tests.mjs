// `npm run test:shards`: repeats database tests with several databases (a directory that stores no
// owner, and shards that share the homes), and tests the service with several PostgreSQL servers.
// Arguments select test files.
import { build } from "../cli/prepare-checkout.mjs";
import { check, prove, step, vitest } from "./test-runner.mjs";

const words = process.argv.slice(2);

/** The tests of the contract: what apps and owners can rely on. */
const contract = ["lib/api", "lib/approvals/approvals", "lib/approvals/answer", "lib/event-feed", "lib/oauth"];

/**
 * Runs database tests with several databases, in parallel processes. Each has its own server,
 * because the first copy of a table waits for all transactions of a server.
 * @param {number} shards
 * @param {string[]} only
 */
const onShards = (shards, only) =>
  Promise.all(
    [1, 2, 3].map((part) =>
      check(`Database tests with ${shards} shards, part ${part} of 3`, () =>
        vitest(`shards-${shards}-${part}`, ["database"], { TEST_SHARDS: String(shards) }, [
          ...only,
          `--shard=${part}/3`,
          "--maxWorkers=1",
          "--passWithNoTests",
        ]),
      ),
    ),
  );

await prove(async () => {
  await onShards(2, words);
  if (words.length === 0) await onShards(4, contract);
  if (await check("Build", () => build(step)))
    await check("The service with several servers", () => vitest("shards", ["shards"], {}, words));
});
