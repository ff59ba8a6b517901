import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { ask } from "@/lib/testing/api-server";
import { anAppWith } from "@/lib/testing/factories";
import { createHttpServer } from "./server";

const front = createHttpServer(
  async (_req, res) => void res.writeHead(200, { "content-type": "text/html" }).end("a page"),
);
await new Promise<void>((resolve) => front.server.listen(0, "127.0.0.1", resolve));
const { port } = front.server.address() as AddressInfo;
afterAll(() => front.drain(500));
const { token } = await anAppWith("approvals:write", "approvals:read");
const id = `apr_${"0".repeat(32)}`;
const reference = "All paths: http://localhost:3000/docs/reference";
const hintOf = async (method: string, path: string, how: object = { token }) => {
  const { status, body } = await ask(port, method, path, how);
  const { error, details } = body as { error?: string; details?: { path: string; message: string }[] };
  return [status, error, details?.[0]?.message];
};

describe.each(["GET", "POST"])("%s with a token", (method) => {
  test.each([
    ["/approvals", "/api/approvals"],
    ["/v1/approvals", "/api/approvals"],
    ["/api/v1/approvals", "/api/approvals"],
    ["/v1/approvals/", "/api/approvals"],
    ["/api/v2/approvals/", "/api/approvals"],
    ["/api/approval", "/api/approvals"],
    ["/api/aprovals", "/api/approvals"],
    ["/api/Approvals", "/api/approvals"],
    ["//api/approvals", "/api/approvals"],
    ["/api//approvals", "/api/approvals"],
    ["/notifications", "/api/notifications"],
    ["/event", "/api/events"],
    ["/mcp", "/api/mcp"],
    [`/approvals/${id}`, `/api/approvals/${id}`],
    [`/api/approval/${id}/resolved`, `/api/approvals/${id}/resolve`],
  ])("suggests the correct path for %s: %s", async (path, meant) => {
    expect(await hintOf(method, path)).toEqual([404, "Not found", `Did you mean ${meant}? ${reference}`]);
  });

  test("suggests a path without its trailing slash", async () => {
    const hint = `Remove the trailing slash: /api/approvals. ${reference}`;
    expect(await hintOf(method, "/api/approvals/")).toEqual([404, "Not found", hint]);
  });

  test("suggests API paths that begin like the unknown path", async () => {
    const [status, , below] = await hintOf(method, `/api/approvals/${id}/withdraw/now`);
    expect([status, below]).toEqual([404, expect.stringContaining("/api/approvals/{id}/resolve")]);
    expect(below).not.toContain("/api/notifications");
    expect((await hintOf(method, "/api/users"))[2]).toMatch(
      /^Use one of these paths: .*\/api\/approvals.*\/api\/notifications/,
    );
  });
});

test("lists the API's paths when a client with a token posts to a page", async () => {
  const [status, error, hint] = await hintOf("POST", "/settings", { token, body: {} });
  expect([status, error, hint]).toEqual([
    404,
    "Not found",
    expect.stringContaining("Use one of these paths: /api/approvals"),
  ]);
  expect((await hintOf("POST", "/approvals", { body: {} }))[0]).toBe(403);
});

test("serves pages despite a bearer token added by a proxy", async () => {
  const jwt = "eyJhbGciOi.J9.x";
  for (const [method, path, headers] of [
    ["GET", "/approvals", {}],
    ["GET", "/approvals", { accept: "text/html" }],
    ["POST", "/acts/approval.pin", { origin: "http://localhost:3000", "sec-fetch-site": "same-origin" }],
  ] as const)
    expect([path, (await ask(port, method, path, { token: jwt, raw: "", headers })).text]).toEqual([path, "a page"]);
  for (const path of ["/docs/quick-start", "/client/countersign.tgz", "/oauth/register/app_x", "/llms.txt"])
    expect([path, (await ask(port, "GET", path, { token })).text]).toEqual([path, "a page"]);
});

test.each([
  ["DELETE", `/api/approvals/${id}`, /cannot delete.*POST \/api\/approvals\/\{id\}\/resolve.*approvals:resolve/],
  ["PATCH", `/api/approvals/${id}`, /cannot change.*additions/],
  ["PUT", `/api/approvals/${id}`, /cannot change.*additions/],
  ["GET", `/api/approvals/${id}/resolve`, /^\/api\/approvals\/\{id\}\/resolve accepts POST\./],
  ["DELETE", "/api/approvals", /^\/api\/approvals accepts GET and POST\./],
])("suggests the right request for %s %s", async (method, path, hint) => {
  expect(await hintOf(method, path)).toEqual([405, "Method not allowed", expect.stringMatching(hint)]);
});

test.each(["undefined", "null", `ntf_${"0".repeat(32)}`, "apr_123", id.toUpperCase()])(
  "explains that %s is not an approval ID",
  async (wrong) => {
    const hint = "Must be the ID of an approval, like apr_0m3cq8v5k2h7t1n9b6d4g0rjpf8s2l7e";
    expect(await hintOf("GET", `/api/approvals/${wrong}`)).toEqual([404, "Not found", hint]);
    expect(await hintOf("GET", `/api/approvals/${id}`)).toEqual([404, "Not found", undefined]);
  },
);
