import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, test } from "vitest";
import { agentService, heard, question, usualTools } from "@/lib/testing/clients/agent-service";
import { clientTestTimeoutMs } from "@/lib/testing/clients/generated-client-service";
import { testWith } from "@/lib/testing/test-with-programs";

const { folder, url, run, around, anAgent } = await agentService();
/**
 * Some packages need a newer Node.js than this project. They run with this version, which npm
 * installs.
 */
const newerNode = "node@24.9.0";

/** Installs packages from npm. @returns the environment of a first-time user */
async function npmWith(name: string, ...packages: string[]) {
  const home = join(folder, name);
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), '{"private":true}');
  await run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packages], {}, home);
  return { HOME: home, PATH: join(home, "node_modules/.bin") };
}

/** A program that lists the tools, calls one of them, and prints both results. */
const langchain = `
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
const [url, token, asked] = process.argv.slice(2);
const headers = { authorization: "Bearer " + token };
const client = new MultiServerMCPClient({ mcpServers: { countersign: { transport: "http", url, headers } } });
const tools = await client.getTools();
const reply = await tools.find(({ name }) => name === "ask_owner").invoke(JSON.parse(asked));
console.log(JSON.stringify({ tools: tools.map(({ name }) => name).sort(), heard: reply.text }));
await client.close();
`;

/**
 * Returns the state that an MCP client keeps between its steps, with the URL that it opens in a
 * browser.
 */
function memory() {
  const kept: Record<string, unknown> = {};
  const sent: URL[] = [];
  const callback = "http://127.0.0.1:7777/callback";
  const provider = {
    redirectUrl: callback,
    clientMetadata: { client_name: "Agent", redirect_uris: [callback], token_endpoint_auth_method: "none" },
    clientInformation: () => kept.client as { client_id: string } | undefined,
    saveClientInformation: (client: unknown) => void (kept.client = client),
    tokens: () => kept.tokens as { access_token: string; token_type: string; refresh_token: string } | undefined,
    saveTokens: (tokens: unknown) => void (kept.tokens = tokens),
    redirectToAuthorization: (link: URL) => void sent.push(link),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier as string,
  };
  return { kept, sent, provider };
}
type Provider = ReturnType<typeof memory>["provider"];
type Connected = Pick<OlderClient, "listTools" | "callTool" | "close">;
const who = { name: "agent", version: "1" };

const newer = (versionNegotiation?: { mode: "auto" }) => ({
  connect: async (authProvider: Provider): Promise<Connected> => {
    const client = new Client(who, versionNegotiation && { versionNegotiation });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider }));
    return client as unknown as Connected;
  },
  finish: (authProvider: Provider, back: URL) =>
    new StreamableHTTPClientTransport(new URL(url), { authProvider }).finishAuth(back.searchParams),
});
const older = {
  connect: async (authProvider: Provider): Promise<Connected> => {
    const client = new OlderClient(who);
    await client.connect(new OlderTransport(new URL(url), { authProvider }) as Parameters<typeof client.connect>[0]);
    return client;
  },
  finish: (authProvider: Provider, back: URL) =>
    new OlderTransport(new URL(url), { authProvider }).finishAuth(back.searchParams.get("code") ?? ""),
};

/** Asserts that a connected client can list the usual tools and get an answer to a call. */
async function expectToHear(client: Connected) {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual(usualTools);
  const { content } = await client.callTool({ name: "ask_owner", arguments: question });
  expect(content).toEqual([{ type: "text", text: heard }]);
  await client.close();
}

for (const { name, revision, connect, finish } of [
  { name: "version 1 of the MCP SDK", revision: "2025-11-25", ...older },
  { name: "version 2 of the MCP client", revision: "2025-11-25", ...newer() },
  { name: "version 2 of the MCP client with protocol negotiation", revision: "2026-07-28", ...newer({ mode: "auto" }) },
])
  test(`connects ${name} and refreshes its access token`, async () => {
    const { allow, spoken } = await anAgent();
    const { kept, sent, provider } = memory();
    await expect(connect(provider)).rejects.toThrow(/unauthorized/i);
    expect(sent[0]?.searchParams.get("resource")).toBe(url);
    await finish(provider, new URL(await allow(String(sent[0]))));
    await expectToHear(await connect(provider));
    expect(spoken()).toBe(revision);
    const before = provider.tokens();
    kept.tokens = { ...before, access_token: "csn_at_dead" };
    await expectToHear(await connect(provider));
    expect(sent).toHaveLength(1);
    expect(provider.tokens()?.access_token).not.toMatch(`^(csn_at_dead|${before?.access_token})$`);
  });

