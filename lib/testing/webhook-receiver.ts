import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

/** A message as it arrived. `at` is in epoch milliseconds. */
export type Received = { path: string; method: string; headers: IncomingHttpHeaders; body: string; at: number };
type Behaviour = (res: ServerResponse, req: IncomingMessage, nth: number) => unknown;

/**
 * Starts a local server that receives webhooks. Each path responds with 204, or as configured with
 * `on`. Tests in other processes set a path's status with PUT, and read its messages with GET. The
 * server's origin must be in ALLOW_PRIVATE_FETCH.
 */
export async function aReceiver({ port = 0, tls }: { port?: number; tls?: { key: string; cert: string } } = {}) {
  const got: Received[] = [];
  const behaviours = new Map<string, Behaviour>();
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const path = req.url ?? "/";
    let body = "";
    req.setEncoding("utf8");
    for await (const piece of req) body += piece;
    if (req.method === "GET") return void res.end(JSON.stringify(got.filter((each) => each.path === path)));
    if (req.method === "PUT") {
      behaviours.set(path, (reply) => reply.writeHead(Number(body)).end());
      return void res.end();
    }
    got.push({ path, method: req.method ?? "", headers: req.headers, body, at: Date.now() });
    const behave = behaviours.get(path);
    if (behave) await behave(res, req, got.filter((each) => each.path === path).length);
    else res.writeHead(204).end();
  };
  const listener = (req: IncomingMessage, res: ServerResponse) => void answer(req, res).catch(() => {});
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const origin = `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    /** All received messages, oldest first. */
    got,
    /** The messages at one path. */
    at: (path: string) => got.filter((each) => each.path === path),
    on: (path: string, behave: Behaviour) => void behaviours.set(path, behave),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Returns a message's content, verified with the secret by the Standard Webhooks library.
 * @throws if the signature is invalid
 */
export const verified = (secret: string, { body, headers }: Pick<Received, "body" | "headers">) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as {
    id: string;
    type: string;
    createdAt: number;
    timestamp: string;
    sub: string;
    data: Record<string, unknown>;
  };
