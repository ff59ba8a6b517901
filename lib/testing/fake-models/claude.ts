import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll } from "vitest";

type Block = { type: string; tool_use_id?: string; content?: string | { text: string }[]; text?: string };
type Request = { model: string; messages: { role: string; content: string | Block[] }[] };

/**
 * Starts the part of Anthropic's API that Claude Code needs. Its fake model calls the tool that
 * deletes the branch named in the prompt, and then repeats the tool's result.
 * @returns the API's URL
 */
export async function fakeClaude(): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = (await json(request).catch(() => undefined)) as Request | undefined;
    if (!request.url?.startsWith("/v1/messages") || !body) return void response.writeHead(404).end("{}");
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const [type, data] of Object.entries(reply(body)))
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    response.end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  afterAll(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function reply({ model, messages }: Request) {
  const blocks = messages.flatMap(({ role, content }) =>
    role !== "user" ? [] : typeof content === "string" ? [{ type: "text", text: content } as Block] : content,
  );
  const told = blocks.findLast(({ text }) => text?.startsWith("Delete"))?.text;
  const { content } = blocks.findLast(({ type }) => type === "tool_result") ?? {};
  const heard = typeof content === "string" ? content : content?.map(({ text }) => text).join(" ");
  const branch = /([\w-]+)\.$/.exec(told ?? "")?.[1];
  const call = { type: "tool_use", id: `toolu_${branch}`, name: "mcp__git__delete_branch", input: {} };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: "msg_1", type: "message", role: "assistant", model, content: [], stop_reason: null, usage };
  return {
    message_start: { message },
    content_block_start: { index: 0, content_block: heard ? { type: "text", text: "" } : call },
    content_block_delta: {
      index: 0,
      delta: heard
        ? { type: "text_delta", text: `Heard: ${heard}` }
        : { type: "input_json_delta", partial_json: JSON.stringify({ branch }) },
    },
    content_block_stop: { index: 0 },
    message_delta: { delta: { stop_reason: heard ? "end_turn" : "tool_use" }, usage },
    message_stop: {},
  };
}
