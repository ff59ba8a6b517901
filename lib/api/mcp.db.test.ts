import { expect, it } from "vitest";
import { takeBackScope } from "@/lib/grants/grants";
import { flushRequests } from "@/lib/grants/request-log";
import { listRequests } from "@/lib/grants/requests";
import { startFront } from "@/lib/testing/api";
import { mcpClient, revisions } from "@/lib/testing/mcp";
import { aGrantedToken, aParty } from "@/lib/testing/oauth";

const { port, ask } = await startFront();
const url = new URL(`http://127.0.0.1:${port}/api/mcp`);
const resource = "http://localhost:3000/api/mcp";
const initialize = {
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const accept = { accept: "application/json, text/event-stream" };

const connected = (token: string) => mcpClient(url, token);

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

it.each(revisions)("a client of %s asks, and reads what became of it", async (revision) => {
  const { token } = await aGrantedToken(await aParty(), { scope: "approvals:write approvals:read", resource });
  const client = await mcpClient(url, token, revision);
  expect((await client.tools()).map(({ name }) => name).sort()).toEqual([
    ...["add_context", "ask_owner", "check_approval", "get_receipt", "list_approvals", "list_events"],
    ...["list_integrations", "report_outcome"],
  ]);
  const options = [{ id: "yes", label: "Yes" }];
  const made = await client.call("ask_owner", { question: "Ship it?", options, waitSeconds: 0 });
  const { id } = made.data as { id: string };
  const read = await client.call("check_approval", { id, waitSeconds: 0 });
  expect(read.data).toMatchObject({ _id: id, status: "pending", question: "Ship it?" });
  await client.close();
});

it("says in words what is wrong with a call, and offers nothing that was not allowed", async () => {
  const party = await aParty();
  const { token } = await aGrantedToken(party, { scope: "approvals:write approvals:read", resource });
  const client = await connected(token);
  const bad = await client.call("ask_owner", { question: "", options: [] });
  expect(bad.isError).toBe(true);
  expect(bad.text).toMatch(/^Bad request\nquestion: /);
  await expect(client.call("notify_owner", { title: "x" })).rejects.toThrow("or the owner did not allow it");
  await takeBackScope(party.owner, party.app.clientId, "approvals:write");
  expect((await client.tools()).map(({ name }) => name)).not.toContain("ask_owner");
  await client.close();
});

it("what a tool was used for is in the owner's list of requests, by the tool's name", async () => {
  const party = await aParty();
  const { token } = await aGrantedToken(party, { scope: "approvals:write notifications:write", resource });
  const client = await connected(token);
  await client.call("ask_owner", { question: "", options: [] });
  await client.call("notify_owner", { title: "News", data: { inbox: { priority: "huge" } } });
  await client.close();
  await ask("POST", "/api/mcp", { body: initialize, headers: accept, token: `${token.slice(0, -1)}_` });
  await flushRequests();
  const { items } = await listRequests(party.owner);
  expect(items.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
    "MCP notify_owner 201",
    "MCP ask_owner 400",
  ]);
  expect(items[0]?.warnings).toEqual([expect.stringMatching(/^data\.inbox\.priority: Must be one of/)]);
});
