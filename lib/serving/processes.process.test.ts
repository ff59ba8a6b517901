import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";
import { afterAll, afterEach, expect, inject, test, vi } from "vitest";
import { OperatorError } from "@/lib/cli/command";
import { obeyed } from "@/lib/testing/command";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { processesOf } from "@/lib/testing/process-list";
import { startService } from "@/lib/testing/service";
import { inDatabase, query } from "@/lib/testing/throwaway";
import { countOf, startProcesses } from "./processes";

const folder = newDataDir();
afterEach(() => vi.restoreAllMocks());
afterAll(() => removeDataDir(folder));

/** A program that a process runs instead of ours. */
function program(source: string): string {
  const file = join(folder, `${randomBytes(4).toString("hex")}.worker.mjs`);
  writeFileSync(file, source);
  return file;
}

const anyPort = { host: "127.0.0.1", port: 0 };
const serves = `process.on("message", (said) => said === "leave" && process.exit(0)); process.send("ready");`;
const quiet = () => vi.spyOn(process.stderr, "write").mockReturnValue(true);

test('uses all cores but one for the database with "auto"', () => {
  expect([1, 2, 4, 64].map((cores) => countOf("auto", cores))).toEqual([1, 1, 3, 8]);
  expect(countOf(3, 2)).toBe(3);
});

test("ends the start with the error of a process that cannot start", async () => {
  const failing = program(`if (process.env.COUNTERSIGN_PROCESS === "1") { ${serves} } else
    process.send({ failed: "Port 3000 is in use." }, () => process.exit(1));`);
  const start = startProcesses({ ...anyPort, count: 2, program: failing, environment: {}, givenUp: () => {} });
  await expect(start).rejects.toThrow(new OperatorError("Port 3000 is in use."));
  expect(processesOf(process.pid)).toEqual([]);
});

test("restarts processes with growing pauses, and finally gives up", async () => {
  const said = quiet();
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  const given = vi.fn();
  // The first two serve until told to exit.
  const mortal = program(`import { once } from "node:events";
import { existsSync } from "node:fs";
    if (existsSync("${folder}/failing")) process.exit(3);
    ${serves}`);
  const serving = await startProcesses({ ...anyPort, count: 2, program: mortal, environment: {}, givenUp: given });
  const first = processesOf(process.pid);
  expect(first).toHaveLength(2);
  writeFileSync(join(folder, "failing"), "");
  vi.advanceTimersByTime(10_000);
  for (const pid of first) process.kill(pid, "SIGKILL");
  while (given.mock.calls.length === 0) {
    vi.runOnlyPendingTimers();
    await new Promise((resolve) => setImmediate(resolve));
  }
  vi.useRealTimers();
  expect(given).toHaveBeenCalledWith("The process ended with status 3.");
  const lines = said.mock.calls.map(([line]) => JSON.parse(String(line)));
  expect(lines[0]).toMatchObject({
    message: "a process ended; starting another",
    why: "The process ended with SIGKILL.",
  });
  const pauses = lines.filter((line) => line.process === 1).map((line) => line.afterMs);
  expect(pauses).toEqual([0, 500, 1000, 2000, 4000].slice(0, pauses.length));
  expect(pauses.length).toBeGreaterThan(3);
  await serving.stop();
  expect(processesOf(process.pid)).toEqual([]);
});

/** Responds with its process ID, once no file blocks its start. */
const answers = (obstacle: string) => `import { existsSync } from "node:fs";
  import http from "node:http";
  while (existsSync("${obstacle}")) await new Promise((resolve) => setTimeout(resolve, 20));
  const server = http.createServer((_req, res) => res.end(String(process.pid)));
  process.on("message", (said, socket) => {
    if (said === "leave") process.exit(0);
    server.emit("connection", socket);
    process.send({ taken: said.connection });
  });
  process.send("ready");`;

