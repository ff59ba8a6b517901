// `npm run test:shards`: tests the service with several PostgreSQL servers: servers that fail, and
// homes that move while apps ask. Arguments select test files.
import { build } from "../cli/prepare-checkout.mjs";
import { check, prove, step, vitest } from "./test-runner.mjs";

const words = process.argv.slice(2);

await prove(async () => {
  if (await check("Build", () => build(step)))
    await check("The service with several servers", () => vitest("shards", ["shards"], {}, words));
});
