import type { IncomingMessage, ServerResponse } from "node:http";
import type { Reply } from "@/lib/api/call";

/** Write a whole reply. A body that was not read is not waited for. */
export function send(req: IncomingMessage, res: ServerResponse, { status, headers, body }: Reply): void {
  const unread =
    !req.complete && (req.headers["content-length"] !== undefined || req.headers["transfer-encoding"] !== undefined);
  if (unread) headers.connection = "close";
  if (status !== 204) headers["content-length"] = String(Buffer.byteLength(body));
  res.writeHead(status, headers);
  if (req.method === "HEAD" || status === 204) res.end();
  else res.end(body);
}
