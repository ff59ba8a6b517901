import { expect, it } from "vitest";
import { createPersonalToken, revokeToken } from "@/lib/grants/personal-tokens";
import { revokeScope } from "@/lib/grants/revoke-scope";
import type { Scope } from "@/lib/scopes";
import { startFront } from "@/lib/testing/api-server";
import { anApp } from "@/lib/testing/factories";
import { mcpClient, revisions } from "@/lib/testing/mcp-client";
import { aGrantedToken, aParty } from "@/lib/testing/oauth-flow";
import { unknownSecret } from "@/lib/testing/unknown-secret";
import { listRequests } from "@/lib/traffic/list-requests";
import { flushRequests } from "@/lib/traffic/request-log";
import { tools } from "./mcp-tools";

const { port, ask } = await startFront();
const url = new URL(`http://127.0.0.1:${port}/api/mcp`);
const resource = "http://localhost:3000/api/mcp";
const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const accept = { accept: "application/json, text/event-stream" };

const connected = (token: string) => mcpClient(url, token);

it("accepts only tokens issued for the MCP server", async () => {
  const without = await ask("POST", "/api/mcp", { body: initialize, headers: accept });
  expect(without.status).toBe(401);
  expect(without.headers.get("www-authenticate")).toBe(
    `Bearer realm="countersign", scope="approvals:write approvals:read notifications:write", resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/api/mcp"`,
  );
  expect(without.text).toContain("Unauthorized: The request has no token. Send Authorization: Bearer <token>.");
  const elsewhere = await aGrantedToken(await aParty());
  const wrong = await ask("POST", "/api/mcp", { body: initialize, headers: accept, token: elsewhere.token });
  expect(wrong.status).toBe(401);
  expect(wrong.headers.get("www-authenticate")).toContain('error="invalid_token"');
});

it("rejects a personal token issued for another resource", async () => {
  const { owner, clientId } = await anApp();
  const scopes: Scope[] = ["approvals:write", "approvals:read"];
  const make = async (more: object = {}) => (await createPersonalToken(owner, { clientId, scopes, ...more })).token;
  const [forApi, forMcp] = [await make(), await make({ resource: "mcp" })];
  const client = await connected(forMcp);
  expect((await client.tools()).map(({ name }) => name)).toContain("ask_owner");
  await client.close();
  expect((await ask("GET", "/api/approvals", { token: forApi })).status).toBe(200);

  const api = (token: string) => ask("GET", "/api/approvals", { token });
  const mcp = (token: string) => ask("POST", "/api/mcp", { body: initialize, headers: accept, token });
  const [atApi, atMcp] = [await api(forMcp), await mcp(forApi)];
  const words = {
    api: "This token works only for /api/mcp. Create a token for /api.",
    mcp: "This token works only for /api. Create a token for /api/mcp.",
  };
  expect([atApi.status, atApi.body]).toEqual([
    401,
    { error: "Unauthorized", details: [{ path: "", message: words.api }] },
  ]);
  expect(atApi.headers.get("www-authenticate")).toContain(`error="invalid_token", error_description="${words.api}"`);
  expect([atMcp.status, atMcp.body]).toEqual([
    401,
    { jsonrpc: "2.0", id: null, error: { code: -32000, message: `Unauthorized: ${words.mcp}` } },
  ]);
  expect(atMcp.headers.get("www-authenticate")).toContain(`error_description="${words.mcp}"`);

  // Revoked and unknown tokens get the same response, whichever resource the revoked ones were
  // issued for.
  const dead = "This token is unknown, expired or revoked. Refresh the token, or get a new token.";
  for (const token of [forApi, forMcp]) await revokeToken(owner, token);
  for (const token of [forApi, forMcp, unknownSecret("pat")])
    for (const refused of [await api(token), await mcp(token)]) {
      expect(refused.status).toBe(401);
      expect(refused.text).toContain(dead);
      expect(refused.text).not.toContain("/api");
      expect(refused.headers.get("www-authenticate")).toContain(`error_description="${dead}"`);
    }
});