test("responds 503 with Retry-After while no process is ready", async () => {
  quiet();
  const obstacle = join(folder, "obstacle");
  const program_ = program(answers(obstacle));
  const serving = await startProcesses({ ...anyPort, count: 2, program: program_, environment: {}, givenUp: () => {} });
  const url = `http://127.0.0.1:${serving.port}`;
  const [first = 0, second = 0] = processesOf(process.pid);
  const ask = async (path = "/") => {
    const reply = await get(`${url}${path}`, "");
    return [reply.statusCode, reply.headers["retry-after"], await text(reply)];
  };
  const refused = [503, "1", '{"error":"The service is starting. Try again in a few seconds."}'];
  expect([await ask(), await ask()].map(([, , pid]) => pid).sort()).toEqual([first, second].map(String).sort());
  writeFileSync(obstacle, "");
  // Its replacement cannot start yet.
  process.kill(first, "SIGKILL");
  await expect.poll(() => processesOf(process.pid).filter((pid) => pid !== first)).toHaveLength(2);
  expect(await ask()).toEqual([200, undefined, String(second)]);
  process.kill(second, "SIGSTOP");
  const handedOver = Array.from({ length: 6 }, () => ask());
  await new Promise((resolve) => setTimeout(resolve, 100));
  process.kill(second, "SIGKILL");
  expect(await Promise.all(handedOver)).toEqual(Array(6).fill(refused));
  expect(await Promise.all(Array.from({ length: 20 }, () => ask()))).toEqual(Array(20).fill(refused));
  expect(await ask("/livez")).toEqual([200, undefined, '{"status":"ok"}']);
  rmSync(obstacle);
  await expect.poll(async () => (await ask())[0]).toBe(200);
  await serving.stop();
  await expect(ask()).rejects.toThrow("ECONNREFUSED");
});

test("reports a port in use before any process starts", async () => {
  const other = http.createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const start = startProcesses({
    ...anyPort,
    port,
    count: 2,
    program: program(serves),
    environment: {},
    givenUp: () => {},
  });
  await expect(start).rejects.toThrow(`Port ${port} of 127.0.0.1 is in use`);
  expect(processesOf(process.pid)).toEqual([]);
  other.close();
});

