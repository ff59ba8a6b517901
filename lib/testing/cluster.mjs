// `npm run test:cluster`: the service as operators run it where it must not end. Three copies behind HAProxy and nginx, PgBouncer in
// transaction mode, and a Patroni cluster of three servers, all on loopback, with the files of docs/operations. What is missing of
// these programs is brought where that may be; what is skipped is named, with what it takes. Words given narrow it down.
import { check, prove, say, vitest } from "./checks.mjs";

const words = process.argv.slice(2);

await prove(async () => {
  await check("Programs", async () => {
    const { bringPrograms } = await import("./cluster/programs.ts");
    for (const todo of await bringPrograms()) say(todo);
  });
  await check("Behind balancers, and through fail-overs", () => vitest("cluster", ["cluster"], {}, words));
});
