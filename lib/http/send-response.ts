import type { IncomingMessage, ServerResponse } from "node:http";
import type { OperationResponse } from "@/lib/api/operation-request";
import { lingeringClose } from "./lingering-close";
import { chunkBytes, writeInChunks } from "./stream-response";

/** Writes a whole response, without waiting for an unread request body. */
export function send(req: IncomingMessage, res: ServerResponse, { status, headers, body }: OperationResponse): void {
  const unread =
    !req.complete && (req.headers["content-length"] !== undefined || req.headers["transfer-encoding"] !== undefined);
  if (unread) headers.connection = "close";
  const length = Buffer.byteLength(body);
  if (status !== 204) headers["content-length"] = String(length);
  res.writeHead(status, headers);
  if (unread) lingeringClose(req);
  // ASCII text has the same bytes in Latin-1 as in UTF-8, and Node copies Latin-1 without encoding
  // it.
  const encoding = length === body.length ? "latin1" : "utf8";
  if (req.method === "HEAD" || status === 204) res.end();
  else if (length > chunkBytes) void writeInChunks(res, body, encoding);
  else res.end(body, encoding);
}
