import net from "node:net";
import { expect, serviceUrl, test } from "./fixtures";

// Tests pages and sockets of the built service, which must not expose Next's own responses.

/** Sends bytes to the service, and returns the head of its response. */
function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(serviceUrl());
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
    let text = "";
    const late = setTimeout(() => socket.destroy(), 60_000);
    socket.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\r\n\r\n")) socket.destroy();
    });
    socket.on("close", () => {
      clearTimeout(late);
      resolve(text);
    });
    socket.on("error", () => {});
  });
}
const status = (answer: string) => Number(answer.slice(9, 12));

test("sends security headers with every page", async ({ owner, page }) => {
  expect(owner.email).toBeTruthy();
  const cookies = await page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const paths = [
    "/",
    "/sign-in",
    "/setup",
    "/sign-up",
    "/approvals",
    "/approvals/nope",
    "/notifications",
    "/integrations",
    "/apps",
    "/developer",
    "/settings",
    "/consent/nope",
    "/nothing/here",
    "/oauth/authorize",
  ];
  for (const path of paths) {
    for (const headers of [{ cookie: "" }, { cookie }]) {
      const reply = await fetch(`${serviceUrl()}${path}`, { redirect: "manual", headers });
      const policy = reply.headers.get("content-security-policy") ?? "";
      expect([path, policy]).toEqual([path, expect.stringContaining("frame-ancestors 'none'")]);
      expect([path, reply.headers.get("x-frame-options"), reply.headers.get("x-content-type-options")]).toEqual([
        path,
        "DENY",
        "nosniff",
      ]);
      expect([path, reply.headers.get("x-powered-by"), reply.status < 500]).toEqual([path, null, true]);
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
      const html = await reply.text();
      if (!/^text\/html/.test(reply.headers.get("content-type") ?? "") || !nonce) continue;
      for (const [tag] of html.matchAll(/<script\b[^>]*>/g))
        expect([path, tag]).toEqual([path, expect.stringContaining(`nonce="${nonce}"`)]);
      expect([path, / style="| on\w+="/.exec(html.replace(/<script[\s\S]*?<\/script>/g, ""))?.[0]]).toEqual([
        path,
        undefined,
      ]);
    }
  }
});

test("rejects hostile page requests without server errors or redirects to other sites", {
  tag: "@more",
}, async () => {
  const host = "Host: localhost";
  const own = `${host}\r\nOrigin: ${serviceUrl()}`;
  const requests: [string, number[]][] = [
    [`TRACE / HTTP/1.1\r\n${host}\r\n\r\n`, [405]],
    [`PUT /approvals HTTP/1.1\r\n${host}\r\nContent-Length: 0\r\n\r\n`, [405]],
    [`GET http://evil.example/approvals HTTP/1.1\r\n${host}\r\n\r\n`, [400]],
    [`GET //evil.example/approvals HTTP/1.1\r\n${host}\r\n\r\n`, [404]],
    [`GET /%2f%2fevil.example HTTP/1.1\r\n${host}\r\n\r\n`, [404]],
    [`GET /approvals/%zz HTTP/1.1\r\n${host}\r\n\r\n`, [404]],
    [`GET /approvals/ HTTP/1.1\r\n${host}\r\n\r\n`, [307, 308]],
    [`GET /_next/image?url=http%3A%2F%2F127.0.0.1%2Fx&w=640&q=75 HTTP/1.1\r\n${host}\r\n\r\n`, [404]],
    [`GET /_next/image?url=%2Fsettings&w=640&q=75 HTTP/1.1\r\n${host}\r\n\r\n`, [404]],
    [`GET /_next/%69mage?url=%2Fsettings&w=640&q=75 HTTP/1.1\r\n${host}\r\n\r\n`, [404]],
    [`POST /sign-in HTTP/1.1\r\n${host}\r\nContent-Length: 0\r\n\r\n`, [403]],
    [`POST /sign-in HTTP/1.1\r\n${host}\r\nOrigin: https://evil.example\r\nContent-Length: 0\r\n\r\n`, [403]],
    [`POST /sign-in HTTP/1.1\r\n${own}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, [411]],
    [`POST /sign-in HTTP/1.1\r\n${own}\r\nContent-Length: 9000000\r\n\r\n`, [413]],
    [
      `POST / HTTP/1.1\r\n${own}\r\nNext-Action: 00bogus\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n[]`,
      [400, 404],
    ],
    [
      `POST /sign-in HTTP/1.1\r\n${host}\r\nOrigin: http://\r\nNext-Action: 00bogus\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n[]`,
      [400, 403, 404],
    ],
    // An upgrade listener in Next would end this connection (RFC 9110 section 7.8).
    [
      `GET /sign-in HTTP/1.1\r\n${host}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n\r\n`,
      [200],
    ],
    [
      `GET / HTTP/1.1\r\n${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n`,
      [400],
    ],
    [
      `GET /approvals HTTP/1.1\r\n${host}\r\nx-middleware-subrequest: proxy:proxy:proxy:proxy:proxy\r\n\r\n`,
      [303, 307],
    ],
    [`GET /approvals HTTP/1.1\r\n${host}\r\nRSC: 1\r\nNext-Router-State-Tree: %5B%5D\r\n\r\n`, [200, 303, 307, 400]],
  ];
  for (const [bytes, allowed] of requests) {
    const answer = await raw(bytes);
    const line = bytes.slice(0, bytes.indexOf("\r"));
    expect([line, allowed.includes(status(answer)), status(answer)]).toEqual([line, true, status(answer)]);
    expect([line, /^location: *(https?:)?\/\/(?!localhost|127\.)/im.test(answer)]).toEqual([line, false]);
  }
});

