import http, { type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { configure } from "@/lib/testing/change-settings";
import { createHttpServer } from "./server";

/** The headers of the last request that Next received. */
let handed: IncomingMessage["headers"] = {};
const front = createHttpServer(async (req, res) => {
  handed = req.headers;
  res.end("page");
});
await new Promise<void>((resolve) => front.server.listen(0, "127.0.0.1", resolve));
const { port } = front.server.address() as AddressInfo;
afterAll(() => front.drain(500));
afterEach(() => {
  configure({ TRUST_PROXY: undefined });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  new Promise<IncomingMessage>((resolve) => http.get({ port, path, headers }, (reply) => resolve(reply.resume())));

test("takes the caller's address from the socket, not from request headers", async () => {
  await get("/sign-in", { "x-forwarded-for": "203.0.113.7", "x-countersign-address": "203.0.113.8" });
  expect(handed["x-countersign-address"]).toBe("127.0.0.1");
});

test("logs only one warning for each sign of an untrusted proxy", async () => {
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const lines = () => said.mock.calls.map(([line]) => String(line)).filter((line) => line.includes("TRUST_PROXY is 0"));
  try {
    vi.resetModules();
    const { warnOnForwardedHeader, warnOfUntrustedProxy } = await import("./proxy-warnings");
    const request = (headers: object) => ({ headers }) as IncomingMessage;
    warnOfUntrustedProxy();
    warnOnForwardedHeader(request({}));
    expect(lines()).toEqual([]);
    configure({ PUBLIC_URL: "https://yes.example.com" });
    warnOfUntrustedProxy();
    for (let time = 0; time < 3; time++) warnOnForwardedHeader(request({ "x-forwarded-for": "203.0.113.7" }));
    expect(lines()).toEqual([
      expect.stringContaining("PUBLIC_URL is an https address"),
      expect.stringContaining("X-Forwarded-For"),
    ]);
    configure({ TRUST_PROXY: "1" });
    vi.resetModules();
    const trusting = await import("./proxy-warnings");
    trusting.warnOfUntrustedProxy();
    trusting.warnOnForwardedHeader(request({ "x-forwarded-for": "203.0.113.7" }));
    expect(lines()).toHaveLength(2);
  } finally {
    said.mockRestore();
    configure({ PUBLIC_URL: undefined });
  }
});

test("ignores an address in a forged internal header", async () => {
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const warned = () => said.mock.calls.some(([line]) => String(line).includes("TRUST_PROXY is 0"));
  vi.resetModules();
  let last: IncomingMessage["headers"] = {};
  const fresh = (await import("./server")).createHttpServer(async (req, res) => {
    last = req.headers;
    res.end("page");
  });
  try {
    await new Promise<void>((resolve) => fresh.server.listen(0, "127.0.0.1", resolve));
    const { port } = fresh.server.address() as AddressInfo;
    const ask = (headers: http.OutgoingHttpHeaders) =>
      new Promise((resolve) => http.get({ port, path: "/approvals", headers }, (reply) => resolve(reply.resume())));
    await ask({});
    expect([warned(), last["x-countersign-address"]]).toEqual([false, "127.0.0.1"]);
    await ask({ ...last, "x-forwarded-for": "203.0.113.9", "x-countersign-address": "203.0.113.9" });
    expect([warned(), last["x-countersign-address"]]).toEqual([true, "127.0.0.1"]);
  } finally {
    said.mockRestore();
    await fresh.drain(500);
  }
});

test("uses the caller's address that the outermost trusted proxy reports", async () => {
  configure({ TRUST_PROXY: "2" });
  await get("/sign-in", { "x-forwarded-for": "198.51.100.1, 203.0.113.7, 10.0.0.1" });
  expect(handed["x-countersign-address"]).toBe("203.0.113.7");
  expect(handed.host).toBe("localhost:3000");
});

test("removes request headers that only the framework or a proxy may set", async () => {
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

test("gives every page load a new nonce", async () => {
  const policies = [await get("/"), await get("/")].map(({ headers }) => String(headers["content-security-policy"]));
  const nonces = policies.map((policy) => /'nonce-([^']+)'/.exec(policy)?.[1]);
  expect(new Set(nonces).size).toBe(2);
  expect(policies[0]).toContain("form-action 'self'");
  const consent = await get("/consent/con_x");
  expect(consent.headers["content-security-policy"]).not.toContain("form-action");
});

test.each(["PUT", "DELETE", "PATCH"])("rejects the HTTP method %s", async (method) => {
  const send = (path: string) =>
    new Promise<number>((resolve) =>
      http
        .request({ port, method, path, headers: { "content-length": 0 } }, (reply) =>
          resolve(reply.resume().statusCode ?? 0),
        )
        .end(),
    );
  for (const path of ["/oauth/register", "/oauth/register/app_x", "/approvals", "/oauth/authorize"])
    expect([path, await send(path)]).toEqual([path, 405]);
});

/**
 * Sends a request with a small form.
 * @returns the response, and whether the request reached the pages
 */
function post(path: string, headers: Record<string, string>, method = "POST") {
  handed = {};
  return new Promise<{ status: number; body: string; headers: http.IncomingHttpHeaders; reached: boolean }>((resolve) =>
    http
      .request({ port, method, path, headers: { "content-length": "3", ...headers } }, (reply) => {
        let body = "";
        reply.on("data", (chunk) => (body += chunk));
        reply.on("end", () => {
          const reached = "x-countersign-path" in handed;
          resolve({ status: reply.statusCode ?? 0, body, headers: reply.headers, reached });
        });
      })
      .end("a=b"),
  );
}
const ours = "http://localhost:3000";
const pagesThatAct = ["/approvals", "/sign-in", "/sign-out", "/acts/approval.answer", "/consent/con_x/decide"];
const everyPage = [
  ...pagesThatAct,
  "/oauth/../approvals",
  "/alerts/unsubscribe/x",
  "/alerts/slack/x",
  "/alerts/answer",
];

test.each<[string, Record<string, string>]>([
  ["names no origin", {}],
  ["is from a foreign page", { origin: "https://evil.example" }],
  ["is from a foreign page by both headers", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
  ["is from a foreign page with our host name", { origin: "http://evil.example:4510", host: "evil.example:4510" }],
  ["is from our host at another port", { origin: "http://localhost:3001", host: "localhost:3000" }],
  ["is from another page of this computer", { origin: "http://127.0.0.1:4000", host: "127.0.0.1:3000" }],
  ["has a null origin", { origin: "null" }],
  ["is cross-site without an Origin", { "sec-fetch-site": "cross-site" }],
  ["is same-site without an Origin", { "sec-fetch-site": "same-site" }],
  ["has no initiator", { "sec-fetch-site": "none" }],
  ["has contradictory headers", { origin: ours, "sec-fetch-site": "cross-site" }],
  ["has a null origin on another site", { origin: "null", "sec-fetch-site": "cross-site" }],
  ["has only our Referer", { referer: `${ours}/approvals` }],
])("returns 403 for a form that %s", async (_what, headers) => {
  for (const path of everyPage) {
    const { status, body, reached } = await post(path, { host: "localhost:3000", ...headers });
    expect([path, status, body, reached]).toEqual([path, 403, JSON.stringify({ error: refused }), false]);
  }
});
const cause = `This request did not come from a page on ${ours}`;
const refused = `${cause}, so no changes were made`;

test.each<[string, Record<string, string>]>([
  ["Origin", { origin: ours }],
  ["Origin and fetch metadata", { origin: ours, "sec-fetch-site": "same-origin" }],
  ["fetch metadata alone", { "sec-fetch-site": "same-origin" }],
  ["a null origin and same-origin fetch metadata", { origin: "null", "sec-fetch-site": "same-origin" }],
  ["another name of this computer", { origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" }],
  [
    "another name of this computer and fetch metadata",
    { origin: "http://[::1]:3000", host: "[::1]:3000", "sec-fetch-site": "same-origin" },
  ],
])("accepts the service's own form with %s", async (_what, headers) => {
  for (const path of pagesThatAct)
    expect([path, (await post(path, { host: "localhost:3000", ...headers })).reached]).toEqual([path, true]);
});

test("accepts only PUBLIC_URL as the service's origin", async () => {
  configure({ PUBLIC_URL: "https://yes.example.com" });
  try {
    for (const origin of ["http://localhost:3000", "http://127.0.0.1:3000", "http://yes.example.com"])
      expect((await post("/approvals", { origin, host: new URL(origin).host })).status).toBe(403);
    expect((await post("/approvals", { origin: "https://yes.example.com", host: "10.0.0.7" })).reached).toBe(true);
    // The pages get only our host name, whatever name the proxy uses.
    expect(handed.host).toBe("yes.example.com");
  } finally {
    configure({ PUBLIC_URL: ours });
  }
});

test("accepts POST requests without an Origin header on paths for apps and mail clients", async () => {
  const paths = [
    "/oauth/register",
    "/oauth/device_authorization",
    "/register",
    "/alerts/unsubscribe?k=x",
    "/alerts/slack",
  ];
  for (const path of paths) expect([path, (await post(path, {})).reached]).toEqual([path, true]);
});

test("responds to a rejected form with a page that blocks framing", async () => {
  const reply = await post("/approvals", { origin: "https://evil.example", accept: "text/html,*/*" });
  expect([reply.status, reply.headers["content-type"]]).toEqual([403, "text/html; charset=utf-8"]);
  expect(reply.body).toContain(`<p>${cause}.</p>`);
  expect(reply.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
});

test("returns 404 for the image optimizer's path", async () => {
  for (const path of ["/_next/image?url=%2Fsettings&w=640&q=75", "/_next/image"])
    expect([(await get(path)).statusCode, handed["x-countersign-path"] === path]).toEqual([404, false]);
});

test.each([
  ...["/", "/approvals", "/_next/static/chunks/a.js", "/sw.js", "/oauth/authorize", "/.well-known"].map((it) => [
    it,
    "same-origin",
  ]),
  ...[
    "/client/countersign.js",
    "/client/countersign.tgz",
    "/.well-known/jwks.json",
    "/icons/icon-192.png",
    "/mark.svg",
    "/openapi.json",
    "/countersign.postman_collection.json",
  ].map((it) => [it, "cross-origin"]),
] as [string, string][])("serves %s with the cross-origin resource policy %s", async (path, policy) => {
  expect((await get(path)).headers["cross-origin-resource-policy"]).toBe(policy);
});
