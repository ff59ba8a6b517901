import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import { createFront } from "@/lib/front/front";

export type Answered = { status: number; headers: Headers; body: unknown; text: string };
export type Ask = {
  token?: string | undefined;
  body?: unknown;
  /** Sent as it is, in place of `body`. */
  raw?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
};

/** The front on a socket of its own for one test file, with pages that are never there. */
export async function startFront() {
  const front = createFront(async (_req, res) => void res.writeHead(404).end("no pages here"));
  await new Promise<void>((resolve) => front.server.listen(0, "127.0.0.1", resolve));
  const { port } = front.server.address() as AddressInfo;
  afterAll(() => front.drain(500));
  return { port, front, ask: (method: string, path: string, how: Ask = {}) => ask(port, method, path, how) };
}

/** One API call over HTTP. */
export async function ask(
  port: number,
  method: string,
  path: string,
  { token, body, raw, headers }: Ask,
): Promise<Answered> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    redirect: "manual",
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(sent !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent }),
  });
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, text, body: text.startsWith("{") ? JSON.parse(text) : text };
}
