import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { every } from "@/lib/work/timer-registry";

/**
 * The maximum number of pipelined requests that are read ahead on a connection. Reading then stops.
 */
const readAhead = 4;
/**
 * The maximum number of queued requests on a connection. A packet is read as a whole, so it may
 * contain more requests than are read ahead.
 */
const maxAhead = 100;
/**
 * The maximum number of checks, one per second, in which a client reads nothing. The client is then
 * disconnected.
 */
const maxIdleChecks = 20;

/** A connection, with its queued requests and the progress of its current response. */
type Line = {
  readonly socket: Socket;
  busy: boolean;
  readonly waiting: (() => void)[];
  /**
   * The number of bytes that the client had read at the last check, and the number of checks
   * without progress since.
   */
  taken: number;
  idle: number;
};

/** Starts a request in its turn. If the connection ends before, the request never starts. */
export type RequestSequencer = (req: IncomingMessage, res: ServerResponse, begin: () => void) => void;

/**
 * Handles one request at a time on each connection. Otherwise, Node would start all pipelined
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
    // Pauses later, because Node resumes reading at the end of each request.
    if (waiting.length >= readAhead) setImmediate(() => waiting.length >= readAhead && socket.pause());
  };
}

function serve(line: Line, res: ServerResponse, begin: () => void) {
  const { socket, waiting } = line;
  line.busy = true;
  // Emitted when the operating system has the last byte of the response.
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
 * Returns the number of bytes that have left this process. `bytesWritten` includes bytes that are
 * still buffered here, so these are subtracted.
 */
function takenOf(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : -1;
}
