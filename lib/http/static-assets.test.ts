import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveCompressedAssets } from "./static-assets";

const folder = mkdtempSync(join(tmpdir(), "countersign-built-"));
const script = "console.log('as it was built');".repeat(50);
let server: http.Server;
let port = 0;

beforeAll(async () => {
  mkdirSync(join(folder, "static", "chunks"), { recursive: true });
  writeFileSync(join(folder, "static", "chunks", "a1.js"), script);
  writeFileSync(join(folder, "static", "chunks", "a1.js.br"), brotliCompressSync(script));
  const built = serveCompressedAssets(folder);
  server = http.createServer((req, res) => void (built(req, res) || res.writeHead(204).end()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const ask = (path: string, encoding: string, method = "GET") =>
  new Promise<{ status: number; headers: http.IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    const headers = { "accept-encoding": encoding };
    const request = http.request({ host: "127.0.0.1", port, path, method, headers }, (reply) => {
      const parts: Buffer[] = [];
      reply.on("data", (part: Buffer) => parts.push(part));
      reply.on("end", () =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(parts) }),
      );
    });
    request.on("error", reject).end();
  });

test("serves a precompressed file to a browser that accepts Brotli", async () => {
  const { status, headers, body } = await ask("/_next/static/chunks/a1.js?dpl=1", "gzip, deflate, br, zstd");
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "application/javascript; charset=UTF-8",
    "content-encoding": "br",
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
    "cross-origin-resource-policy": "same-origin",
    "content-length": String(body.length),
  });
  expect(brotliDecompressSync(body).toString()).toBe(script);
  const head = await ask("/_next/static/chunks/a1.js", "br", "HEAD");
  expect(head.headers["content-length"]).toBe(String(body.length));
  expect(head.body).toHaveLength(0);
});

test.each([
  ["/_next/static/chunks/a1.js", "gzip", "GET"],
  ["/_next/static/chunks/a1.js", "br", "POST"],
  ["/_next/static/chunks/a1.js.br", "br", "GET"],
  ["/_next/static/chunks/other.js", "br", "GET"],
  ["/_next/static/../made-from", "br", "GET"],
  ["/chunks/a1.js", "br", "GET"],
])("serves no precompressed file for %s, the encoding %s and the method %s", async (path, encoding, method) => {
  expect((await ask(path, encoding, method)).status).toBe(204);
});
