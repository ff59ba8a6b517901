import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import pg from "pg";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { onEachShard } from "@/lib/database/shards/each-shard";
import { eventually } from "@/lib/testing/eventually";
import "@/lib/alerts/alert-loop";
import { startChores } from "@/lib/cli/background-chores";
import { pool } from "@/lib/database/db";
import { notifyHealth } from "@/lib/events/pubsub";
import { openRequests } from "@/lib/request-context";
import { startMetrics } from "@/lib/telemetry/metrics-registry";
import { startFront } from "@/lib/testing/api-server";
import { aHookedApp, sendingTo } from "@/lib/testing/app-with-webhook";
import { aboutMetrics } from "@/lib/testing/documented-metrics";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { sendAll, turnAll } from "@/lib/testing/send-due-webhooks";
import { aReceiver } from "@/lib/testing/webhook-receiver";
import { gauges } from "./gauges";
import { serveMetrics } from "./metrics-server";

const { ask, port: apiPort } = await startFront();
const metrics = startMetrics(gauges);
const server = await serveMetrics({ port: 0, host: "127.0.0.1" }, metrics.snapshot);
const receiver = await aReceiver();
afterAll(async () => {
  server.stop();
  metrics.stop();
  await receiver.close();
});
afterEach(() => vi.restoreAllMocks());

const scrape = async (headers: Record<string, string> = {}, path = "/metrics") => {
  // Uses http, because fetch would set its own Host header.
  const asked = http.get(new URL(path, server.url), { headers, agent: false });
  const [reply] = (await once(asked, "response")) as [http.IncomingMessage];
  let text = "";
  for await (const piece of reply.setEncoding("utf8")) text += piece;
  return { status: reply.statusCode, type: reply.headers["content-type"], text };
};
/** Returns the lines of the samples whose names begin with this text. */
async function samples(start: string) {
  const { text } = await scrape();
  return text.split("\n").filter((line) => line.startsWith(start));
}
const numberOf = async (name: string) => Number((await samples(`${name} `))[0]?.split(" ").at(-1));

test("counts requests by route and status", async () => {
  const { token } = await anAppWith("approvals:write", "approvals:read");
  const { body } = await ask("POST", "/api/approvals", { token, body: aQuestion });
  const { id } = body as { id: string };
  await ask("GET", `/api/approvals/${id}`, { token });
  await ask("GET", "/api/approvals/apr_none", {});
  await ask("GET", "/nobody-knows-this", {});
  await ask("POST", "/oauth/token", { raw: "", headers: { "content-type": "application/x-www-form-urlencoded" } });
  const waiting = ask("GET", `/api/approvals/${id}?wait=1`, { token });
  await expect.poll(() => openRequests().wait).toBe(1);
  expect(await samples("countersign_held_requests")).toContain('countersign_held_requests{kind="wait"} 1');
  await waiting;
  expect(await samples("countersign_http_requests_total")).toEqual([
    'countersign_http_requests_total{method="POST",route="/api/approvals",status="201"} 1',
    'countersign_http_requests_total{method="GET",route="/api/approvals/{id}",status="200"} 2',
    'countersign_http_requests_total{method="GET",route="/api/approvals/{id}",status="401"} 1',
    'countersign_http_requests_total{method="GET",route="other",status="404"} 1',
    'countersign_http_requests_total{method="POST",route="/oauth/token",status="400"} 1',
  ]);
  const measured = await samples("countersign_http_request_duration_seconds_count");
  expect(measured).toContain(
    'countersign_http_request_duration_seconds_count{method="GET",route="/api/approvals/{id}"} 2',
  );
  expect(openRequests()).toEqual({ wait: 0, stream: 0, page: 0 });
});

test("records a disconnected caller's status as 499", async () => {
  const { token } = await anAppWith("approvals:write", "approvals:read");
  const { body } = await ask("POST", "/api/approvals", { token, body: aQuestion });
  const path = `/api/approvals/${(body as { id: string }).id}?wait=30`;
  const headers = { authorization: `Bearer ${token}` };
  const leaving = http.get({ port: apiPort, path, headers, agent: false }).on("error", () => {});
  await expect.poll(() => openRequests().wait).toBe(1);
  leaving.destroy();
  await expect
    .poll(() => samples("countersign_http_requests_total"))
    .toContainEqual(expect.stringMatching(/status="499"\} 1$/));
  expect(openRequests().wait).toBe(0);

  const stream = http.get({
    port: apiPort,
    path: "/api/events",
    headers: { ...headers, accept: "text/event-stream" },
    agent: false,
  });
  const [reply] = (await once(stream, "response")) as [http.IncomingMessage];
  reply.on("error", () => {}).resume();
  await expect.poll(() => openRequests().stream).toBe(1);
  stream.destroy();
  await expect.poll(() => openRequests().stream).toBe(0);
  await ask("GET", "/livez", { headers: { "x-large": "x".repeat(20_000) } });
  expect(await samples("countersign_http_requests_total")).toContain(
    'countersign_http_requests_total{method="",route="unreadable",status="431"} 1',
  );
});

