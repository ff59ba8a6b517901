import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { every } from "@/lib/work/timer-registry";

/** Maximum pipelined requests that are read ahead on one connection. Reading then stops. */
const readAhead = 4;
/**
 * Maximum queued requests. One packet is read as a whole and may contain more than the server reads
 * ahead. No client needs this many in one packet.
 */
const maxAhead = 100;
/**
 * Maximum checks, one a second, in which a client reads nothing. The client is then disconnected.
 */
const maxIdleChecks = 20;

/** A connection with its queued requests and the progress of its current response. */
type Line = {
  readonly socket: Socket;
  busy: boolean;
  readonly waiting: (() => void)[];
  /**
   * Bytes that the client had read at the last check, and how many checks since found no progress.
   */
  taken: number;
  idle: number;
};

/** Starts a request when its turn comes. If the connection ends first, the request never starts. */
export type RequestSequencer = (req: IncomingMessage, res: ServerResponse, begin: () => void) => void;

/**
 * Handles one request at a time on every connection. The next request starts once the previous
 * response has been sent. Without this, Node would start all pipelined requests and keep their
 * responses in memory. A client that stops reading is disconnected.
 */
export function serializePipelined(server: Server): RequestSequencer {
  const lines = new Map<Socket, Line>();
  server.on("connection", (socket) => {
    lines.set(socket, { socket, busy: false, waiting: [], taken: 0, idle: 0 });
    socket.once("close", () => lines.delete(socket));
  });
  const cancel = every(1000, () => {
    for (const line of lines.values()) look(line);
  });
  server.once("close", cancel);
  return (req, res, begin) => {
    const line = lines.get(req.socket);
    if (!line) return;
    const { busy, waiting, socket } = line;
    if (!busy) return serve(line, res, begin);
    if (waiting.length >= maxAhead) return void socket.destroy();
    waiting.push(() => serve(line, res, begin));
    // Pauses a moment later, because Node resumes reading at the end of each request.
    if (waiting.length >= readAhead) setImmediate(() => waiting.length >= readAhead && socket.pause());
  };
}

function serve(line: Line, res: ServerResponse, begin: () => void) {
  const { socket, waiting } = line;
  line.busy = true;
  // Called when the operating system has received the response's last byte.
  res.once("finish", () => {
    line.busy = false;
    if (socket.writableEnded || socket.destroyed) return;
    const next = waiting.shift();
    if (waiting.length < readAhead) socket.resume();
    next?.();
  });
  begin();
}

function look(line: Line) {
  const { socket } = line;
  const taken = socket.writableLength === 0 ? -1 : takenOf(socket);
  line.idle = taken < 0 || taken !== line.taken ? 0 : line.idle + 1;
  line.taken = taken;
  if (line.idle >= maxIdleChecks) socket.destroy();
}

/**
 * Returns the number of bytes that have left this process. Subtracts the bytes that are still
 * buffered here, because `bytesWritten` includes them. Node's own socket timeout reads
 * `writeQueueSize` too.
 */
function takenOf(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : -1;
}
