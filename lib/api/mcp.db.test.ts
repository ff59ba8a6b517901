import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, it } from "vitest";
import { takeBackScope } from "@/lib/grants/grants";
import { flushRequests } from "@/lib/grants/request-log";
import { listRequests } from "@/lib/grants/requests";
import { startFront } from "@/lib/testing/api";
import { aGrantedToken, aParty } from "@/lib/testing/oauth";

const { port, ask } = await startFront();
const url = new URL(`http://127.0.0.1:${port}/api/mcp`);
const resource = "http://localhost:3000/api/mcp";
const initialize = {
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const accept = { accept: "application/json, text/event-stream" };

async function connected(token: string) {
  const client = new Client({ name: "test", version: "1" });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}
const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? "";

it("says where to get a token, and takes only tokens made for it", async () => {
  const without = await ask("POST", "/api/mcp", { body: initialize, headers: accept });
  expect(without.status).toBe(401);
  expect(without.headers.get("www-authenticate")).toBe(
    `Bearer realm="countersign", scope="approvals:write approvals:read notifications:write", resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/api/mcp"`,
  );
  const elsewhere = await aGrantedToken(await aParty());
  const wrong = await ask("POST", "/api/mcp", { body: initialize, headers: accept, token: elsewhere.token });
  expect(wrong.status).toBe(401);
  expect(wrong.headers.get("www-authenticate")).toContain('error="invalid_token"');
});

it.each([
  ["this revision's client", connected],
  [
    "an older client",
    async (token: string) => {
      const client = new OlderClient({ name: "test", version: "1" });
      const headers = { authorization: `Bearer ${token}` };
      await client.connect(
        new OlderTransport(url, { requestInit: { headers } }) as Parameters<typeof client.connect>[0],
      );
      return client;
    },
  ],
] as const)("%s asks, and reads what became of it", async (_, connect) => {
  const { token } = await aGrantedToken(await aParty(), { scope: "approvals:write approvals:read", resource });
  const client = await connect(token);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([
    ...["add_to_approval", "get_approval", "get_receipt", "list_approvals", "list_events", "list_integrations"],
    ...["report_outcome", "submit_approval"],
  ]);
  const options = [{ id: "yes", label: "Yes" }];
  const made = await client.callTool({ name: "submit_approval", arguments: { question: "Ship it?", options } });
  const { id } = JSON.parse(textOf(made)) as { id: string };
  const read = await client.callTool({ name: "get_approval", arguments: { id } });
  expect(JSON.parse(textOf(read))).toMatchObject({ _id: id, status: "pending", question: "Ship it?" });
  await client.close();
});

it("says in words what is wrong with a call, and offers nothing that was not allowed", async () => {
  const party = await aParty();
  const { token } = await aGrantedToken(party, { scope: "approvals:write approvals:read", resource });
  const client = await connected(token);
  const bad = await client.callTool({ name: "submit_approval", arguments: { question: "", options: [] } });
  expect(bad.isError).toBe(true);
  expect(textOf(bad)).toMatch(/^Bad request\nquestion: /);
  expect(await client.callTool({ name: "push_notification", arguments: { title: "x" } })).toMatchObject({
    isError: true,
  });
  await takeBackScope(party.owner, party.app.clientId, "approvals:write");
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain("submit_approval");
  await client.close();
});

it("what a tool was used for is in the owner's list of requests, by the tool's name", async () => {
  const party = await aParty();
  const { token } = await aGrantedToken(party, { scope: "approvals:write notifications:write", resource });
  const client = await connected(token);
  await client.callTool({ name: "submit_approval", arguments: { question: "", options: [] } });
  await client.callTool({
    name: "push_notification",
    arguments: { title: "News", data: { inbox: { priority: "huge" } } },
  });
  await client.close();
  await ask("POST", "/api/mcp", { body: initialize, headers: accept, token: `${token.slice(0, -1)}_` });
  await flushRequests();
  const { items } = await listRequests(party.owner);
  expect(items.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
    "MCP push_notification 201",
    "MCP submit_approval 400",
  ]);
  expect(items[0]?.warnings).toEqual([expect.stringMatching(/^data\.inbox\.priority: Must be one of/)]);
});
