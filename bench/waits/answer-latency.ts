import http from "node:http";
import { mcpClient } from "@/lib/testing/mcp-client";
import { quantile, rounded, table } from "../pages/table";
import { type Client, client, pause } from "./app-client";
import type { Apps, Hooked } from "./webhook-apps";

/**
 * A method by which an app receives answers. It is set up once per instance, and each answer is
 * requested before it is given.
 */
type Target = { port: number; token: string; mcpToken: string; app: Client; hooked: Hooked };
type Way = (place: Target) => Promise<Listener>;
type Listener = { hear(id: string): Promise<void>; close(): void };

/** Add further methods here. */
const ways: Record<string, Way> = {
  "GET with wait": async ({ app }) => ({
    hear: async (id) => void (await app.get(`/api/approvals/${id}?wait=60`)),
    close: () => {},
  }),
  "event stream": async ({ port, token }) => stream(port, token),
  // One receiver gets the webhook from any instance.
  webhook: async ({ hooked }) => ({ hear: (id) => hooked.arrived(id), close: () => {} }),
  "MCP tool": async ({ port, mcpToken }) => {
    const client = await mcpClient(new URL(`http://127.0.0.1:${port}/api/mcp`), mcpToken);
    return {
      hear: async (id) => void (await client.call("check_approval", { id })),
      close: () => void client.close(),
    };
  },
};

/** The time from sending an answer to its arrival at the app, for 200 answers in sequence. */
export async function decisions(
  { instances, tokens, mcpToken, hooked: [hooked] }: Apps,
  rounds: number,
): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const [where, at] of [
    ["one instance", 0],
    ["two instances", 1],
  ] as const) {
    for (const [name, way] of Object.entries(ways)) {
      if (!hooked) continue;
      const token = name === "webhook" ? hooked.token : (tokens[0] as string);
      const [here, there] = [instances[0], instances[at]] as const;
      const [asker, listening] = [client(here.port, token), client(there.port, token)];
      const listener = await way({ port: there.port, token, mcpToken, app: listening, hooked });
      const took: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const id = await asker.submit();
        const heard = listener.hear(id).then(() => performance.now());
        await pause(25);
        const began = performance.now();
        await asker.resolve(id);
        took.push((await heard) - began);
      }
      listener.close();
      rows.push([`${name}, ${where}`, ...[quantile(took, 0.5), quantile(took, 0.95), Math.max(...took)].map(rounded)]);
    }
  }
  table(`From the answer to the app in ms, ${rounds} answers each`, ["", "p50", "p95", "worst"], rows);
}

/** Returns a stream's event to the caller that waits for it. */
async function stream(port: number, token: string): Promise<Listener> {
  const waiting = new Map<string, () => void>();
  const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
  const request = http.get({ port, path: "/api/events", headers });
  request.on("error", () => {});
  await new Promise<void>((resolve) =>
    request.on("response", (reply) => {
      let text = "";
      reply.setEncoding("utf8").on("data", (piece: string) => {
        resolve();
        text += piece;
        const blocks = text.split("\n\n");
        text = blocks.pop() ?? "";
        for (const block of blocks.filter((each) => each.includes("event: approval.resolved")))
          for (const [id, heard] of waiting) if (block.includes(id)) heard();
      });
      reply.on("error", () => {});
    }),
  );
  return {
    hear: (id) => new Promise((resolve) => waiting.set(id, () => waiting.delete(id) && resolve())),
    close: () => void request.destroy(),
  };
}