it.each(revisions)("accepts and returns a question from a client with protocol %s", async (revision) => {
  const { token } = await aGrantedToken(await aParty(), { scope: "approvals:write approvals:read", resource });
  const client = await mcpClient(url, token, revision);
  expect((await client.tools()).map(({ name }) => name).sort()).toEqual([
    ...["add_context", "ask_owner", "check_approval", "report_outcome"],
  ]);
  expect(client.server()).toMatchObject({
    title: "Countersign",
    websiteUrl: "http://localhost:3000",
    icons: [
      { src: "http://localhost:3000/icons/icon-192.png", mimeType: "image/png", sizes: ["192x192"] },
      { src: "http://localhost:3000/icons/icon-512.png", mimeType: "image/png", sizes: ["512x512"] },
    ],
  });
  const options = [{ id: "yes", label: "Yes" }];
  const made = await client.call("ask_owner", { question: "Ship it?", options, waitSeconds: 0 });
  const { id } = made.data as { id: string };
  const read = await client.call("check_approval", { id, waitSeconds: 0 });
  expect(read.data).toMatchObject({ _id: id, status: "pending", question: "Ship it?" });
  await client.close();
});

it.each(revisions)("lists the default tools and the tools that the URL names (protocol %s)", async (revision) => {
  const scopes = ["approvals:write", "approvals:read"];
  const { token } = await aGrantedToken(await aParty(), { scope: scopes.join(" "), resource });
  const at = (query: string) => mcpClient(new URL(query, url), token, revision);
  const usual = ["add_context", "ask_owner", "check_approval", "report_outcome"];
  const all = tools().flatMap(({ op, name }) => (op.scope === null || scopes.includes(op.scope) ? [name] : []));
  expect(all).toEqual(expect.arrayContaining([...usual, "get_receipt", "list_approvals", "list_events"]));
  expect(all).not.toContain("notify_owner");
  for (const [query, names] of [
    ["?tools=list_events,ask_owner", [...usual, "list_events"]],
    ["?tools=all", all],
    ["?tools=", usual],
  ] as const) {
    const client = await at(query);
    expect((await client.tools()).map(({ name }) => name).sort()).toEqual([...names].sort());
    await client.close();
  }
  const client = await at("");
  expect(await client.call("list_approvals", {})).toMatchObject({ data: { data: [] }, isError: false });
  await client.close();
});

it("names an unknown tool from the URL in the error", async () => {
  const { token } = await aGrantedToken(await aParty(), { scope: "approvals:read", resource });
  const { status, body } = await ask("POST", "/api/mcp?tools=list_events,rm", {
    ...{ body: initialize, headers: accept, token },
  });
  expect([status, body]).toEqual([
    400,
    {
      jsonrpc: "2.0",
      id: null,
      error: {
        code: -32000,
        message: expect.stringMatching(
          /^Bad request: Unknown tool: rm\. Send tools=all, or any of these names: list_approvals, /,
        ),
      },
    },
  ]);
});

it("returns an error that explains an invalid or forbidden call", async () => {
  const party = await aParty();
  const { token } = await aGrantedToken(party, { scope: "approvals:write approvals:read", resource });
  const client = await connected(token);
  const bad = await client.call("ask_owner", { question: "", options: [] });
  expect(bad.isError).toBe(true);
  expect(bad.text).toMatch(/^Bad request\nquestion: /);
  await expect(client.call("notify_owner", { title: "x" })).rejects.toThrow(
    "This request requires the scope notifications:write. This token has ",
  );
  await revokeScope(party.owner, party.app.clientId, "approvals:write");
  expect((await client.tools()).map(({ name }) => name)).not.toContain("ask_owner");
  await client.close();
});

it("lists each call in the request log with its tool's name", async () => {
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