testWith(
  ["npm"],
  "connects stdio clients through mcp-remote",
  async () => {
    const { OWNER, spoken } = await anAgent();
    const env = around({ OWNER, ...(await npmWith("mcp-remote", "mcp-remote@0.15.1")) });
    const client = new OlderClient(who);
    await client.connect(new StdioClientTransport({ command: "mcp-remote", args: [url], env, stderr: "ignore" }));
    await expectToHear(client);
    expect(spoken()).toBe("2025-11-25");
  },
  clientTestTimeoutMs,
);

testWith(
  ["npm"],
  "lists and calls tools through mcporter",
  async () => {
    const { run, spoken } = await anAgent();
    const env = await npmWith("mcporter", newerNode, "mcporter@0.12.3");
    const server = ["--http-url", `${url}?tools=all`, "--allow-http", "--name", "countersign"];
    await run("mcporter", ["auth", ...server], env);
    const { out: listed } = await run("mcporter", ["list", ...server, "--schema", "--all-parameters"], env);
    for (const name of [...usualTools, "list_approvals"]) expect(listed).toContain(`function ${name}(`);
    // A list of objects is `unknown[]`.
    expect(listed).not.toMatch(/\?: unknown\b(?!\[)/);
    const call = ["call", ...server, "--tool", "ask_owner", "--args", JSON.stringify(question), "--output", "text"];
    expect((await run("mcporter", call, env)).out.trim()).toBe(heard);
    expect(spoken()).toBe("2025-11-25");
  },
  clientTestTimeoutMs,
);

testWith(
  ["npm"],
  "accepts text and object options from LangChain's JavaScript adapter",
  async () => {
    const { run, personalToken } = await anAgent();
    const env = await npmWith("langchain", "@langchain/mcp-adapters@1.1.4", "@langchain/core@1.4.0");
    const program = join(env.HOME, "ask.mjs");
    writeFileSync(program, langchain);
    const named = question.options.map((label) => ({ id: label, label }));
    for (const options of [question.options, named]) {
      const asked = JSON.stringify({ ...question, options });
      const { out, err } = await run("node", [program, url, await personalToken(), asked], env, env.HOME);
      expect(JSON.parse(out)).toEqual({ tools: usualTools, heard });
      // The SDK's validator warns about unknown formats.
      expect(err).not.toContain("unknown format");
    }
  },
  clientTestTimeoutMs,
);

testWith(
  ["npm"],
  "passes the MCP inspector's strict mode",
  async () => {
    const { run, personalToken, spoken } = await anAgent();
    const env = await npmWith("inspector", newerNode, "@modelcontextprotocol/inspector@2.12.0");
    const header = `Authorization: Bearer ${await personalToken()}`;
    const inspect = (address: string, ...method: string[]) =>
      run(
        "mcp-inspector",
        ["--cli", "--server-url", address, "--transport", "http", "--header", header, ...method],
        env,
      );
    for (const address of [url, `${url}?tools=all`]) {
      const { out, err } = await inspect(address, "--method", "tools/list", "--strict");
      const { tools } = JSON.parse(out) as { tools: { name: string }[] };
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(usualTools));
      // The warning asks for `anyOf`. The schema has none, because LangChain's JavaScript adapter
      // keeps only the object of an `anyOf`.
      const [warning, ...others] = err.split(/^(?=(?:Warning|Error): )/m);
      expect(warning).toMatch(/^Warning: tool "ask_owner"\n +Path: inputSchema\.properties\.options\.items\n/);
      expect(others).toEqual([]);
      expect(err).toMatch(/^0 errors, 1 warning /m);
    }
    const tool = ["--method", "tools/call", "--tool-name", "ask_owner"];
    const options = ["--tool-arg", `question=${question.question}`, `options=${JSON.stringify(question.options)}`];
    const { out } = await inspect(url, ...tool, ...options);
    expect(JSON.parse(out)).toMatchObject({ content: [{ text: heard }] });
    expect(spoken()).toBe("2025-11-25");
  },
  clientTestTimeoutMs,
);
