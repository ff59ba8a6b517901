import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** What is thrown away of one body, in bytes; how long nothing may come of it, in milliseconds; and how many at a time. */
export const lingeringCloseLimits = { bytes: 16 * 1024 * 1024, patience: 2_000, sockets: 500 };

const open = new Set<Socket>();

/**
 * Have the connection end in a way that its client reads the reply, of which the body was not waited for. Were it closed with
 * bytes still coming in, the kernel would answer those with a reset, which discards what the client has not read yet, and many
 * clients read only once they have written (RFC 9112 section 9.6). So our half is closed after the reply, and what comes in is
 * thrown away. The server's `requestTimeout` holds for it all; beyond any of these bounds the connection is closed at once.
 */
export function lingeringClose(req: IncomingMessage): void {
  const { socket } = req;
  if (open.has(socket) || open.size >= lingeringCloseLimits.sockets) return;
  open.add(socket);
  const close = () => void socket.destroy();
  const closeAfterReply = socket.destroySoon.bind(socket);
  // Node calls this once the last reply on a connection is written.
  socket.destroySoon = () => void socket.end();
  let left = lingeringCloseLimits.bytes;
  req.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) close();
  });
  req.once("end", closeAfterReply).resume();
  socket.setTimeout(lingeringCloseLimits.patience, close);
  socket.once("close", () => open.delete(socket));
}
