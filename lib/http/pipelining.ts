import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { every } from "@/lib/work/timer-registry";

/** The number of queued requests at which reading from a connection stops. */
const readAhead = 4;
/**
 * The maximum number of queued requests on a connection. It is higher than `readAhead`, because a
 * packet is read as a whole and may contain many requests.
 */
const maxAhead = 100;
/**
 * The number of consecutive checks, one per second, after which a client that reads nothing is
 * disconnected.
 */
const maxIdleChecks = 20;

/** A connection, with its queued requests and the progress of its current response. */
type Line = {
  readonly socket: Socket;
  busy: boolean;
  readonly waiting: (() => void)[];
  /**
   * The number of bytes that the client had received at the last check, and the number of checks
   * without progress since then.
   */
  taken: number;
  idle: number;
};

/**
 * Starts a request when its turn comes. A request whose connection ends before then never starts.
 */
export type RequestSequencer = (req: IncomingMessage, res: ServerResponse, begin: () => void) => void;

/**
 * Handles one request at a time on each connection. Otherwise, Node.js would start all pipelined
 * requests and keep their responses in memory. Disconnects clients that stop reading.
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
    // Pauses the socket later, because Node.js resumes reading at the end of each request.
    if (waiting.length >= readAhead) setImmediate(() => waiting.length >= readAhead && socket.pause());
  };
}

function serve(line: Line, res: ServerResponse, begin: () => void) {
  const { socket, waiting } = line;
  line.busy = true;
  // This event is emitted once the operating system has the last byte of the response.
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
 * Returns the number of bytes that have left this process, or -1 if the connection is closed.
 * `bytesWritten` includes bytes that are still buffered in this process, so these are subtracted.
 */
function takenOf(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : -1;
}
