import http from "node:http";
import net from "node:net";
import { describe, expect, test } from "vitest";
import { db } from "@/lib/database/db";
import { deleteApp } from "@/lib/grants/delete-app";
import { revokeGrant } from "@/lib/grants/grants";
import { startFront } from "@/lib/testing/api-server";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { unknownSecret } from "@/lib/testing/unknown-secret";

/*
 * Sends invalid paths, methods and headers as bytes on a socket, because HTTP clients would reject
 * them.
 */
const { port, front } = await startFront();
const { token } = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
const bearer = `Authorization: Bearer ${token}`;

type Raw = { status: number; headers: string; body: string; closed: boolean };

/**
 * Sends bytes and reads the response.
 * @param until `reply` to read one complete response, or `end` to read until the connection ends
 */
function send(bytes: string | Buffer, until: "reply" | "end" = "reply"): Promise<Raw> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1", () => socket.write(bytes));
    let text = "";
    let closed = false;
    const late = setTimeout(done, 60_000);
    function done() {
      clearTimeout(late);
      socket.destroy();
      const [headers = "", ...rest] = text.split("\r\n\r\n");
      resolve({
        status: Number(headers.slice(9, 12)),
        headers: headers.toLowerCase(),
        body: rest.join("\r\n\r\n"),
        closed,
      });
    }
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (until === "reply" && isWhole(text, bytes)) done();
    });
    socket.on("close", () => {
      closed = true;
      done();
    });
    socket.on("error", () => {});
  });
}

/**
 * Returns whether a response is complete. Our responses with a body have a content length or are
 * chunked.
 */
function isWhole(text: string, asked: string | Buffer): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, end))?.[1] ?? 0);
  if (/^transfer-encoding:/im.test(text.slice(0, end))) return text.endsWith("0\r\n\r\n");
  return /^(HEAD|head) /.test(asked.toString()) || text.length >= end + 4 + length;
}

/** Writes the whole request before reading the response, as simple clients do. */
const writeThenRead = (head: string, body: Buffer) =>
  new Promise<string>((resolve, reject) => {
    const socket = net.connect(port, "127.0.0.1").pause();
    let text = "";
    socket.on("data", (chunk) => (text += chunk)).pause();
    socket.on("error", reject).on("close", () => resolve(text));
    socket.write(head);
    socket.write(body, () => socket.resume());
  });

