import { expect, test } from "vitest";
import { createHttpServer } from "@/lib/http/server";
import { ask, startFront } from "@/lib/testing/api-server";
import { anAppWith } from "@/lib/testing/factories";

const { ask: call } = await startFront();
const { token } = await anAppWith("approvals:read");
/**
 * A page at another port has another origin. On a local service, MCP accepts local origins only.
 */
const origin = "http://localhost:5173";

const list = (headers: Headers, name: string) => (headers.get(name) ?? "").toLowerCase().split(", ");

test.each([
  ["/api/approvals", "POST"],
  ["/api/approvals/apr_x", "DELETE"],
  ["/api/nothing-here", "GET"],
  ["/api/mcp", "POST"],
  ["/api/openapi.json", "GET"],
  ["/api/health", "GET"],
  ["/oauth/token", "POST"],
])("allows the preflight request for %s with the method %s", async (path, method) => {
  const reply = await call("OPTIONS", path, {
    headers: {
      origin,
      "access-control-request-method": method,
      "access-control-request-headers": "authorization,content-type",
    },
  });
  expect([reply.status, reply.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
  expect(reply.headers.get("access-control-allow-credentials")).toBeNull();
  expect(list(reply.headers, "access-control-allow-methods")).toContain(method.toLowerCase());
  expect(list(reply.headers, "access-control-allow-headers")).toEqual(
    expect.arrayContaining([
      "authorization",
      "content-type",
      "idempotency-key",
      "last-event-id",
      "countersign-version",
    ]),
  );
});

test.each([
  ["200", "GET", "/api/approvals", token, undefined],
  ["401", "GET", "/api/approvals", undefined, undefined],
  ["403", "POST", "/api/approvals", token, {}],
  ["404", "GET", `/api/approvals/apr_${"0".repeat(32)}`, token, undefined],
  ["404", "GET", "/api/nothing-here", token, undefined],
  ["405", "DELETE", "/api/approvals", token, undefined],
  ["401", "POST", "/api/mcp", undefined, {}],
])("lets other origins read the %s response to %s %s", async (status, method, path, bearer, body) => {
  const reply = await call(method, path, { token: bearer, body, headers: { origin } });
  expect([String(reply.status), reply.headers.get("access-control-allow-origin")]).toEqual([status, "*"]);
  expect(list(reply.headers, "access-control-expose-headers")).toEqual(
    expect.arrayContaining([
      ...["retry-after", "location", "www-authenticate", "x-request-id", "countersign-version"],
      ...["ratelimit", "ratelimit-policy", "link", "idempotent-replayed"],
    ]),
  );
});

test("lets other origins read the client and OpenAPI files but no pages", async () => {
  const front = createHttpServer(async (_req, res) => void res.end("a page"));
  await new Promise<void>((resolve) => front.server.listen(0, "127.0.0.1", resolve));
  const { port } = front.server.address() as { port: number };
  const shared = async (method: string, path: string) => {
    const { headers } = await ask(port, method, path, { headers: { origin, "access-control-request-method": "POST" } });
    return [path, headers.get("access-control-allow-origin"), headers.get("access-control-allow-credentials")];
  };
  for (const path of ["/client/countersign.js", "/client/countersign.d.ts", "/openapi.json", "/openapi-3.0.json"])
    expect(await shared("GET", path)).toEqual([path, "*", null]);
  for (const path of ["/", "/approvals", "/acts/approval.pin", "/sign-in", "/consent/x", "/settings"])
    for (const method of ["GET", "POST", "OPTIONS"]) expect(await shared(method, path)).toEqual([path, null, null]);
  await front.drain(500);
});
