import { parseArgs } from "node:util";
import { decisions } from "./answer-latency";
import { crowd } from "./concurrent-waits";
import { hanging } from "./hanging-receiver";
import { openApps } from "./webhook-apps";

/**
 * `npm run bench:waits [-- --rounds N] [--crowd N]`: how long each method takes to deliver an
 * answer to a waiting app, on one instance and across two. It also measures the cost of many waits
 * for other callers. It prints numbers and never fails for slowness.
 */
const { values } = parseArgs({
  options: { rounds: { type: "string", default: "200" }, crowd: { type: "string", default: "2000" } },
});
const stage = await openApps(200);
try {
  await decisions(stage, Number(values.rounds));
  await hanging(stage, Number(values.rounds));
  await crowd(stage, Number(values.crowd));
} finally {
  await stage.close();
}
