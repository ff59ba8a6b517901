import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { resetEnv } from "@/lib/config/env";
import { closeDb } from "@/lib/database/db";
import { closePubsub } from "@/lib/events/pubsub";
import { migrate } from "@/lib/postgres/migrations";
import { anAppWith } from "@/lib/testing/factories";
import { inDatabase, query, throwawayPostgres } from "@/lib/testing/temporary-postgres";
import { addEndpoint } from "@/lib/webhooks/endpoints";
import { end, secret, startOurs } from "./benchmark-servers";
import { table } from "./pages/table";
import { cpuSeconds } from "./process-usage";
import { client, pause } from "./waits/app-client";

/**
 * `npm run bench:webhooks [-- --against FOLDER]`: whether webhooks keep up with one busy app whose
 * receiver takes 20 ms. It also measures the CPU time of a delivery. Two checkouts alternate, each
 * with its own database. Only ratios within one run are meaningful.
 */
const { values } = parseArgs({
  options: {
    against: { type: "string" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "8" },
    writers: { type: "string", default: "8" },
    /** The number of pending deliveries when the cost is measured. */
    backlog: { type: "string", default: "1000" },
  },
});
const [rounds, seconds, writers, backlog] = [values.rounds, values.seconds, values.writers, values.backlog].map(
  Number,
) as [number, number, number, number];

const hundredths = (value: number) => value.toFixed(2);
const means = (all: number[][]) =>
  (all[0] ?? []).map((_, at) => all.reduce((sum, row) => sum + (row[at] ?? 0), 0) / all.length);

type Received = { count: number };
type Side = { name: string; child: ChildProcess; port: number; token: string; sql: pg.Client; endpointId: string };

const { url, instance, end: endPostgres } = await throwawayPostgres([]);
const postmaster = Number(readFileSync(join(instance.data, "postmaster.pid"), "utf8").split("\n")[0]);
// A separate process, which responds on time while this process is busy.
const receiver = fork("bench/slow-receiver.mjs");
const origin = await new Promise<string>((found) =>
  receiver.once("message", (port) => found(`http://127.0.0.1:${port}`)),
);
const received = async () => ((await (await fetch(origin)).json()) as Received).count;
const slow = (ms: number) => fetch(origin, { method: "PUT", body: String(ms) });

const sides: Side[] = [];
try {
  const folders = [...(values.against ? [values.against] : []), "."];
  for (const [at, folder] of folders.entries()) sides.push(await open(`webhooks_${at}`, folder));
  const kept: Record<string, number[][]> = {};
  const costs: Record<string, number[][]> = {};
  for (let round = 0; round < rounds; round++)
    for (const side of sides) {
      (kept[side.name] ??= []).push(await keepingUp(side));
      (costs[side.name] ??= []).push(await cost(side));
    }
  table(
    `${writers} writers that ask and answer for ${seconds} s, a receiver that responds after 20 ms: means of ${rounds} rounds`,
    ["", "events/s", "delivered/s", "ratio", "left behind"],
    Object.entries(kept).map(([name, all]) => [name, ...means(all).map(hundredths)]),
  );
  table(
    `${backlog} pending deliveries, a receiver that responds immediately: CPU time of one delivery in ms`,
    ["", "Node", "PostgreSQL", "delivered/s"],
    Object.entries(costs).map(([name, all]) => [name, ...means(all).map(hundredths)]),
  );
} finally {
  await Promise.all(sides.map(({ child, sql }) => Promise.all([end(child), sql.end()])));
  receiver.kill();
  await endPostgres();
}

async function open(name: string, folder: string): Promise<Side> {
  await query(url, `CREATE DATABASE ${name}`);
  const address = inDatabase(url, name);
  await migrate(address);
  Object.assign(process.env, { DATABASE_URL: address, SECRET: secret, PUBLIC_URL: "http://localhost:3000" });
  process.env.ALLOW_PRIVATE_FETCH = origin;
  resetEnv();
  const { token, owner, clientId } = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  const { id: endpointId } = await addEndpoint(owner, clientId, { url: `${origin}/hook` });
  await closePubsub();
  await closeDb();
  const sql = new pg.Client({ connectionString: address });
  await sql.connect();
  return { name: basename(resolve(folder)), ...(await startOurs(address, [], folder)), token, sql, endpointId };
}

/**
 * @returns events and deliveries per second, their ratio, and the number of events missing at the
 * end
 */
async function keepingUp({ port, token, sql }: Side): Promise<number[]> {
  await slow(20);
  const until = performance.now() + seconds * 1000;
  const [began, before] = [performance.now(), await received()];
  let events = 0;
  const app = client(port, token);
  const writer = async () => {
    while (performance.now() < until) {
      const id = await app.submit();
      events++;
      await app.resolve(id);
      events++;
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
  const [took, arrived] = [(performance.now() - began) / 1000, (await received()) - before];
  await settled(sql);
  return [events / took, arrived / took, arrived / events, events - arrived];
}

/** @returns milliseconds of Node.js and PostgreSQL per delivery, and deliveries per second */
async function cost({ child, sql, endpointId }: Side): Promise<number[]> {
  await slow(0);
  const cpu = () => [cpuSeconds(child.pid as number), cpuSeconds(postmaster)] as const;
  const [began, [node, postgres]] = [performance.now(), cpu()];
  await sql.query(
    `INSERT INTO webhook_delivery (id, endpoint_id, owner_id, grant_id, event, type, body)
      SELECT gen_random_uuid()::text, ep.id, g.owner_id, g.id, gen_random_uuid()::text, 'approval.submitted', '{"type":"approval.submitted","data":{"id":"apr_x"}}'
      FROM webhook_endpoint ep JOIN live_grant g ON g.app_id = ep.app_id, generate_series(1, $2) WHERE ep.id = $1`,
    [endpointId, backlog],
  );
  const before = await received();
  await arrived(before + backlog);
  const [took, [nodeAfter, postgresAfter]] = [(performance.now() - began) / 1000, cpu()];
  await settled(sql);
  return [((nodeAfter - node) * 1000) / backlog, ((postgresAfter - postgres) * 1000) / backlog, backlog / took];
}

/** Deletes remaining deliveries, which would count in the next round. */
async function settled(sql: pg.Client) {
  await sql.query("UPDATE webhook_endpoint SET state = 'off'");
  // Waits for running work to finish, and skips the rest of the log.
  for (let under = 1; under > 0; await pause(200))
    under = (await sql.query("SELECT FROM webhook_delivery WHERE lease_until > now()")).rowCount ?? 0;
  await sql.query("DELETE FROM webhook_delivery");
  await sql.query("UPDATE webhook_cursor SET tx = event_tx(), event_id = 0");
  await sql.query("UPDATE webhook_endpoint SET state = 'on', failures = 0, failing_since = NULL, since = event_tx()");
}

async function arrived(count: number) {
  while ((await received()) < count) await pause(100);
}