test("reports the sizes of the connection pool and its queue", async () => {
  const max = await numberOf("countersign_db_pool_max_connections");
  const clients = await Promise.all(Array.from({ length: 3 }, () => pool().connect()));
  const text = await samples("countersign_db_pool_connections");
  const inUse = Number(
    text
      .find((line) => line.includes("in_use"))
      ?.split(" ")
      .at(-1),
  );
  expect(inUse).toBeGreaterThanOrEqual(3);
  const rest = Array.from({ length: max }, () => pool().connect());
  expect(await numberOf("countersign_db_pool_waiting")).toBeGreaterThan(0);
  for (const client of clients) client.release();
  for (const client of rest) void client.then((it) => it.release());
  await Promise.all(rest);
  await expect.poll(() => numberOf("countersign_db_pool_waiting")).toBe(0);
});

test("reports the last NOTIFY round trip and the number of lost messages", async () => {
  expect(await samples("countersign_notify_")).toEqual(["countersign_notify_lost_messages 0"]);
  Object.assign(notifyHealth(), { roundTripMs: 12.5, lost: 3 });
  expect(await samples("countersign_notify_")).toEqual([
    "countersign_notify_round_trip_seconds 0.0125",
    "countersign_notify_lost_messages 3",
  ]);
});

test("reports feed lag while an earlier transaction is open", async () => {
  const { token } = await anAppWith("approvals:write");
  // Other tests' transactions on the same server may delay events.
  await expect.poll(() => numberOf("countersign_feed_lag_seconds")).toBe(0);
  const holder = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT pg_current_xact_id()");
  expect((await ask("POST", "/api/approvals", { token, body: aQuestion })).status).toBe(201);
  expect(await numberOf("countersign_feed_lag_seconds")).toBeGreaterThan(0);
  expect(await numberOf("countersign_feed_holder_seconds")).toBeGreaterThan(0);
  await holder.query("ROLLBACK");
  await holder.end();
  await expect.poll(() => numberOf("countersign_feed_lag_seconds")).toBe(0);
});

test("reports due webhook deliveries and attempts by outcome", async () => {
  sendingTo([receiver.origin]);
  const hooked = await aHookedApp(`${receiver.origin}/slow`);
  await hooked.ask();
  await hooked.ask();
  await expect.poll(() => numberOf("countersign_webhook_unread_event_seconds")).toBeGreaterThan(0);
  await turnAll();
  await pool().query("UPDATE webhook_delivery SET due_at = now() - interval '1 hour'");
  expect(await numberOf("countersign_webhook_pending_deliveries")).toBe(2);
  expect(await numberOf("countersign_webhook_oldest_due_seconds")).toBeGreaterThanOrEqual(3600);
  expect(await numberOf("countersign_webhook_unread_event_seconds")).toBe(0);
  expect(await samples("countersign_webhook_endpoint_due_deliveries")).toEqual([
    `countersign_webhook_endpoint_due_deliveries{endpoint="${hooked.id}"} 2`,
  ]);
  await sendAll();
  expect(await numberOf("countersign_webhook_pending_deliveries")).toBe(0);
  expect(await numberOf("countersign_webhook_oldest_due_seconds")).toBe(0);
  expect(await samples("countersign_webhook_attempts_total")).toEqual([
    'countersign_webhook_attempts_total{outcome="delivered"} 2',
  ]);
});

test("reports the ten endpoints with the oldest due deliveries", async () => {
  const { endpoints } = { endpoints: await Promise.all(Array.from({ length: 12 }, () => aHookedApp(receiver.origin))) };
  for (const [at, { id, owner }] of endpoints.entries())
    await pool().query(
      `INSERT INTO webhook_delivery (id, endpoint_id, owner_id, event, type, body, due_at)
       VALUES ($1, $2, $3, $1, 'test', '', now() - make_interval(mins => $4))`,
      [`whd_${at}`, id, owner.ownerId, at + 1],
    );
  const named = await samples("countersign_webhook_endpoint_due_deliveries");
  expect(named).toEqual(
    endpoints
      .slice(2)
      .reverse()
      .map(({ id }) => `countersign_webhook_endpoint_due_deliveries{endpoint="${id}"} 1`),
  );
  expect(await numberOf("countersign_webhook_oldest_due_seconds")).toBeGreaterThanOrEqual(720);
  await pool().query("DELETE FROM webhook_delivery");
});