test("serves one port from two processes without a superuser", async () => {
  const { url } = inject("postgres");
  const plain = `plain_${randomBytes(4).toString("hex")}`;
  await query(url, `CREATE ROLE ${plain} LOGIN PASSWORD 'plain'`);
  await query(url, `CREATE DATABASE ${plain} OWNER ${plain}`);
  const address = Object.assign(new URL(inDatabase(url, plain)), { username: plain, password: "plain" });
  const environment = { DATABASE_URL: address.href, DATA_DIR: folder, PROCESSES: "2" };
  const collector = await aCollector();
  const service = await startService({
    ...environment,
    METRICS_PORT: "0",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  expect(existsSync(join(folder, "postgres"))).toBe(false);
  const token = await aToken(environment);

  // Connections alternate between processes, and each sees the other's writes.
  const watcher = new pg.Client({ connectionString: inDatabase(url, plain) });
  await watcher.connect();
  const asked = new Map<string, Set<string>>();
  const look = async (words: string) => {
    const text = `SELECT application_name AS name FROM pg_stat_activity WHERE datname = $1 AND query ~ $2 AND application_name LIKE 'countersign%'`;
    const { rows } = await watcher.query<{ name: string }>(text, [plain, words]);
    const names = asked.get(words) ?? new Set();
    asked.set(words, names);
    for (const { name } of rows) names.add(name);
    return [...names].sort();
  };
  const chore = "erase_at <= now|asked_back_at = NULL|snoozed_until <= now";
  const both = ["countersign 1", "countersign 2"];
  const ask = async (path: string) => (await get(`${service.url}${path}`, token)).statusCode;
  await expect
    .poll(async () => {
      expect(await ask("/readyz?strict")).toBe(200);
      await look(chore);
      return look("SELECT 1");
    })
    .toEqual(both);

  // One scrape reports both processes separately, and the database's values once.
  const [, metrics = ""] = /^Metrics are at (\S+)$/m.exec(service.output()) ?? [];
  const scraped = async () => (await (await fetch(metrics)).text()).split("\n");
  const requests = (await scraped()).filter((line) => /route="\/readyz",status="200"/.test(line));
  expect(requests.map((line) => /process="(\d)"/.exec(line)?.[1]).sort()).toEqual(["1", "2"]);
  expect((await scraped()).filter((line) => line.startsWith("countersign_database_up"))).toEqual([
    "countersign_database_up 1",
  ]);
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404);

  // Clients retry if their process was killed or their connection was being transferred.
  const [gone = 0, stays = 0] = processesOf(service.child.pid);
  process.kill(gone, "SIGKILL");
  await expect
    .poll(async () => {
      expect(await ask("/api/approvals").catch(() => ask("/api/approvals"))).toBe(200);
      return processesOf(service.child.pid).filter((pid) => ![gone, stays].includes(pid)).length;
    })
    .toBe(1);
  expect(processesOf(service.child.pid)).toContain(stays);
  const told =
    /^\{"time":.*"a process ended; starting another","process":1,"why":"The process ended with SIGKILL\.","afterMs":\d+\}$/m;
  await expect.poll(service.output).toMatch(told);
  await expect.poll(() => ask("/api/approvals")).toBe(200);
  // Only serving processes report; one that is still starting would send nothing when it exits.
  const telling = async () => new Set((await scraped()).flatMap((line) => /process="(\d)"/.exec(line)?.[1] ?? []));
  await expect.poll(telling).toEqual(new Set(["1", "2"]));
  await expect.poll(() => look(chore)).toEqual(["countersign 1"]);

  // Until a process is ready again, each connection gets a response.
  for (const pid of processesOf(service.child.pid)) process.kill(pid, "SIGKILL");
  const refusals: unknown[] = [];
  await expect
    .poll(async () => {
      const reply = await get(`${service.url}/api/approvals`, token).catch(String);
      if (typeof reply === "string") refusals.push(reply);
      else if (reply.statusCode !== 200) refusals.push([reply.statusCode, reply.headers["retry-after"]]);
      return typeof reply === "string" ? reply : reply.statusCode;
    })
    .toBe(200);
  expect(refusals.length).toBeGreaterThan(0);
  expect(refusals).toEqual(refusals.map(() => [503, "1"]));
  const serving = async () =>
    (await scraped()).filter((line) => line.startsWith("countersign_db_pool_max_connections{"));
  await expect.poll(serving).toHaveLength(2);
  collector.forget();

  const streams = await Promise.all(both.flatMap(() => [stream(service.url, token), stream(service.url, token)]));
  service.child.kill("SIGTERM");
  expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual(streams.map(() => "whole"));
  expect(await service.ended).toBe(0);
  expect(service.output()).toMatch(/^Stopping\. Waiting for requests to finish\nStopped\n$/m);
  expect(service.output().split("Countersign is at")).toHaveLength(2);
  // Each process has exported its records and counts.
  expect(collector.asked()).toEqual({ "/v1/traces": 2, "/v1/metrics": 2 });
  collector.close();
  await watcher.end();
  await query(url, `DROP DATABASE ${plain}`);
  await query(url, `DROP ROLE ${plain}`);
});

/** An OpenTelemetry collector. `asked`: the number of processes that sent to each path. */
async function aCollector() {
  const asked = new Map<string, Set<string>>();
  const server = http.createServer(async (req, res) => {
    let text = "";
    for await (const piece of req.setEncoding("latin1")) text += piece;
    const [instance = ""] = /(?<=service\.instance\.id\W+)[0-9a-f-]{36}/.exec(text) ?? [];
    asked.set(req.url ?? "", (asked.get(req.url ?? "") ?? new Set()).add(instance));
    res.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => Object.fromEntries([...asked].map(([path, instances]) => [path, instances.size])),
    forget: () => asked.clear(),
    close: () => server.close(),
  };
}

/** On a separate connection, with retries like a client's. */
const get = (url: string, token: string) =>
  new Promise<http.IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept: url.endsWith("/events") ? "text/event-stream" : "*/*" };
    const asking = http.get(url, { agent: false, headers, timeout: 15_000 }, (reply) => {
      asking.setTimeout(0);
      resolve(reply);
    });
    asking.on("error", reject).on("timeout", () => asking.destroy(new Error("There was no reply.")));
  });

/** An open event stream. `ended`: whether it ended cleanly or broke off. */
async function stream(url: string, token: string) {
  const reply = await get(`${url}/api/events`, token);
  const ended = new Promise<"whole" | "broken">((resolve) => {
    reply.on("end", () => resolve("whole")).on("error", () => resolve("broken"));
  });
  await once(reply, "data");
  return { ended };
}

async function aToken(environment: Record<string, string>): Promise<string> {
  const run = async (args: string[], input = "") => (await obeyed(environment, args, input)).json();
  const email = "olive@example.com";
  await run(["owner", "create", "--email", email, "--name", "Olive", "--password-stdin"], "a password of some length");
  return String((await run(["app", "create", "--owner", email, "--name", "Courier", "--token"])).token);
}
