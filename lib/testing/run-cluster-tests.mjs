// `npm run test:cluster`: runs the service in a high-availability setup on loopback, with the
// configuration files of docs/operations. Three instances run behind HAProxy and nginx, with
// PgBouncer in transaction mode and a Patroni cluster of three servers. Tests whose programs are
// missing and can't be installed are skipped and listed. Arguments select files.
import { check, prove, say, vitest } from "./test-runner.mjs";

const words = process.argv.slice(2);

await prove(async () => {
  await check("Programs", async () => {
    const { bringPrograms } = await import("./cluster/install-cluster-programs.ts");
    for (const todo of await bringPrograms()) say(todo);
  });
  await check("Behind balancers, and through fail-overs", () => vitest("cluster", ["cluster"], {}, words));
});