test("reports pending alert deliveries to browsers and channels", async () => {
  const { owner } = await anAppWith("approvals:write");
  await pool().query(
    `WITH a AS (INSERT INTO alert (id, owner_id, app_id, about, tag, reminder) VALUES ('alt_1', $1, 'a', 'questions', 't', false))
     INSERT INTO alert_delivery (owner_id, alert_id, target_id, kind, due_at) VALUES ($1, 'alt_1', 'psh_1', 'show', now() - interval '5 minutes')`,
    [owner.ownerId],
  );
  expect(await numberOf("countersign_alert_pending_deliveries")).toBe(1);
  expect(await numberOf("countersign_alert_oldest_due_seconds")).toBeGreaterThanOrEqual(300);
  await pool().query("DELETE FROM alert_delivery");
  expect(await numberOf("countersign_alert_oldest_due_seconds")).toBe(0);
});

test("reports each chore's last success", async () => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: 1_000_000 });
  const stop = onEachShard(startChores);
  const at = async (chore: string) => {
    const told = (await metrics.snapshot()).find(({ name }) => name.startsWith("countersign_chore"));
    return told?.values.find(({ labels }) => labels.chore === chore)?.value;
  };
  expect(await at("sweep")).toBe(1000);
  await vi.advanceTimersByTimeAsync(1000);
  await eventually(async () => expect(await at("deadlines")).toBeGreaterThanOrEqual(1001));
  // After a failure, the time of a chore's last success remains.
  failQueries({ code: "57014" });
  const last = await at("deadlines");
  await vi.advanceTimersByTimeAsync(5000);
  expect(await at("deadlines")).toBe(last);
  vi.useRealTimers();
  vi.mocked(pg.Client.prototype.query).mockRestore();
  await stop();
});

test("serves metrics while the database is down", async () => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const { token } = await anAppWith("approvals:read");
  expect(await numberOf("countersign_database_up")).toBe(1);
  failQueries({ code: "53300" });
  expect((await ask("GET", "/api/approvals", { token })).status).toBe(503);
  const { status, text } = await scrape();
  expect(status).toBe(200);
  expect(text).toMatch(/^countersign_database_up 0$/m);
  expect(text).toMatch(/^countersign_database_unavailable_total\{cause="too many connections"\} [1-9]/m);
  expect(text).toMatch(/^countersign_http_requests_total\{method="GET",route="\/api\/approvals",status="503"\} 1$/m);
  // An unknown value is omitted, because zero would be wrong.
  expect(text).not.toMatch(/^countersign_(feed_lag_seconds|webhook_pending_deliveries) /m);
  vi.mocked(pg.Client.prototype.query).mockRestore();
  expect(await numberOf("countersign_database_up")).toBe(1);
});

test("serves metrics only to local host names", async () => {
  expect(await scrape()).toMatchObject({ status: 200, type: "text/plain; version=0.0.4; charset=utf-8" });
  expect((await scrape({}, "/")).status).toBe(404);
  expect((await scrape({ host: "localhost:1" })).status).toBe(200);
  expect((await scrape({ host: "evil.example" })).status).toBe(403);
  await expect(
    serveMetrics({ port: Number(new URL(server.url).port), host: "127.0.0.1" }, async () => undefined),
  ).rejects.toThrow(/in use\. Stop the program that uses the port, or set METRICS_PORT to a free port/);
});

test("documents every metric on the monitoring page", async () => {
  const { text } = await scrape();
  const { families, documented, used } = aboutMetrics(text);
  expect(families.length).toBeGreaterThan(40);
  const page = readFileSync("docs/monitoring.md", "utf8");
  expect(families.filter((name) => name.startsWith("countersign_") && !page.includes(`\`${name}\``))).toEqual([]);
  expect(documented.filter((name) => !families.includes(name))).toEqual([]);
  expect(used.length).toBeGreaterThan(20);
  expect(used.filter((name) => !families.includes(name))).toEqual([]);
});

/** Makes every database statement fail with this error. */
function failQueries(how: object) {
  vi.spyOn(pg.Client.prototype, "query").mockImplementation((...args: unknown[]) => {
    const error = Object.assign(new Error("said by the database"), how);
    const told = args.find((it) => typeof it === "function");
    return (told ? told(error) : Promise.reject(error)) as never;
  });
}
