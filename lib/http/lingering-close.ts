import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/**
 * Limits while a request body is discarded: its bytes, the milliseconds without data, and the
 * number of concurrent connections.
 */
export const lingeringCloseLimits = { bytes: 16 * 1024 * 1024, silenceTimeoutMs: 2_000, sockets: 500 };

const open = new Set<Socket>();

/**
 * Closes a connection so that the client can read the response although its request body was not
 * read. Closing both directions would send a reset, which discards the response, and many clients
 * read only after writing (RFC 9112 section 9.6). Therefore, only our side closes and incoming
 * bytes are discarded, until a limit is reached and both sides close.
 */
export function lingeringClose(req: IncomingMessage): void {
  const { socket } = req;
  if (open.has(socket) || open.size >= lingeringCloseLimits.sockets) return;
  open.add(socket);
  const close = () => void socket.destroy();
  const closeAfterReply = socket.destroySoon.bind(socket);
  // Node calls this method after the last response on a connection.
  socket.destroySoon = () => void socket.end();
  let left = lingeringCloseLimits.bytes;
  req.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) close();
  });
  req.once("end", closeAfterReply).resume();
  socket.setTimeout(lingeringCloseLimits.silenceTimeoutMs, close);
  socket.once("close", () => open.delete(socket));
}
