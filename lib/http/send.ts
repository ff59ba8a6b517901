import type { IncomingMessage, ServerResponse } from "node:http";
import type { OperationResponse } from "@/lib/api/call";
import { lingeringClose } from "./lingering-close";
import { chunkBytes, writeInChunks } from "./stream-response";

/** Write a whole response. An unread body is not waited for. */
export function send(req: IncomingMessage, res: ServerResponse, { status, headers, body }: OperationResponse): void {
  const unread =
    !req.complete && (req.headers["content-length"] !== undefined || req.headers["transfer-encoding"] !== undefined);
  if (unread) headers.connection = "close";
  const length = Buffer.byteLength(body);
  if (status !== 204) headers["content-length"] = String(length);
  res.writeHead(status, headers);
  if (unread) lingeringClose(req);
  // ASCII text is the same bytes in Latin-1, which Node copies instead of encoding UTF-8.
  const encoding = length === body.length ? "latin1" : "utf8";
  if (req.method === "HEAD" || status === 204) res.end();
  else if (length > chunkBytes) void writeInChunks(res, body, encoding);
  else res.end(body, encoding);
}
