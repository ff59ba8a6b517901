// `npm run test:shards`: tests the service with several PostgreSQL databases. The database tests
// run again on two and on four shards with a directory: one half of the files on two, the other
// half on four, and with `--whole` all files on both. Then the service runs with several servers:
// servers that fail, and homes that move while apps ask. Arguments select test files.
import { build } from "../cli/prepare-checkout.mjs";
import { check, prove, step, vitest } from "./test-runner.mjs";

const whole = process.argv.includes("--whole");
const words = process.argv.slice(2).filter((word) => word !== "--whole");

await prove(async () => {
  for (const [half, shards] of ["2", "4"].entries()) {
    const part = whole || words.length > 0 ? words : [`--shard=${half + 1}/2`];
    await check(`Database tests on ${shards} shards`, () =>
      vitest(`on-${shards}-shards`, ["database", "database-engines"], { TEST_SHARDS: shards }, [
        ...part,
        "--passWithNoTests",
      ]),
    );
  }
  if (await check("Build", () => build(step)))
    await check("The service with several servers", () =>
      vitest("shards", ["shards"], {}, [...words, "--passWithNoTests"]),
    );
});
