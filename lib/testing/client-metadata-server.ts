import { createServer, type OutgoingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A response. The default is a valid document with status 200. */
export type DocumentReply = { status?: number; headers?: OutgoingHttpHeaders; body?: string; delay?: number };

/**
 * Starts a local server for client metadata documents. Tests in other processes set a document with
 * PUT. The server's origin must be in the service's ALLOW_PRIVATE_FETCH.
 */
export async function startDocuments() {
  const replies = new Map<string, DocumentReply>();
  const asked: string[] = [];
  const server = createServer(async (req, res) => {
    const path = req.url ?? "/";
    if (req.method === "PUT") {
      let body = "";
      for await (const chunk of req) body += chunk;
      replies.set(path, { body });
      return void res.end();
    }
    asked.push(path);
    const { status = 200, headers = {}, body = "", delay = 0 } = replies.get(path) ?? { status: 404 };
    await new Promise((resolve) => setTimeout(resolve, delay));
    res.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let count = 0;
  return {
    origin,
    /** The requested paths, oldest first. */
    asked,
    put: (path: string, reply: DocumentReply) => void replies.set(path, reply),
    /** Publishes a complete document at its own path. @returns its URL, which is the client_id */
    publish(members: object = {}, reply: DocumentReply = {}): string {
      const path = `/client-${++count}.json`;
      const url = `${origin}${path}`;
      replies.set(path, { body: JSON.stringify(aDocument(url, members)), ...reply });
      return url;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Returns a valid document. */
export const aDocument = (url: string, members: object = {}) => ({
  client_id: url,
  client_name: "Paper Plane",
  redirect_uris: ["https://plane.example/callback"],
  ...members,
});
