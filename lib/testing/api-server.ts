import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text as read } from "node:stream/consumers";
import { afterAll } from "vitest";
import { createHttpServer } from "@/lib/http/server";

export type Answered = { status: number; headers: Headers; body: unknown; text: string };
export type Ask = {
  token?: string | undefined;
  body?: unknown;
  /** The raw body, which replaces `body`. */
  raw?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  /** A signal that aborts the request. */
  signal?: AbortSignal;
};

/** Starts the API server without pages, on a socket, for one test file. */
export async function startFront() {
  const front = createHttpServer(async (_req, res) => void res.writeHead(404).end("no pages here"));
  await new Promise<void>((resolve) => front.server.listen(0, "127.0.0.1", resolve));
  const { port } = front.server.address() as AddressInfo;
  afterAll(() => front.drain(500));
  return { port, front, ask: (method: string, path: string, how: Ask = {}) => ask(port, method, path, how) };
}

// Node's own HTTP client uses half as much CPU time as fetch. Some tests send thousands of
// requests.
const kept = new Agent({ keepAlive: true });

/** Makes one API call over HTTP. */
export async function ask(
  port: number,
  method: string,
  path: string,
  { token, body, raw, headers, signal }: Ask,
): Promise<Answered> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const calling = request(new URL(`http://127.0.0.1:${port}${path}`), {
    agent: kept,
    method,
    ...(signal && { signal }),
    headers: {
      accept: "*/*",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(sent !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(sent) }),
      ...headers,
    },
  }).end(sent);
  const [reply] = (await once(calling, "response")) as [IncomingMessage];
  const text = await read(reply);
  const named = Object.entries(reply.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const answer = { status: reply.statusCode as number, headers: new Headers(named), text };
  return { ...answer, body: text.startsWith("{") ? JSON.parse(text) : text };
}
