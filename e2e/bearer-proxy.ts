import http from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A proxy that adds a bearer token, for programs that cannot send one. Everything else passes
 * unchanged.
 */
export async function bearerProxy(target: string, token: string): Promise<{ url: string; close(): void }> {
  const { hostname, port } = new URL(target);
  const server = http.createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${token}` };
    const onward = http.request({ hostname, port, method: req.method, path: req.url, headers }, (reply) => {
      res.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(res);
    });
    onward.on("error", () => res.destroy());
    res.on("close", () => onward.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    close: () => void server.close().closeAllConnections(),
  };
}
