import { report } from "./report";
import { measure, type Row } from "./rounds";
import { openStage } from "./stage";

/**
 * `npm run bench [-- --quick]`: submit, get, list(50) and resolve through the running service, beside a bare Fastify + pg
 * server and pgbench on the same database; at a thousand and at a million approvals; medians of three rounds, 32 connections.
 * Ratios of one run are worth reading; seconds of different machines are not.
 */
const quick = process.argv.includes("--quick");
const stage = await openStage();
try {
  const rows: Row[] = [];
  for (const size of quick ? [1_000] : [1_000, 1_000_000]) {
    await stage.fill(size);
    rows.push(...(await measure(stage, size, quick ? { rounds: 1, seconds: 2 } : { rounds: 3, seconds: 3 })));
  }
  report(rows, await stage.memory());
} finally {
  await stage.close();
}
