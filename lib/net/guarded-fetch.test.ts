import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import net, { type AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { env } from "@/lib/config/env";
import { configure } from "@/lib/testing/change-settings";
import { aCertificate } from "@/lib/testing/self-signed-certificate";
import type { Address } from "./dns";
import { type FetchDependencies, FetchRefused, type GuardedRequest, guardedFetch } from "./guarded-fetch";

configure({
  DATABASE_URL: "postgresql://nobody@localhost/none",
  SECRET: "only-for-tests-0123456789abcdef0123456789abcdef",
});

/**
 * The number of connections to `canary`, which must stay zero. It listens on every loopback
 * address.
 */
let visits = 0;
const canary = net.createServer((socket) => {
  visits++;
  socket.destroy();
});
await new Promise<void>((resolve) => canary.listen(0, "::", resolve));
const canaryPort = (canary.address() as AddressInfo).port;

const limits = { milliseconds: 2_000, bytes: 5_120 };
const names = (table: Record<string, string[]>): FetchDependencies & { asked: string[] } => {
  const asked: string[] = [];
  const resolve = async (host: string): Promise<Address[]> => {
    asked.push(host);
    const found = table[host];
    if (!found) throw new Error(`ENOTFOUND ${host}`);
    return found.map((address) => ({ address, family: net.isIPv6(address) ? 6 : 4 }));
  };
  return { asked, resolve };
};
const get = (url: string, world?: FetchDependencies, request: Partial<GuardedRequest> = {}) =>
  guardedFetch(new URL(url), { ...limits, ...request }, world);

beforeEach(() => {
  visits = 0;
});
afterEach(() => {
  configure({ ALLOW_PRIVATE_FETCH: undefined });
});
afterAll(() => void canary.close());

describe("private addresses", () => {
  it("counts a direct connection to the local test server", async () => {
    await new Promise<void>((resolve) =>
      net
        .connect(canaryPort, "127.0.0.1")
        .on("close", resolve)
        .on("error", () => {}),
    );
    expect(visits).toBe(1);
  });

  it.each([
    ...["127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "017700000001"],
    ...["0", "0.0.0.0", "127.000.000.001", "①②⑦.⓪.⓪.①", "127。0。0。1", "%31%32%37.0.0.1"],
    ...["[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]"],
    ...["[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[2001:0:7f00:1::]"],
    ...["169.254.169.254", "10.0.0.1", "192.168.0.1", "100.64.0.1", "[fd00:ec2::254]", "[fe80::1]", "168.63.129.16"],
  ])("rejects a request to https://%s", async (host) => {
    await expect(get(`https://${host}:${canaryPort}/x`)).rejects.toThrow("not public");
    expect(visits).toBe(0);
  });

  it.each([
    ["a private address", ["10.1.2.3"]],
    ["a loopback address", ["127.0.0.1"]],
    ["an IPv6 loopback address", ["::1"]],
    ["an IPv4-mapped loopback address", ["::ffff:127.0.0.1"]],
    ["a NAT64 loopback address", ["64:ff9b::7f00:1"]],
    ["a public address and a private one", ["2606:4700::1", "127.0.0.1"]],
    ["a private address and a public one", ["127.0.0.1", "1.1.1.1"]],
  ])("rejects a name that resolves to %s", async (_, addresses) => {
    await expect(get(`https://app.example:${canaryPort}/x`, names({ "app.example": addresses }))).rejects.toThrow(
      "not public",
    );
    expect(visits).toBe(0);
  });

  it("rejects localhost when the default resolver is used", async () => {
    await expect(get(`https://localhost:${canaryPort}/x`)).rejects.toThrow("not public");
    expect(visits).toBe(0);
  });

  it("resolves a name only once, even if DNS then switches to loopback", async () => {
    const asked: string[] = [];
    // An unused public range (the former 6bone), so that no packet reaches anyone.
    const world: FetchDependencies = {
      resolve: async (host) => [{ address: asked.push(host) === 1 ? "3ffe::1" : "::1", family: 6 }],
    };
    await expect(get(`https://app.example:${canaryPort}/x`, world, { milliseconds: 500 })).rejects.toBeInstanceOf(
      FetchRefused,
    );
    expect(asked).toEqual(["app.example"]);
    expect(visits).toBe(0);
  });

  it.each([
    ["http://app.example/x", "https"],
    ["ftp://app.example/x", "https"],
    ["file:///etc/passwd", "https"],
    ["https://user@app.example/x", "username"],
    ["https://:secret@app.example/x", "username"],
    ["https://app.example:22/x", "port"],
    ["https://app.example:25/x", "port"],
  ])("rejects the URL %s before any name lookup", async (url, why) => {
    const world = names({ "app.example": ["1.1.1.1"] });
    await expect(get(url, world)).rejects.toThrow(why);
    expect(world.asked).toEqual([]);
  });

  it("reports a name that is unknown, has no address or never resolves", async () => {
    await expect(get("https://app.example/x", names({}))).rejects.toThrow("ENOTFOUND");
    await expect(get("https://app.example/x", names({ "app.example": [] }))).rejects.toThrow("does not resolve");
    const never: FetchDependencies = { resolve: () => new Promise(() => {}) };
    await expect(get("https://app.example/x", never, { milliseconds: 100 })).rejects.toThrow("timed out");
  });
});

describe("response", () => {
  const { key, cert } = aCertificate("app.example");
  const seen: { servername: string | false | undefined; host: string | undefined; headers: string[] }[] = [];
  const replies: Record<string, { status?: number; headers?: Record<string, string>; body?: string | Buffer }> = {
    "/ok": { headers: { "content-type": "application/json" }, body: '{"ok":true}' },
    "/full": { body: "x".repeat(5_120) },
    "/over": { body: "x".repeat(5_121) },
    "/gzip": { headers: { "content-encoding": "gzip" }, body: gzipSync("x".repeat(1_000_000)) },
    "/moved": { status: 302, headers: { location: `https://127.0.0.1:${canaryPort}/x` } },
    "/moved-plain": { status: 307, headers: { location: `http://127.0.0.1:${canaryPort}/x` } },
  };
  const server = createTlsServer({ key, cert }, (req, res) => {
    seen.push({
      servername: (req.socket as unknown as { servername?: string }).servername,
      host: req.headers.host,
      headers: Object.keys(req.headers),
    });
    if (req.url === "/slow") return void setTimeout(() => res.end("late"), 2_000).unref();
    if (req.url === "/drip") {
      const drip = setInterval(() => res.write("x"), 50);
      return void res.on("close", () => clearInterval(drip));
    }
    if (req.url === "/endless") {
      const flood = () => {
        while (res.writable && res.write("x".repeat(1000)));
      };
      res.on("drain", flood);
      return flood();
    }
    if (req.url === "/cut") {
      res.writeHead(200, { "content-length": "100" });
      return void res.write("x", () => req.socket.destroy());
    }
    if (req.url === "/echo") return void req.pipe(res);
    const { status = 200, headers = {}, body = "" } = replies[req.url ?? ""] ?? { status: 404 };
    res.writeHead(status, headers).end(body);
  });

  async function listening(it: Server = server as unknown as Server) {
    if (!it.listening) await new Promise<void>((resolve) => it.listen(0, "127.0.0.1", resolve));
    const { port } = it.address() as AddressInfo;
    return port;
  }
  /** Fetches from an exempt origin, because tests can use only private addresses. */
  async function ask(path: string, request: Partial<GuardedRequest> = {}, ca: string | undefined = cert) {
    const origin = `https://app.example:${await listening()}`;
    configure({ ALLOW_PRIVATE_FETCH: `http://else.example ${origin}` });
    return get(origin + path, { ...names({ "app.example": ["127.0.0.1"] }), ...(ca && { ca }) }, request);
  }
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  it("reads the response from the checked address", async () => {
    seen.length = 0;
    const { status, headers, body } = await ask("/ok", { headers: { accept: "application/json" } });
    expect([status, headers["content-type"], body.toString()]).toEqual([200, "application/json", '{"ok":true}']);
    expect(seen).toEqual([
      {
        servername: "app.example",
        host: `app.example:${await listening()}`,
        headers: expect.arrayContaining(["accept", "accept-encoding", "host", "user-agent"]),
      },
    ]);
    for (const own of ["cookie", "authorization", "referer"]) expect(seen[0]?.headers).not.toContain(own);
  });

  it("rejects a certificate that is unknown or for another host", async () => {
    await expect(ask("/ok", {}, aCertificate("app.example").cert)).rejects.toBeInstanceOf(FetchRefused);
    const port = await listening();
    configure({ ALLOW_PRIVATE_FETCH: `https://other.example:${port}` });
    const world = { ...names({ "other.example": ["127.0.0.1"] }), ca: cert };
    await expect(get(`https://other.example:${port}/ok`, world)).rejects.toThrow(/altname|certificate/i);
  });

  it("reads a response only up to the size limit", async () => {
    expect((await ask("/full")).body).toHaveLength(5_120);
    await expect(ask("/over")).rejects.toThrow("too long");
    await expect(ask("/endless")).rejects.toThrow("too long");
    await expect(ask("/gzip")).rejects.toThrow("compressed");
    await expect(ask("/cut")).rejects.toBeInstanceOf(FetchRefused);
  });

  it.each(["/slow", "/drip"])("times out on the unfinished response from %s", async (path) => {
    await expect(ask(path, { milliseconds: 300 })).rejects.toThrow("timed out");
  });

  it("cancels a request when its signal aborts", async () => {
    const asking = new AbortController();
    setTimeout(() => asking.abort(), 50);
    await expect(ask("/slow", { signal: asking.signal })).rejects.toThrow("timed out");
    await expect(ask("/ok", { signal: AbortSignal.abort() })).rejects.toThrow("timed out");
  });

  it.each(["/moved", "/moved-plain"])("returns the redirect from %s without following it", async (path) => {
    const { status } = await ask(path);
    expect(status).toBeGreaterThanOrEqual(300);
    expect(visits).toBe(0);
  });

  it("sends a request body", async () => {
    const { body } = await ask("/echo", { method: "POST", body: "grüße" });
    expect(body.toString()).toBe("grüße");
  });

  it("allows the service's own origin only in a request that opts in", async () => {
    const plain = createServer((req, res) => res.end(req.method));
    const ours = `http://127.0.0.1:${await listening(plain)}`;
    expect((await get(`${ours}/x`, undefined, { method: "DELETE", ours })).body.toString()).toBe("DELETE");
    await expect(get(`${ours}/x`)).rejects.toThrow("https");
    await expect(get(`https://127.0.0.1:${canaryPort}/x`, undefined, { ours })).rejects.toThrow("not public");
    expect(visits).toBe(0);
    plain.close();
  });

  it("allows a private origin only if it matches ALLOW_PRIVATE_FETCH exactly", async () => {
    const plain = createServer((_req, res) => res.end("plain"));
    const port = await listening(plain);
    configure({ ALLOW_PRIVATE_FETCH: `http://127.0.0.1:${port}` });
    expect((await get(`http://127.0.0.1:${port}/x`)).body.toString()).toBe("plain");
    for (const other of [`http://localhost:${port}`, `https://127.0.0.1:${port}`, `http://127.0.0.1:${canaryPort}`]) {
      await expect(get(`${other}/x`)).rejects.toThrow(/https|not public/);
    }
    expect(visits).toBe(0);
    plain.close();
  });
});

it.each([
  ...["*", "localhost", "http://127.0.0.1:1/", "http://127.0.0.1:1/x", "ftp://a.example", "http://*.example/"],
  ...[
    "imap://127.0.0.1",
    "imap://127.0.0.1:",
    "imaps://127.0.0.1:993/",
    "smtp://Mail.example:587",
    "smtp://u@a.example:25",
  ],
  ...["imap://127.1:143", "pop3://a.example:110"],
])("rejects ALLOW_PRIVATE_FETCH=%s", async (setting) => {
  configure({ ALLOW_PRIVATE_FETCH: setting });
  await expect(get("https://127.0.0.1/x")).rejects.toThrow("ALLOW_PRIVATE_FETCH must be origins");
});

it("accepts mail servers in ALLOW_PRIVATE_FETCH", async () => {
  const origins = ["imap://127.0.0.1:143", "imaps://mail.home:993", "smtp://[::1]:587", "smtps://mail.home:465"];
  configure({ ALLOW_PRIVATE_FETCH: origins.join(" ") });
  expect(env().allowPrivateFetch).toEqual(origins);
  await expect(get("https://127.0.0.1:1143/x")).rejects.toThrow("not public");
});
