import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { every } from "@/lib/work/timers";

/** So many requests of a connection are read ahead of the one that is being answered; then it is not read any further. */
const readAhead = 4;
/** One packet is read whole and may bring more. Nobody sends so many in one. */
const mostAhead = 100;
/** Who takes no byte of what is there for them at so many looks, one a second, is let go. */
const patience = 20;

/** A connection: what is asked on it, and how its replies are taken. */
type Line = {
  readonly socket: Socket;
  busy: boolean;
  readonly waiting: (() => void)[];
  /** Bytes that had been taken at the last look, and at how many looks there were no more. */
  taken: number;
  idle: number;
};

/** Begin to answer a request when its turn comes. Whose connection ends before is never begun. */
export type RequestSequencer = (req: IncomingMessage, res: ServerResponse, begin: () => void) => void;

/**
 * The rule for every connection, whatever is sent on it: one request at a time, the next when the reply is taken (Node would
 * begin all that were pipelined, and keep their replies in memory); and no reply waits for ever to be taken.
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
    if (waiting.length >= mostAhead) return void socket.destroy();
    waiting.push(() => serve(line, res, begin));
    // Not now: Node reads on at the end of each request.
    if (waiting.length >= readAhead) setImmediate(() => waiting.length >= readAhead && socket.pause());
  };
}

function serve(line: Line, res: ServerResponse, begin: () => void) {
  const { socket, waiting } = line;
  line.busy = true;
  // Its last byte is with the reader's system or on the way there.
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
  if (line.idle >= patience) socket.destroy();
}

/** `bytesWritten` alone also counts what still waits here. Node's own time-out for sockets reads `writeQueueSize` too. */
function takenOf(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : -1;
}
