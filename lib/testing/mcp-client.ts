import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/**
 * The clients that tests use: the SDK with the newest MCP revision, the SDK with the previous
 * revision, and the previous SDK.
 */
export const revisions = ["2026-07-28", "2025-11-25", "of the previous SDK"] as const;
export type Revision = (typeof revisions)[number];

export type Called = { text: string; data: Record<string, unknown>; isError: boolean };
type How = {
  signal?: AbortSignal;
  timeout?: number;
  onprogress?: (progress: { progress: number; total?: number; message?: string }) => void;
};
export type McpClient = {
  tools(): Promise<{ name: string; inputSchema: object; outputSchema?: object }[]>;
  /** Once the tools are listed, the client validates a tool's output against its schema. */
  call(name: string, args?: Record<string, unknown>, how?: How): Promise<Called>;
  instructions(): string | undefined;
  /** The server's name and version. */
  server(): object | undefined;
  close(): Promise<void>;
};

/** Connects a client with a token. */
export async function mcpClient(url: URL, token: string, revision: Revision = "2026-07-28"): Promise<McpClient> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const who = { name: "test", version: "1" };
  if (revision === "of the previous SDK") {
    const client = new OlderClient(who);
    await client.connect(new OlderTransport(url, { requestInit }) as Parameters<typeof client.connect>[0]);
    return {
      tools: async () => (await client.listTools()).tools,
      call: async (name, args = {}, how) =>
        asCalled(await client.callTool({ name, arguments: args }, undefined, how as never)),
      instructions: () => client.getInstructions(),
      server: () => client.getServerVersion(),
      close: () => client.close(),
    };
  }
  const mode = revision === "2026-07-28" ? { pin: revision } : ("legacy" as const);
  const client = new Client(who, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, args = {}, how) => asCalled(await client.callTool({ name, arguments: args }, how as never)),
    instructions: () => client.getInstructions(),
    server: () => client.getServerVersion(),
    close: () => client.close(),
  };
}

function asCalled(result: unknown): Called {
  const { content, structuredContent, isError } = result as {
    content: { text: string }[];
    structuredContent?: Record<string, unknown>;
    isError?: boolean;
  };
  return { text: content.map(({ text }) => text).join("\n"), data: structuredContent ?? {}, isError: isError ?? false };
}
