import { createServer, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, beforeEach, expect, test } from "vitest";
import { configure } from "@/lib/testing/change-settings";
import { aCertificate } from "@/lib/testing/self-signed-certificate";
import type { Address } from "./dns";
import { type FetchDependencies, guardedFetch } from "./guarded-fetch";
import { agentPool } from "./http-agent-pool";

configure({
  DATABASE_URL: "postgresql://nobody@localhost/none",
  SECRET: "only-for-tests-0123456789abcdef0123456789abcdef",
});

/** How often each connection was used, in order. */
const asked = new Map<Socket, number>();
let reply = (response: ServerResponse, _nth: number): unknown => response.end("ok");
const { key, cert } = aCertificate("app.example");
const listener: Parameters<typeof createServer>[1] = ({ socket }, response) => {
  const nth = (asked.get(socket) ?? 0) + 1;
  asked.set(socket, nth);
  reply(response, nth);
};
const servers = [createServer(listener), createTlsServer({ key, cert }, listener) as unknown as Server];
await Promise.all(servers.map((each) => new Promise<void>((resolve) => each.listen(0, "127.0.0.1", resolve))));
const [plain, tls] = servers.map((each) => (each.address() as AddressInfo).port);
const origins = { plain: `http://app.example:${plain}`, tls: `https://app.example:${tls}` };

let lookups = 0;
let leadsTo: Address[] = [];
const world: FetchDependencies = {
  ca: cert,
  resolve: async () => {
    lookups++;
    return leadsTo;
  },
};
let time = 0;
let kept = agentPool(2, () => time);
const ask = (origin: string, by = "a") =>
  guardedFetch(
    new URL(`${origin}/x`),
    { milliseconds: 5000, bytes: 100, statusOnly: true, over: { kept, user: by } },
    world,
  );

beforeEach(() => {
  asked.clear();
  reply = (response) => response.end("ok");
  [lookups, time] = [0, 0];
  leadsTo = [{ address: "127.0.0.1", family: 4 }];
  kept = agentPool(2, () => time);
  configure({ ALLOW_PRIVATE_FETCH: Object.values(origins).join(" ") });
});
afterAll(() => {
  configure({ ALLOW_PRIVATE_FETCH: undefined });
  for (const each of servers) {
    each.close();
    each.closeAllConnections();
  }
});

test.each(Object.entries(origins))(
  "reuses one connection for successive requests to a server: %s",
  async (_, origin) => {
    for (let nth = 0; nth < 5; nth++) expect((await ask(origin)).status).toBe(200);
    expect([...asked.values()]).toEqual([5]);
    expect(lookups).toBe(1);
  },
);

test("shares no connection among different users of the pool", async () => {
  await ask(origins.tls, "a");
  await ask(origins.tls, "b");
  expect([...asked.values()]).toEqual([1, 1]);
  time = 59_999;
  await ask(origins.tls, "a");
  expect([...asked.values()]).toEqual([2, 1]);
  time = 60_000;
  await ask(origins.tls, "a");
  expect([...asked.values()]).toEqual([2, 1, 1]);
  // The cache evicts the first of three entries.
  await ask(origins.tls, "c");
  await ask(origins.tls, "b");
  expect([...asked.values()]).toEqual([2, 1, 1, 1, 1]);
});

test("does not connect to a name that now resolves to a private address", async () => {
  await ask(origins.tls);
  configure({ ALLOW_PRIVATE_FETCH: undefined });
  time = 60_000;
  await expect(ask(origins.tls)).rejects.toThrow("not public");
  await expect(ask(`https://127.0.0.1:${tls}`)).rejects.toThrow("not public");
  leadsTo = [
    { address: "1.1.1.1", family: 4 },
    { address: "127.0.0.1", family: 4 },
  ];
  await expect(ask(origins.tls)).rejects.toThrow("not public");
  expect([...asked.values()]).toEqual([1]);
});

test("retries once when a reused connection closes", async () => {
  reply = (response, nth) => (nth === 1 ? response.end("ok") : response.socket?.destroy());
  for (let nth = 0; nth < 3; nth++) expect((await ask(origins.plain)).status).toBe(200);
  reply = (response) => response.socket?.destroy();
  await expect(ask(origins.plain)).rejects.toThrow(/socket hang up|ECONNRESET/);
});

test("does not repeat a request after a partial response", async () => {
  await ask(origins.plain);
  reply = (response) => {
    response.writeHead(200, { "content-length": "50" });
    response.write("x", () => response.socket?.destroy());
  };
  await expect(ask(origins.plain)).rejects.toThrow();
  expect([...asked.values()].reduce((sum, nth) => sum + nth)).toBe(2);
});
