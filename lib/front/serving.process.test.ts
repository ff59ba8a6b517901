import { readFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { start, stop } from "@/lib/postgres/instance";
import { obeyed } from "@/lib/testing/command";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { type Service, startService } from "@/lib/testing/service";
import { type Throwaway, throwawayPostgres } from "@/lib/testing/throwaway";

const garbage = join(import.meta.dirname, "../testing/collect-garbage.cjs");
const dataDir = newDataDir(0o700);
const question = {
  question: "Ship it?",
  options: [{ id: "yes", label: "Yes" }],
  backgroundContext: "x".repeat(18_000),
};
let postgres: Throwaway;
let service: Service;
let token: string;

beforeAll(async () => {
  postgres = await throwawayPostgres();
  const environment = {
    DATABASE_URL: postgres.url,
    SECRET: "for-slow-readers-0123456789abcdef0123456789abcdef",
    DATA_DIR: dataDir,
    RATE_LIMIT: "0",
    DRAIN_DELAY: "5",
    NODE_OPTIONS: `--require ${garbage}`,
  };
  service = await startService(environment);
  const run = async (args: string[], input = "") => (await obeyed(environment, args, input)).json();
  const email = "olive@example.com";
  await run(["owner", "create", "--email", email, "--name", "Olive", "--password-stdin"], "a password of some length");
  const { clientId } = await run(["app", "create", "--owner", email, "--name", "Courier"]);
  const scopes = ["--scope", "approvals:write", "--scope", "approvals:read"];
  token = String((await run(["token", "create", "--owner", email, "--app", String(clientId), ...scopes])).token);
}, 240_000);

afterAll(async () => {
  await service?.stop();
  await postgres?.end();
  removeDataDir(dataDir);
});

const headers = () => ({ authorization: `Bearer ${token}`, "content-type": "application/json" });
const list = async () => (await (await fetch(`${service.url}/api/approvals`, { headers: headers() })).text()).length;

const submit = (body: string) => fetch(`${service.url}/api/approvals`, { method: "POST", headers: headers(), body });

/** What the service keeps in memory a quarter of a second from now, in bytes. */
async function sample(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 250));
  return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.child.pid}/status`, "utf8"))?.[1]);
}

test.skipIf(process.platform !== "linux")("at rest, before anybody has come, it takes less than 160 MiB", async () => {
  expect(await sample()).toBeLessThan(160 * 1024 * 1024);
});

// Linux says how much memory another process has.
test.skipIf(process.platform !== "linux")(
  "60 readers that ask for 8 long lists and read none cost less than 50 MB, and are let go",
  async () => {
    const body = JSON.stringify(question);
    for (let at = 0; at < 50; at++) await expect.poll(async () => (await submit(body)).status).toBe(201);
    // As many that are read: what they cost stays.
    for (let at = 0; at < 4; at++) await Promise.all(Array.from({ length: 60 }, list));
    const idle: number[] = [];
    for (let at = 0; at < 20; at++) idle.push(await sample());

    const { port } = new URL(service.url);
    const asking = `GET /api/approvals HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`.repeat(8);
    const readers = Array.from({ length: 60 }, () => {
      const socket = net.connect(Number(port), "127.0.0.1", () => socket.write(asking)).pause();
      return socket.on("error", () => {});
    });
    // Others are served meanwhile.
    await expect.poll(list).toBeGreaterThan(900_000);
    const samples: number[] = [];
    // The last of them are let go for taking nothing, or, where their system took it all, for asking nothing.
    while (connected(readers) > 0 && samples.length < 480) samples.push(await sample());
    for (const reader of readers) reader.destroy();
    expect(connected(readers)).toBe(0);
    // Answering makes garbage for a moment; what counts is what they cost for as long as they stay.
    const median = (all: number[]) => all.toSorted((a, b) => a - b)[all.length >> 1] ?? Number.NaN;
    expect(median(samples) - median(idle)).toBeLessThan(50 * 1024 * 1024);
  },
  240_000,
);

test("while the database is away it is ready, and says itself what is the matter: to apps in JSON, to owners on a page", async () => {
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  const before = service.said().length;
  await stop(postgres.instance);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  expect((await fetch(`${service.url}/readyz?strict`)).status).toBe(503);
  for (const path of ["/api/approvals", "/api/notifications", "/api/events", "/api/mcp"]) {
    const post = path === "/api/mcp" && { method: "POST", body: "{}" };
    const reply = await fetch(`${service.url}${path}`, { headers: headers(), ...post });
    expect([path, reply.status, reply.headers.get("retry-after")]).toEqual([path, 503, "1"]);
    expect(await reply.json()).toHaveProperty("error");
  }
  const page = await fetch(`${service.url}/`);
  expect(page.headers.get("content-type")).toContain("text/html");
  // Next's own lines too.
  const lines = service.said().slice(before).split("\n").filter(Boolean);
  expect(lines.filter((line) => !line.startsWith('{"time":'))).toEqual([]);
  await start(postgres.instance, postgres.port);
  await expect.poll(async () => (await submit(JSON.stringify(question))).status).toBe(201);
});

test("SIGTERM: not ready and serving for as long as it was told, then the port closes and it ends", async () => {
  service.child.kill("SIGTERM");
  const ready = () => fetch(`${service.url}/readyz`).then(({ status }) => status);
  await expect.poll(ready).toBe(503);
  const reply = await submit(JSON.stringify(question));
  expect([reply.status, reply.headers.get("connection")]).toEqual([201, "close"]);
  expect(service.said()).toContain("Not ready any more: serving for 5 s");
  expect(await service.ended).toBe(0);
  expect(service.said()).toMatch(/Stopping: letting requests finish\n(.*\n)*Stopped\n$/);
  await expect(ready()).rejects.toThrow();
});

/** How many of the sockets are still connected as the service sees it; who does not read is not told. */
function connected(sockets: net.Socket[]): number {
  const ports = new Set(sockets.map(({ localPort }) => localPort));
  const established = /^ *\d+: \w+:\w+ \w+:(\w+) 01 /gm;
  const lines = readFileSync("/proc/net/tcp", "utf8").matchAll(established);
  return [...lines].filter(([, port = ""]) => ports.has(Number.parseInt(port, 16))).length;
}
