// `npm run test:cluster`: tests a high-availability setup on this machine with the configuration
// files of docs/operations. Three instances run behind HAProxy and nginx, with PgBouncer and a
// Patroni cluster of three servers. Two shards run behind SPQR. Skips and lists tests whose programs
// are not installed and can't be.
// Arguments select test files.
import { check, prove, say, vitest } from "./test-runner.mjs";

const words = process.argv.slice(2);

await prove(async () => {
  await check("Programs", async () => {
    const { bringPrograms } = await import("./cluster/install-cluster-programs.ts");
    for (const todo of await bringPrograms()) say(todo);
  });
  await check("Behind balancers, and through fail-overs", () => vitest("cluster", ["cluster"], {}, words));
});
