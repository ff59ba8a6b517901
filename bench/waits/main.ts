import { parseArgs } from "node:util";
import { crowd } from "./crowd";
import { decisions } from "./decisions";
import { hanging } from "./hanging";
import { openApps } from "./many-apps";

/**
 * `npm run bench:waits [-- --rounds N] [--crowd N]`: how long an answer takes to reach a waiting
 * app, by each method, on one instance and across two. Also measures the cost of many waits for
 * other callers. The result is the printed numbers; slowness fails nothing.
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
