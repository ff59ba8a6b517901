import { readFileSync, statSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { obeyed } from "@/lib/testing/operator-command";
import { type Service, startService } from "@/lib/testing/service-process";

const dataDir = newDataDir(0o700);
const memoryFile = join(dataDir, "memory");
const question = {
  question: "Ship it?",
  options: [{ id: "yes", label: "Yes" }],
  backgroundContext: "x".repeat(18_000),
};
let service: Service;
let token: string;

beforeAll(async () => {
  const environment = {
    DATA_DIR: dataDir,
    SECRET: "for-slow-readers-0123456789abcdef0123456789abcdef",
    RATE_LIMIT: "0",
    MEMORY_FILE: memoryFile,
    NODE_OPTIONS: `--require ${join(import.meta.dirname, "../testing/report-heap.cjs")}`,
  };
  service = await startService(environment);
  const run = async (args: string[], input = "") => (await obeyed(environment, args, input)).json();
  const email = "olive@example.com";
  await run(["owner", "create", "--email", email, "--name", "Olive", "--password-stdin"], "a password of some length");
  const { clientId } = await run(["app", "create", "--owner", email, "--name", "Courier"]);
  const scopes = ["--scope", "approvals:write", "--scope", "approvals:read"];
  token = String((await run(["token", "create", "--owner", email, "--app", String(clientId), ...scopes])).token);
});

afterAll(async () => {
  await service?.stop();
  removeDataDir(dataDir);
});

const headers = () => ({ authorization: `Bearer ${token}`, "content-type": "application/json" });
const list = async () => (await (await fetch(`${service.url}/api/approvals`, { headers: headers() })).text()).length;
const submit = () =>
  fetch(`${service.url}/api/approvals`, { method: "POST", headers: headers(), body: JSON.stringify(question) });

/** Returns the service's memory in bytes, from its next report. */
async function held(): Promise<number> {
  const { mtimeMs } = statSync(memoryFile);
  await expect.poll(() => statSync(memoryFile).mtimeMs).not.toBe(mtimeMs);
  return Number(readFileSync(memoryFile, "utf8"));
}

// Only Linux lists the connections.
test.skipIf(process.platform !== "linux")(
  "uses at most 50 MB of memory for 60 clients that read no responses",
  async () => {
    for (let at = 0; at < 50; at++) expect((await submit()).status).toBe(201);
    // Reads lists at normal speed first, because the process keeps the memory that such reads need.
    for (let at = 0; at < 4; at++) await Promise.all(Array.from({ length: 60 }, list));
    const idle: number[] = [];
    for (let at = 0; at < 5; at++) idle.push(await held());

    const { port } = new URL(service.url);
    const asking = `GET /api/approvals HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`.repeat(8);
    const readers = Array.from({ length: 60 }, () => {
      const socket = net.connect(Number(port), "127.0.0.1", () => socket.write(asking)).pause();
      return socket.on("error", () => {});
    });
    // Meanwhile, the service still serves other clients.
    await expect.poll(list).toBeGreaterThan(900_000);
    const stayed: number[] = [];
    // Clients are disconnected either because they read nothing, or, if their system has buffered
    // the whole response, because they send nothing.
    while (connected(readers) > 0 && stayed.length < 120) stayed.push(await held());
    for (const reader of readers) reader.destroy();
    expect(connected(readers)).toBe(0);
    // At first, all responses may be in memory, because no client counts as slow yet. The median
    // ignores this.
    const median = (all: number[]) => all.toSorted((a, b) => a - b)[all.length >> 1] ?? Number.NaN;
    expect(median(stayed.slice(0, 20)) - median(idle)).toBeLessThan(50 * 1024 * 1024);
  },
  240_000,
);

/**
 * Returns how many of these sockets the service still sees as connected. A client that reads
 * nothing does not notice the end.
 */
function connected(sockets: net.Socket[]): number {
  const ports = new Set(sockets.map(({ localPort }) => localPort));
  const established = /^ *\d+: \w+:\w+ \w+:(\w+) 01 /gm;
  const lines = readFileSync("/proc/net/tcp", "utf8").matchAll(established);
  return [...lines].filter(([, port = ""]) => ports.has(Number.parseInt(port, 16))).length;
}
