import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import pg from "pg";
import { resetEnv } from "@/lib/config/env";
import { closeDb } from "@/lib/database/db";
import { closePubsub } from "@/lib/events/pubsub";
import { migrate } from "@/lib/postgres/migrations";
import { anApp, anOwner, aTokenFor } from "@/lib/testing/factories";
import { throwawayPostgres } from "@/lib/testing/temporary-postgres";
import { aReceiver } from "@/lib/testing/webhook-receiver";
import { addEndpoint } from "@/lib/webhooks/endpoints";
import { end, secret, startOurs } from "../benchmark-servers";
import { rounded, table } from "../pages/table";
import { cpuSeconds, resident } from "../process-usage";
import { slopeOf } from "./linear-fit";
import { mix } from "./request-mix";

/**
 * `npm run bench:soak [-- --minutes 60] [--rate 70]`: a long, ordinary load on one instance with
 * its own durable database. It prints the instance's resource use each minute. At the end, it
 * prints the growth after the first quarter. In that quarter, caches fill and hot code is compiled.
 * It fails for a 5xx or a lost response, never for slowness.
 */
const { values } = parseArgs({
  options: { minutes: { type: "string", default: "60" }, rate: { type: "string", default: "70" } },
});
const [minutes, rate] = [Number(values.minutes), Number(values.rate)];
const sampleEvery = 5_000;

const { url, end: endPostgres } = await throwawayPostgres([]);
await migrate(url);
const receiver = await aReceiver();
Object.assign(process.env, { DATABASE_URL: url, SECRET: secret, PUBLIC_URL: "http://localhost:3000" });
process.env.ALLOW_PRIVATE_FETCH = receiver.origin;
resetEnv();
const owner = await anOwner();
const tokens: string[] = [];
for (let at = 0; at < 10; at++) {
  const { clientId } = await anApp(owner);
  await addEndpoint(owner, clientId, {
    url: `${receiver.origin}/${at}`,
    types: ["approval.submitted", "approval.resolved"],
  });
  const scopes = ["approvals:write", "approvals:read", "approvals:resolve", "notifications:write"] as const;
  tokens.push((await aTokenFor(owner, clientId, [...scopes])).token);
}
await closePubsub();
await closeDb();
const { child, port } = await startOurs(url);
const sql = new pg.Client({ connectionString: url });
sql.on("error", () => {});
await sql.connect();

type Sample = { hours: number; resident: number; descriptors: number; connections: number };
const samples: Sample[] = [];
const began = performance.now();
const hours = () => (performance.now() - began) / 3_600_000;

async function sample() {
  const { rows } = await sql.query<{ count: number }>(
    "SELECT count(*)::int FROM pg_stat_activity WHERE application_name LIKE 'countersign%'",
  );
  samples.push({
    hours: hours(),
    resident: resident(child),
    descriptors: readdirSync(`/proc/${child.pid}/fd`).length,
    connections: rows[0]?.count ?? 0,
  });
}

const { next, tally, close } = mix(port, tokens);
const failures = () => [...tally].filter(([what]) => / (0|5\d\d)$/.test(what));
let interrupted = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => (interrupted = true));

let sent = 0;
let nextSample = 0;
let told = 0;
let hooks = 0;
const cpuBefore = cpuSeconds(child.pid as number);
while (hours() * 60 < minutes && !interrupted && child.exitCode === null) {
  const elapsed = performance.now() - began;
  for (; sent < (elapsed / 1000) * rate; sent++) next();
  if (elapsed >= nextSample) {
    nextSample = elapsed + sampleEvery;
    await sample();
    // Arrivals are counted but not stored.
    hooks += receiver.got.splice(0).length;
  }
  if (Math.floor(elapsed / 60_000) > told) {
    told = Math.floor(elapsed / 60_000);
    const last = samples.filter(({ hours }) => hours * 60 >= told - 1);
    const mean = last.reduce((sum, { resident }) => sum + resident, 0) / last.length;
    const { descriptors, connections } = samples.at(-1) as Sample;
    const bad = failures().map(([what, times]) => `${what} ×${times}`);
    process.stdout.write(
      `minute ${told}: ${rounded(mean)} MiB (${rounded(Math.min(...last.map((it) => it.resident)))} at least), ` +
        `${descriptors} descriptors, ${connections} connections, ${sent} sent, ${hooks} webhooks, ${bad.join(", ") || "no 5xx"}\n`,
    );
  }
  await new Promise((resolve) => setTimeout(resolve, 10));
}
const cpu = cpuSeconds(child.pid as number) - cpuBefore;
close();
table(
  "Replies by what was asked and the status",
  ["", "times"],
  [...tally].sort().map(([what, times]) => [what, String(times)]),
);

/**
 * One sample per minute after the first quarter. Samples a few seconds apart are correlated,
 * because the heap fills and empties.
 */
const byMinute = new Map<number, Sample[]>();
for (const it of samples.filter(({ hours }) => hours * 60 >= minutes / 4)) {
  const minute = Math.floor(it.hours * 60);
  byMinute.set(minute, [...(byMinute.get(minute) ?? []), it]);
}
const rows = (["resident", "descriptors", "connections"] as const).flatMap((what) =>
  (["mean", "least"] as const).map((how) => {
    const points = [...byMinute.values()].map((all) => {
      const numbers = all.map((it) => it[what]);
      const mean = numbers.reduce((sum, n) => sum + n, 0) / numbers.length;
      return [all[0]?.hours ?? 0, how === "mean" ? mean : Math.min(...numbers)] as const;
    });
    if (points.length < 3) return [what, how, "too short", ""];
    const { perUnit, error } = slopeOf(points);
    return [what, how, rounded(perUnit), rounded(error)];
  }),
);
table(
  "Growth in an hour, of each minute's mean and least (resident: MiB)",
  ["", "", "an hour", "standard error"],
  rows,
);
process.stdout.write(
  `${sent} sent, ${hooks} webhooks arrived, ${rounded((cpu / sent) * 1000)} CPU ms for each request\n`,
);
const bad = failures();
if (bad.length > 0 || child.exitCode !== null) process.exitCode = 1;
receiver.close();
await sql.end();
await end(child);
await endPostgres();