const asked = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, "Host: localhost", ...headers].join("\r\n")}\r\n\r\n`;
const request = (line: string, ...headers: string[]) => send(asked(line, ...headers));
const get = (path: string, ...headers: string[]) => request(`GET ${path}`, bearer, ...headers);

const isJson = ({ headers, body }: Raw) => {
  expect(headers).toContain("content-type: application/json");
  expect(headers).toContain("cache-control: no-store");
  expect(JSON.parse(body)).toMatchObject({ error: expect.any(String) });
};

describe("paths", () => {
  test.each([
    ["an undecodable escape", "/api/approvals/%zz"],
    ["an undecodable escape", "/api/approvals/%ff"],
    ["an undecodable escape", "/api/approvals/%ed%a0%80"],
    ["a page", "/approvals/%zz"],
    ["a NUL", "/api/approvals/%00"],
    ["escaped dot segments", "/api/approvals/..%2f..%2fetc%2fpasswd"],
    ["a trailing slash", "/api/approvals/"],
    ["an empty segment", "//api/approvals"],
    ["another host", "//evil.example/api/approvals"],
    ["a backslash", "/api\\approvals"],
    ["an escaped prefix", "/%61pi/approvals"],
    ["an unknown path", "/api/nope"],
    ["an unknown path", "/api"],
    ["an unknown path", "/api/approvals/x/y/z"],
  ])("returns a JSON 404 instead of a redirect for %s: %s", async (_row, path) => {
    const reply = await get(path);
    expect(reply.status).toBe(404);
    expect(reply.headers).not.toContain("location:");
    isJson(reply);
  });
});

describe("methods", () => {
  test.each([
    ["an unsupported method", "PUT /api/approvals", "get, head, post, options"],
    ["an unsupported method", "PATCH /api/approvals", "get, head, post, options"],
    ["an unsupported method", "DELETE /api/approvals/apr_x", "get, head, options"],
    ["an unsupported method", "GET /api/approvals/apr_x/resolve", "post, options"],
    ["HEAD on a path without GET", "HEAD /api/approvals/apr_x/resolve", "post, options"],
    ["an unsupported method", "POST /api/integrations", "get, head, options"],
    ["TRACE", "TRACE /api/approvals", "get, head, post, options"],
  ])("returns 405 for %s (%s) with Allow: %s", async (_row, line, allow) => {
    const reply = await request(line);
    expect([reply.status, /allow: ([^\r]*)/.exec(reply.headers)?.[1]]).toEqual([405, allow]);
    if (!line.startsWith("HEAD")) isJson(reply);
  });

  test("rejects unknown HTTP methods with a JSON error", async () => {
    for (const method of ["PROPFIND", "FOO", "get"]) {
      const reply = await request(`${method} /api/approvals`);
      expect([400, 405]).toContain(reply.status);
      expect(reply.headers).toContain("content-type: application/json");
    }
  });

  test("responds to HEAD as to GET but without a body", async () => {
    const head = await request("HEAD /api/approvals", bearer);
    expect([head.status, head.body]).toEqual([200, ""]);
    const options = await request("OPTIONS /api/approvals");
    expect([options.status, options.body]).toEqual([204, ""]);
    expect(options.headers).toContain("allow: get, head, post, options");
  });

  test("allows requests from other origins only without credentials", async () => {
    const reply = await request(
      "OPTIONS /api/approvals",
      "Origin: https://other.example",
      "Access-Control-Request-Method: POST",
    );
    expect(reply.status).toBe(204);
    expect(reply.headers).toContain("access-control-allow-origin: *");
    expect(reply.headers).not.toContain("access-control-allow-credentials");
  });
});

describe("authorization", () => {
  test.each(["bearer", "BEARER", "Bearer "])("accepts the authorization scheme %s", async (scheme) => {
    expect((await request("GET /api/approvals", `Authorization: ${scheme} ${token}`)).status).toBe(200);
  });

  const said = {
    unsent: "The request has no token. Send Authorization: Bearer <token>.",
    scheme: "The Authorization header must begin with Bearer. Send Authorization: Bearer <token>.",
    empty: "The Authorization header has no token after Bearer. Check that your token variable is set.",
    junk: "The token is not a complete access token or personal token. Copy the whole token, which begins with csn_.",
  };
  test.each([
    ["an empty header", "", "unsent"],
    ["a missing token", "Bearer", "empty"],
    ["a missing token", "Bearer ", "empty"],
    ["a tab before the token", `Bearer\t${token}`, "junk"],
    ["two values", `Bearer a b`, "junk"],
    ["two values", `Bearer ${token}, Bearer x`, "junk"],
    ["a missing scheme", token, "scheme"],
    ["another scheme", `Basic ${token}`, "scheme"],
    ["another scheme", `Digest ${token}`, "scheme"],
    ["a token named like a property of every object", "Bearer __proto__", "junk"],
    ["a token named like a property of every object", "Bearer constructor", "junk"],
    ["a token named like a property of every object", "Bearer toString", "junk"],
    ["a malformed token", "Bearer clé", "junk"],
    ["a malformed token", `Bearer ${"x".repeat(8_000)}`, "junk"],
    ["a refresh token", `Bearer ${unknownSecret("rt")}`, "junk"],
  ] as const)("returns 401 and a hint for %s", async (_row, value, kind) => {
    const reply = await request("GET /api/approvals", `Authorization: ${value}`);
    const why = said[kind];
    expect([reply.status, JSON.parse(reply.body)]).toEqual([
      401,
      { error: "Unauthorized", details: [{ path: "", message: why }] },
    ]);
    expect(reply.headers).toContain("www-authenticate: bearer");
    // If the request has no bearer token, the challenge contains no error (RFC 6750 section 3.1).
    const error = `error="invalid_token", error_description="${why.toLowerCase()}"`;
    if (kind === "unsent" || kind === "scheme") expect(reply.headers).not.toContain("error");
    else expect(reply.headers).toContain(error);
  });

  test("accepts a token only in a single Authorization header", async () => {
    expect((await request("GET /api/approvals", bearer, "Authorization: Bearer x")).status).toBe(401);
    expect((await request(`GET /api/approvals?access_token=${token}`)).status).toBe(401);
    expect((await request("GET /api/approvals", `Cookie: next-auth.session-token=${token}`)).status).toBe(401);
  });

  test("returns 401 for tokens of deleted apps and ended grants", async () => {
    const deleted = await anAppWith("approvals:read");
    await deleteApp(deleted.owner, deleted.clientId);
    const revoked = await anAppWith("approvals:read");
    await revokeGrant(revoked.owner, revoked.clientId);
    const over = await anAppWith("approvals:read");
    await db.$executeRaw`UPDATE app_grant SET expires_at = now() - interval '1 second' WHERE app_id = ${over.clientId}`;
    for (const { token: dead } of [deleted, revoked, over])
      expect((await request("GET /api/approvals", `Authorization: Bearer ${dead}`)).status).toBe(401);
  });

  test("ignores request headers that only a framework may set", async () => {
    const reply = await request(
      "GET /api/approvals",
      "x-middleware-subrequest: middleware:middleware",
      "next-resume: 1",
      "RSC: 1",
      "x-forwarded-host: evil.example",
    );
    expect(reply.status).toBe(401);
  });
});

describe("request framing", () => {
  test.each([
    [
      "an absolute request target",
      `GET http://evil.example/api/approvals HTTP/1.1\r\nHost: localhost\r\n${bearer}\r\n\r\n`,
    ],
    ["a missing Host", `GET /api/approvals HTTP/1.1\r\n${bearer}\r\n\r\n`],
    ["an invalid Host", `GET /api/approvals HTTP/1.1\r\nHost: a b/c\r\n${bearer}\r\n\r\n`],
    [
      "both Content-Length and Transfer-Encoding",
      `POST /api/approvals HTTP/1.1\r\nHost: x\r\n${bearer}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      "an invalid Content-Length",
      `POST /api/approvals HTTP/1.1\r\nHost: x\r\n${bearer}\r\nContent-Length: abc\r\n\r\n`,
    ],
    ["bare line feeds", `GET /api/approvals HTTP/1.1\nHost: x\n${bearer}\n\n`],
    ["a folded header", `GET /api/approvals HTTP/1.1\r\nHost: x\r\nX-A: a\r\n b\r\n${bearer}\r\n\r\n`],
    ["a NUL in a header", `GET /api/approvals HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\0b\r\n\r\n`],
    [
      "two different Hosts",
      `GET /api/approvals HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n${bearer}\r\n\r\n`,
    ],
    ["a repeated Host", `GET /api/approvals HTTP/1.1\r\nHost: x\r\nhost: x\r\n${bearer}\r\n\r\n`],
    ["two Hosts in a health check", "GET /readyz HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n"],
    ["HTTP/2.0 in the request line", `GET /api/approvals HTTP/2.0\r\nHost: x\r\n${bearer}\r\n\r\n`],
    ["HTTP/0.9 in the request line", `GET /api/approvals HTTP/0.9\r\nHost: x\r\n${bearer}\r\n\r\n`],
    ["bytes that are not HTTP", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"],
  ])("returns 400 in JSON for %s", async (_row, bytes) => {
    const reply = await send(Buffer.from(bytes, "latin1"), "end");
    expect([reply.status, reply.closed]).toEqual([400, true]);
    expect(reply.headers).not.toContain("location:");
    isJson(reply);
  });

  test("returns 431 for more than 16 kB of headers", async () => {
    expect((await request("GET /api/approvals", `X-Big: ${"x".repeat(17_000)}`)).status).toBe(431);
  });
});

describe("request size", () => {
  const post = `POST /api/approvals HTTP/1.1\r\nHost: x\r\n${bearer}\r\nContent-Type: application/json\r\n`;

  test("returns 413 for a long body without reading the body first", async () => {
    const reply = await send(`${post}Content-Length: 11000000\r\n\r\n{`, "end");
    expect([reply.status, reply.closed]).toEqual([413, true]);
    isJson(reply);
  });

  test("returns 413 for a chunked body over the limit", async () => {
    const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
    const reply = await send(`${post}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(10)}`, "end");
    expect([reply.status, reply.closed]).toEqual([413, true]);
  });

  test("limits a body to exactly 128 KiB", async () => {
    const of = (size: number) => {
      const frame = JSON.stringify({ ...aQuestion, backgroundContext: "" });
      return JSON.stringify({ ...aQuestion, backgroundContext: "x".repeat(size - frame.length) });
    };
    for (const [size, status] of [
      [128 * 1024, 400],
      [128 * 1024 + 1, 413],
    ] as const)
      expect([size, (await send(`${post}Content-Length: ${size}\r\n\r\n${of(size)}`)).status]).toEqual([size, status]);
  });

  const doors: [string, Record<string, string>][] = [
    ["/api/approvals", { authorization: `Bearer ${token}`, "content-type": "application/json" }],
    ["/api/mcp", { authorization: `Bearer ${token}`, "content-type": "application/json" }],
    ["/oauth/token", { "content-type": "application/x-www-form-urlencoded" }],
    ["/oauth/register", { "content-type": "application/json" }],
    ["/sign-in", { origin: "http://localhost:3000", "content-type": "multipart/form-data; boundary=x" }],
  ];
  const long = Buffer.alloc(11_000_000, "x");

  test.each(doors)(
    "delivers the 413 response to clients that send 11 MB to %s before reading",
    async (path, headers) => {
      const head = Object.entries({ host: "localhost", ...headers, "content-length": long.length });
      const reply = await writeThenRead(
        `POST ${path} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
        long,
      );
      expect(reply).toMatch(/^HTTP\/1\.1 413 [\s\S]*\}$/);
    },
  );

  test("delivers the 413 response to Node's fetch and http.request", async () => {
    const [path, headers] = doors[0] as (typeof doors)[0];
    for (let time = 0; time < 5; time++) {
      const fetched = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body: long });
      const requested = await new Promise<number | undefined>((resolve, reject) => {
        const sent = http.request({ port, path, method: "POST", headers }, (reply) =>
          resolve(reply.resume().statusCode),
        );
        sent.on("error", reject).end(long);
      });
      expect([fetched.status, requested]).toEqual([413, 413]);
    }
  });

  test("discards at most 16 MB of an endless body", async () => {
    // `external` counts only this thread's memory. Other threads run other tests.
    const held = () => process.memoryUsage().external;
    const before = held();
    let max = 0;
    const looking = setInterval(() => (max = Math.max(max, held() - before)), 5);
    const endless = Array.from(
      { length: 40 },
      () =>
        new Promise<number>((resolve) => {
          const socket = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true });
          let written = 0;
          const block = Buffer.alloc(64 * 1024);
          const more = () => {
            while (written < 1e9 && !socket.destroyed) {
              written += block.length;
              if (!socket.write(block)) return void socket.once("drain", more);
            }
          };
          socket.write(`${post}Content-Length: 1000000000\r\n\r\n`);
          socket.on("error", () => {}).on("close", () => resolve(written));
          socket.resume();
          more();
        }),
    );
    // The kernel's buffers at both ends accept data in addition to the 16 MB.
    for (const written of await Promise.all(endless)) expect(written).toBeLessThan(40e6);
    clearInterval(looking);
    // Buffering the 40 bodies would take 640 MB. Discarded data stays in memory until the garbage
    // collector runs.
    expect(max).toBeLessThan(200e6);
    const silent = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    silent.write(`${post}Content-Length: 1000000000\r\n\r\n{`);
    let text = "";
    silent.on("data", (chunk) => (text += chunk));
    silent.on("error", () => {});
    await new Promise((resolve) => silent.once("close", resolve).once("end", () => resolve(undefined)));
    expect(text).toContain("413");
    // The service closes its half of the connection with the response. It closes the whole
    // connection once no more data arrives.
    await expect
      .poll(() => new Promise<number>((resolve) => front.server.getConnections((_, n) => resolve(n))))
      .toBe(0);
    silent.destroy();
  });

  test("returns 100 Continue or 413 before the client sends the body", async () => {
    const body = JSON.stringify(aQuestion);
    const continued = await send(`${post}Expect: 100-continue\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`);
    expect(continued.status).toBe(100);
    const refused = await send(`${post}Expect: 100-continue\r\nContent-Length: 11000000\r\n\r\n`);
    expect(refused.status).toBe(413);
  });
});