test("rejects malformed sign-in forms without a server error", async () => {
  const post = async (path: string, body: string, type: string, more: Record<string, string> = {}) => {
    const headers = { origin: serviceUrl(), "content-type": type, ...more };
    const { status } = await fetch(`${serviceUrl()}${path}`, { method: "POST", headers, body, redirect: "manual" });
    return [body, type, status];
  };
  const text = "text/plain;charset=UTF-8";
  // Shorter requests are rejected unread.
  const boundary = "x".repeat(30);
  const multipart = `multipart/form-data; boundary=${boundary}`;
  const part = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--${boundary}--\r\n`;
  for (const [body, type] of [
    ...["[]", "[null]", "{}", "null", "[", "", '["$F1"]', '[null,"e=mail"]', "[null,[1]]"].map((it) => [it, text]),
    ...["[]", "[null]", "[", '["$Zx"]', '[null,{"email":"x"}]'].map((it) => [part("0", it), multipart]),
    [part("email", "x"), multipart],
    ["email=x", "application/x-www-form-urlencoded"],
    [`--${boundary}\r\nnothing of the kind`, multipart],
    ["a", "multipart/form-data"],
  ] as [string, string][])
    expect(await post("/acts/session.start", body, type, { accept: "application/json" })).toEqual([body, type, 400]);
  // Without scripts, the form's page names the missing field.
  expect(await post("/acts/session.start", part("email", "x"), multipart)).toEqual([expect.anything(), multipart, 303]);
  for (const body of ["[]", part("$ACTION_ID_", ""), `--${boundary}\r\nnothing of the kind`]) {
    expect(await post("/sign-in", body, text, { "next-action": "0".repeat(42) })).toEqual([body, text, 409]);
    expect(await post("/sign-in", body, multipart)).toEqual([body, multipart, 409]);
  }
  expect((await fetch(`${serviceUrl()}/sign-in`)).status).toBe(200);
});

test("rejects app tokens on pages and owner sessions on the API", async ({ app, page }) => {
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const asOwner = await fetch(`${serviceUrl()}/api/approvals`, { headers: { cookie } });
  const said = (await asOwner.json()) as { error: string; details: { message: string }[] };
  expect([asOwner.status, said.error]).toEqual([401, "Unauthorized"]);
  expect(said.details[0]?.message).toMatch(/^The request has no token\./);
  const headers = { authorization: `Bearer ${app.token}` };
  const asApp = await fetch(`${serviceUrl()}/settings`, { redirect: "manual", headers });
  expect(asApp.headers.get("location")).toContain("/sign-in");
  const almost = await fetch(`${serviceUrl()}/approvals`, { redirect: "manual", headers });
  expect([almost.status, await almost.text()]).toEqual([404, expect.stringContaining("/api/approvals")]);
});

test("accepts inbox requests only from a signed-in owner on the service's pages", async ({ app, page }) => {
  const id = await app.ask({ question: "Wire the money?" });
  const { contentHash: seen = "" } = await app.read(id);
  const signedIn = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const send = async (headers: Record<string, string>, act = "approval.answer") => {
    const body = new URLSearchParams({ id, seen, optionId: "yes" });
    const scripted = { accept: "application/json", ...headers };
    return (await fetch(`${serviceUrl()}/acts/${act}`, { method: "POST", headers: scripted, body })).status;
  };
  const [cookie, origin] = [signedIn, serviceUrl()];
  expect([await send({ cookie, origin: "http://evil.example" }), await send({ cookie })]).toEqual([403, 403]);
  expect(await send({ cookie, origin, "sec-fetch-site": "cross-site" })).toBe(403);
  expect([await send({ origin }), await send({ cookie, origin }, "toString")]).toEqual([401, 404]);
  expect((await app.read(id)).status).toBe("pending");
  expect(await send({ cookie, origin })).toBe(200);
  expect((await app.read(id)).resolution).toMatchObject({ optionId: "yes", resolvedBy: "owner" });
});

test("rejects owners' actions from other sites", async ({ app, page, context }) => {
  const id = await app.ask({ question: "Wire the money?" });
  await page.goto(`/approvals/${id}`);
  const hidden = await page.getByRole("form", { name: "Your answer" }).evaluate((it: HTMLFormElement) => {
    const fields: Record<string, string> = {};
    for (const [name, value] of new FormData(it)) fields[name] = String(value);
    return fields;
  });
  const { host } = new URL(serviceUrl());
  const foreign: Record<string, string>[] = [
    {},
    { "sec-fetch-site": "cross-site" },
    { origin: "null" },
    { origin: "https://evil.example" },
    { origin: `http://evil.${host}`, host: `evil.${host}` },
  ];
  for (const headers of foreign) {
    const form = { ...hidden, optionId: "yes" };
    const reply = await page.request.post("/acts/approval.answer", { headers, form, maxRedirects: 0 });
    expect([headers, reply.status()]).toEqual([headers, 403]);
  }
  expect((await app.read(id)).status).toBe("pending");

  const html = await page.content();
  const fields = [...html.matchAll(/<input type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)].map(
    ([, name, value]) => `<input name="${name}" value="${value}">`,
  );
  const evil = await context.newPage();
  await evil.route("http://evil.example/**", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<form method="post" action="${serviceUrl()}/acts/approval.answer">${fields.join("")}<input name="id" value="${id}"><button name="optionId" value="yes">x</button></form>`,
    }),
  );
  await evil.goto("http://evil.example/");
  await evil.getByRole("button").click();
  await evil.waitForLoadState();
  expect((await app.read(id)).status).toBe("pending");
});

test("serves no source maps", async () => {
  const html = await (await fetch(`${serviceUrl()}/sign-in`)).text();
  const scripts = [...html.matchAll(/<script[^>]* src="([^"]+\.js)"/g)].map(([, path]) => `${serviceUrl()}${path}`);
  expect(scripts.length).toBeGreaterThan(2);
  for (const script of scripts) {
    const reply = await fetch(script);
    expect([script, reply.status, (await reply.text()).includes("sourceMappingURL")]).toEqual([script, 200, false]);
    expect([script, (await fetch(`${script}.map`)).status]).toEqual([script, 404]);
  }
});
