// `npm run test:shards`: tests the service with several PostgreSQL databases. The database tests
// run again with a directory and shards: half of the files on two shards, the other half on four,
// and with `--whole` more files, all on both. The tests of the service and its commands as processes
// run again on two shards. Then the service runs with several servers: servers that fail, and homes
// that move while apps ask. Arguments select test files.
import { build } from "../cli/prepare-checkout.mjs";
import { check, prove, step, vitest } from "./test-runner.mjs";

const whole = process.argv.includes("--whole");
const words = process.argv.slice(2).filter((word) => word !== "--whole");

await prove(async () => {
  const TEST_WHOLE = whole || words.length > 0 ? "1" : "";
  const halves = [
    ["2", "--shard=1/2"],
    ["4", "--shard=2/2"],
  ];
  const onShards = halves.map(([shards, half]) => {
    const part = whole || words.length > 0 ? words : [half];
    const projects = ["database", "database-engines"];
    return check(`Database tests on ${shards} shards`, () =>
      vitest(`on-${shards}-shards`, projects, { TEST_SHARDS: shards, TEST_WHOLE }, [...part, "--passWithNoTests"]),
    );
  });
  // These run in parallel, because they often wait, and each has its own PostgreSQL.
  await Promise.all(onShards);
  if (!(await check("Build", () => build(step)))) return;
  const some = [...words, "--passWithNoTests"];
  await check("Service and commands on 2 shards", () =>
    vitest("processes-on-2-shards", ["process"], { TEST_SHARDS: "2", TEST_WHOLE }, some),
  );
  await check("The service with several servers", () => vitest("shards", ["shards"], {}, some));
});