test("times out requests with slow headers or an incomplete body", async () => {
  const slow = (bytes: string) =>
    new Promise<{ ms: number; text: string }>((resolve) => {
      const began = performance.now();
      let text = "";
      const socket = net.connect(port, "127.0.0.1", () => socket.write(bytes));
      socket.on("data", (chunk) => {
        text += chunk.toString();
      });
      socket.on("close", () => resolve({ ms: performance.now() - began, text }));
      socket.on("error", () => {});
    });
  const headers = slow("GET /api/approvals HTTP/1.1\r\nHost: x\r\n");
  const body = slow(
    `POST /api/approvals HTTP/1.1\r\nHost: x\r\n${bearer}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  );
  expect((await get("/api/approvals")).status).toBe(200);
  expect((await headers).text).toContain("408 Request Timeout");
  expect((await body).text).not.toContain("201 Created");
});

describe("unneeded upgrade request (RFC 9110 section 7.8)", () => {
  const body = JSON.stringify(aQuestion);
  // Java's HttpClient and curl with --http2 send these headers with their first request to an
  // http:// address.
  const offer =
    "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA";
  const post = `POST /api/approvals HTTP/1.1\r\nHost: x\r\n${bearer}\r\n${offer}\r\nContent-Type: application/json\r\n`;
  const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

  test.each([
    ["GET", `GET /api/approvals HTTP/1.1\r\nHost: x\r\n${bearer}\r\n${offer}\r\n\r\n`, 200],
    ["POST", `${post}Content-Length: ${body.length}\r\n\r\n${body}`, 201],
    ["a chunked POST", `${post}Transfer-Encoding: chunked\r\n\r\n${chunks}`, 201],
    ["a probe", `GET /readyz HTTP/1.1\r\nHost: x\r\n${offer}\r\n\r\n`, 200],
    ["a page", `GET /approvals HTTP/1.1\r\nHost: x\r\n${offer}\r\n\r\n`, 404],
    ["another protocol", "GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: TLS/1.0\r\n\r\n", 200],
  ])("ignores an upgrade offer: %s", async (_what, bytes, status) => {
    const reply = await send(bytes);
    expect([reply.status, reply.headers.includes("upgrade")]).toEqual([status, false]);
  });

  test("keeps the connection open for more HTTP/1.1 requests after an ignored upgrade offer", async () => {
    const socket = net.connect(port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => (text += chunk));
    socket.write(`${post}Content-Length: ${body.length}\r\n\r\n${body}`);
    await expect.poll(() => text).toContain('{"id":"apr_');
    socket.write(`${post}Transfer-Encoding: chunked\r\n\r\n${chunks}`);
    await expect.poll(() => text.match(/\{"id":"apr_/g)).toHaveLength(2);
    socket.end("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
    await expect.poll(() => text).toMatch(/\{"status":"ok"\}$/);
  });

  test("rejects a WebSocket upgrade", async () => {
    const offer = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
    const reply = await send(asked("GET /api/events", bearer, ...offer), "end");
    expect([reply.status, reply.closed]).toEqual([400, true]);
    isJson(reply);
  });
});

test.each([
  "GET /readyz HTTP/1.0\r\n\r\n",
  "GET /livez HTTP/1.0\r\n\r\n",
  "GET /api/health HTTP/1.0\r\n\r\n",
  "HEAD /readyz HTTP/1.0\r\n\r\n",
  // HAProxy's `option httpchk /readyz` sends this request if it names no method.
  "OPTIONS /readyz HTTP/1.0\r\n\r\n",
  "GET /readyz HTTP/1.1\r\n\r\n",
  "GET /readyz HTTP/1.1\r\nHost:\r\n\r\n",
  "GET /readyz HTTP/1.1\r\nHost: 10.0.0.7:3000\r\n\r\n",
  "GET /readyz?from=a+balancer HTTP/1.0\r\nHost: no/host\r\n\r\n",
  "GET /readyz HTTP/2.0\r\n\r\n",
])("returns 200 for the health check %j", async (bytes) => {
  const reply = await send(bytes);
  expect([reply.status, reply.body]).toEqual([200, bytes.startsWith("HEAD") ? "" : '{"status":"ok"}']);
});

test("returns 200 for liveness and readiness checks", async () => {
  expect((await request("GET /livez")).status).toBe(200);
  expect((await request("GET /readyz")).status).toBe(200);
  expect((await request("GET /api/health")).status).toBe(200);
  expect((await request("POST /api/health")).status).toBe(405);
  expect(JSON.parse((await request("GET /api/openapi.json")).body)).toMatchObject({ openapi: "3.1.0" });
});
