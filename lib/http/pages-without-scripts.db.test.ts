import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import type { Pages } from "./prepare-next-request";
import { createHttpServer } from "./server";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/**
 * Starts an HTTP server with these pages.
 * @returns a function that requests a path
 */
async function frontOf(pages: Pages) {
  const { server, drain } = createHttpServer(pages);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stops.push(() => drain(0));
  return async (path: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { headers });
    return { status: reply.status, html: await reply.text() };
  };
}

const script =
  '<link rel="preload" as="script" href="/_next/a.js"/><script src="/_next/a.js" async=""></script><script>f("</p>")</script>';
const style = '<link rel="stylesheet" href="/_next/a.css"/>';
const html = { "content-type": "text/html; charset=utf-8" };

test("serves a not-found page without scripts", async () => {
  const get = await frontOf(async (req, res) => {
    const page = `<h1>Page not found</h1>${script}`;
    if (req.url === "/plain") {
      res.statusCode = 404;
      res.setHeader("content-type", html["content-type"]);
      res.flushHeaders();
      res.write(page.slice(0, 20));
      res.end(page.slice(20));
    } else res.writeHead(404, { ...html, "content-encoding": "gzip" }).end(gzipSync(page));
  });
  for (const path of ["/plain", "/compressed"]) {
    expect([path, await get(path)]).toEqual([path, { status: 404, html: "<h1>Page not found</h1>" }]);
  }
});

test("serves the page of a closed consent request without scripts", async () => {
  const closed = (status: number) => `<div data-static="${status}"><h1>Closed</h1></div>`;
  const get = await frontOf(async (req, res) => {
    res.writeHead(200, html);
    res.write(req.url === "/consent/open" ? "<form></form>" : closed(410));
    res.end(script);
  });
  expect(await get("/consent/con_1")).toEqual({ status: 410, html: closed(410) });
  expect(await get("/consent/open")).toEqual({ status: 200, html: `<form></form>${script}` });
  // At other paths, the marker in an app's text has no effect.
  expect(await get("/approvals")).toEqual({ status: 200, html: closed(410) + script });
});

test("keeps stylesheets whose URLs appear only in scripts", async () => {
  const flight = '<script>push([1,"{\\"href\\":\\"/_next/a.css\\"}:HL[\\"/_next/a.css\\"]"])</script>';
  const get = await frontOf(async (_, res) => {
    res.writeHead(404, html).end(`<html id="__next_error__">${flight}`);
  });
  const { html: missing } = await get("/sign-up");
  expect(missing.split(style)).toHaveLength(2);
  expect(missing).not.toContain("<script");
});

test("removes scripts from the error page for a failed request", async () => {
  const get = await frontOf(async (_, res) => {
    res.writeHead(500, html).end(`<html id="__next_error__">${style}${script}<script>{"digest":"1234"}</script>`);
  });
  const { status, html: failed } = await get("/approvals");
  expect(status).toBe(500);
  expect(failed).toContain('<h1 class="text-xl">This page didn’t load</h1>');
  expect(failed).toContain("1234");
  expect(failed).toContain(style);
  expect(failed).not.toContain("<script");
});

test("renders an error page on the server instead of in the browser", async () => {
  const asked: unknown[] = [];
  const get = await frontOf(async (req, res) => {
    asked.push(req.url);
    res.writeHead(404, { "content-type": "text/html" }).end(`<html id="__next_error__">${style}${script}`);
  });
  const { status, html: missing } = await get("/apps/app_1", { cookie: "countersign-look=dark.compact.system" });
  expect([status, asked]).toEqual([404, ["/apps/app_1"]]);
  expect(missing).toContain('<html lang="en" data-theme="dark">');
  expect(missing).toContain(
    '<h1 class="text-xl">Page not found</h1><p><a href="/" class="link">Go to the home page</a>',
  );
  expect(missing).toContain(style);
  expect(missing).not.toContain("<script");
});

test("serves JSON errors, action errors and streamed pages unchanged", async () => {
  const get = await frontOf(async (req, res) => {
    if (req.url === "/data") res.writeHead(404, { "content-type": "application/json" }).end('{"error":"Not found"}');
    else if (req.url === "/acts/x") res.writeHead(500, html).end("<h1>That didn’t work</h1>");
    else {
      res.writeHead(200, html);
      res.flushHeaders();
      res.write("a page");
      res.end();
    }
  });
  expect(await get("/data")).toEqual({ status: 404, html: '{"error":"Not found"}' });
  // A failed action has its own page.
  expect(await get("/acts/x")).toEqual({ status: 500, html: "<h1>That didn’t work</h1>" });
  expect(await get("/page")).toEqual({ status: 200, html: "a page" });
});
