import { parseArgs } from "node:util";
import { report } from "./report";
import { measure, type Row } from "./rounds";
import { openStage } from "./stage";

/**
 * `npm run bench [-- --quick] [--only OPERATION]`: submit, get, list(50) and resolve through the running service, beside a bare Fastify + pg
 * server and pgbench on the same database; at a thousand and at a million approvals; medians of three rounds, 32 connections.
 * Ratios of one run are worth reading; seconds of different machines are not.
 */
const { quick, only } = parseArgs({
  options: { quick: { type: "boolean", default: false }, only: { type: "string", multiple: true } },
}).values;
const stage = await openStage();
try {
  const rows: Row[] = [];
  for (const size of quick ? [1_000] : [1_000, 1_000_000]) {
    await stage.fill(size);
    const effort = quick ? { rounds: 1, seconds: 2 } : { rounds: 3, seconds: 5 };
    rows.push(...(await measure(stage, size, { ...effort, only })));
  }
  report(rows, await stage.memory());
} finally {
  await stage.close();
}
