import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/**
 * Limits while a body is discarded: bytes, milliseconds without data, and concurrent connections.
 */
export const lingeringCloseLimits = { bytes: 16 * 1024 * 1024, silenceTimeoutMs: 2_000, sockets: 500 };

const open = new Set<Socket>();

/**
 * Closes a connection so that the client can read the response although its body was not read. A
 * close in both directions would send a reset, which discards the response, and many clients read
 * only after writing (RFC 9112 section 9.6). Therefore only our half closes, and incoming bytes are
 * discarded. Beyond any limit, the connection closes immediately.
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
