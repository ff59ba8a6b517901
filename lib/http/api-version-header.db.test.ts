import { expect, test } from "vitest";
import { createPersonalToken } from "@/lib/grants/personal-tokens";
import { startFront } from "@/lib/testing/api-server";
import { anApp, anAppWith } from "@/lib/testing/factories";

const { ask } = await startFront();
const { token } = await anAppWith("approvals:read");

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const accept = { accept: "application/json, text/event-stream" };

test.each([
  ["GET", "/api/approvals", 200, { token }],
  ["HEAD", "/api/approvals", 200, { token }],
  ["GET", "/api/approvals", 401, {}],
  ["GET", "/api/approvals/apr_none", 404, { token }],
  ["GET", "/api/nothing", 404, { token }],
  ["GET", "/approvals", 404, { token }],
  ["DELETE", "/api/approvals", 405, { token }],
  ["OPTIONS", "/api/approvals", 204, {}],
  ["GET", "/api/health", 200, {}],
  ["GET", "/api/openapi.json", 200, {}],
  ["POST", "/api/mcp", 401, { body: initialize, headers: accept }],
  ["OPTIONS", "/api/mcp", 204, {}],
])("names the API version in the response to %s %s with status %i", async (method, path, status, how) => {
  const reply = await ask(method, path, how);
  expect([reply.status, reply.headers.get("countersign-version")]).toEqual([status, "1"]);
});

test("names and checks the API version at the MCP server", async () => {
  const { owner, clientId } = await anApp();
  const { token: agent } = await createPersonalToken(owner, { clientId, scopes: ["approvals:read"], resource: "mcp" });
  const call = (headers: object) =>
    ask("POST", "/api/mcp", { token: agent, body: initialize, headers: { ...accept, ...headers } });
  for (const headers of [{}, { "countersign-version": "1" }]) {
    const reply = await call(headers);
    expect([reply.status, reply.headers.get("countersign-version")]).toEqual([200, "1"]);
  }
  const refused = await call({ "countersign-version": "2" });
  expect([refused.status, refused.headers.get("countersign-version")]).toEqual([400, "1"]);
  expect(refused.text).toContain("The API has no version");
});
