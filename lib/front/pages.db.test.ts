import http, { type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { resetEnv } from "@/lib/env";
import { createFront } from "./front";

/** What Next would be handed. */
let handed: IncomingMessage["headers"] = {};
const front = createFront(async (req, res) => {
  handed = req.headers;
  res.end("page");
});
await new Promise<void>((resolve) => front.server.listen(0, "127.0.0.1", resolve));
const { port } = front.server.address() as AddressInfo;
afterAll(() => front.drain(500));
afterEach(() => {
  delete process.env.TRUST_PROXY;
  resetEnv();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  new Promise<IncomingMessage>((resolve) => http.get({ port, path, headers }, (reply) => resolve(reply.resume())));

test("B90 the caller's address is the socket's, whatever the caller says", async () => {
  await get("/sign-in", { "x-forwarded-for": "203.0.113.7", "x-countersign-address": "203.0.113.8" });
  expect(handed["x-countersign-address"]).toBe("127.0.0.1");
});

test("a proxy that is not trusted is said once, at the start and when its header arrives (F2)", async () => {
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const lines = () => said.mock.calls.map(([line]) => String(line)).filter((line) => line.includes("TRUST_PROXY is 0"));
  try {
    vi.resetModules();
    const { noticeForwarded, warnOfUntrustedProxy } = await import("./proxy");
    const request = (headers: object) => ({ headers }) as IncomingMessage;
    warnOfUntrustedProxy();
    noticeForwarded(request({}));
    expect(lines()).toEqual([]);
    process.env.PUBLIC_URL = "https://yes.example.com";
    resetEnv();
    warnOfUntrustedProxy();
    for (let time = 0; time < 3; time++) noticeForwarded(request({ "x-forwarded-for": "203.0.113.7" }));
    expect(lines()).toEqual([
      expect.stringContaining("PUBLIC_URL is https"),
      expect.stringContaining("X-Forwarded-For"),
    ]);
    process.env.TRUST_PROXY = "1";
    resetEnv();
    vi.resetModules();
    const trusting = await import("./proxy");
    trusting.warnOfUntrustedProxy();
    trusting.noticeForwarded(request({ "x-forwarded-for": "203.0.113.7" }));
    expect(lines()).toHaveLength(2);
  } finally {
    said.mockRestore();
    delete process.env.PUBLIC_URL;
  }
});

test("behind proxies that are trusted it is what the outermost of them saw", async () => {
  process.env.TRUST_PROXY = "2";
  resetEnv();
  await get("/sign-in", { "x-forwarded-for": "198.51.100.1, 203.0.113.7, 10.0.0.1" });
  expect(handed["x-countersign-address"]).toBe("203.0.113.7");
  expect(handed.host).toBe("localhost:3000");
});

test("B88 what only the framework or a proxy may say does not reach the framework", async () => {
  await get("/", {
    "x-middleware-subrequest": "proxy",
    "x-nextjs-data": "1",
    "next-resume": "1",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
    "content-security-policy": "script-src 'nonce-mine'",
    "x-countersign-path": "/elsewhere",
  });
  for (const name of [
    "x-middleware-subrequest",
    "x-nextjs-data",
    "next-resume",
    "x-forwarded-host",
    "x-forwarded-proto",
  ])
    expect([name, handed[name]]).toEqual([name, undefined]);
  expect(handed["content-security-policy"]).not.toContain("nonce-mine");
  expect(handed["x-countersign-path"]).toBe("/");
});

test("every page has a nonce of its own", async () => {
  const policies = [await get("/"), await get("/")].map(({ headers }) => String(headers["content-security-policy"]));
  const nonces = policies.map((policy) => /'nonce-([^']+)'/.exec(policy)?.[1]);
  expect(new Set(nonces).size).toBe(2);
  expect(policies[0]).toContain("form-action 'self'");
  const consent = await get("/consent/con_x");
  expect(consent.headers["content-security-policy"]).not.toContain("form-action");
});

test("PUT and DELETE reach a client's registration and nothing else", async () => {
  const send = (method: string, path: string, headers: Record<string, string | number> = {}) =>
    new Promise<number>((resolve) =>
      http.request({ port, method, path, headers }, (reply) => resolve(reply.resume().statusCode ?? 0)).end(),
    );
  const length = { "content-length": 0 };
  expect(await send("PUT", "/oauth/register/app_x", length)).toBe(200);
  expect(await send("DELETE", "/oauth/register/app_x", length)).toBe(200);
  for (const path of ["/oauth/register", "/oauth/register/", "/oauth/register/a/b", "/approvals", "/oauth/authorize"]) {
    expect([path, await send("PUT", path, length), await send("DELETE", path, length)]).toEqual([path, 405, 405]);
  }
  expect(await send("PATCH", "/oauth/register/app_x", length)).toBe(405);
  expect(await send("PUT", "/oauth/register/app_x", { "content-length": 300_000 })).toBe(413);
});
