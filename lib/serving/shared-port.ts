import type { ChildProcess } from "node:child_process";
import http from "node:http";
import net from "node:net";
import { alive } from "@/lib/api/health";
import { cannotListen } from "@/lib/cli/preflight";
import { unavailable } from "@/lib/errors";
import { pathOf } from "@/lib/http/request-checks";
import { send } from "@/lib/http/send";

/*
 * Several processes share one port. The first process listens and hands each connection to a ready
 * process, unread, and keeps it until that process confirms, so that a crash loses none. Node's
 * cluster would close the port with the last process; here the first process responds 503 with
 * Retry-After while none is ready.
 */

/** The message with a connection, and its confirmation. */
export type Handed = { connection: number };
export type Taken = { taken: number };

/** How many unconfirmed connections a process may have. A stuck process gets no more. */
const ahead = 2;
/**
 * How long a connection waits for a ready but stuck process, in milliseconds. Then it also gets a
 * 503.
 */
const patience = 10_000;

/** Timeouts for rejected requests, in milliseconds. */
const timeouts = { connectionsCheckingInterval: 1_000, headersTimeout: 5_000, requestTimeout: 10_000 };

type Process = Pick<ChildProcess, "send">;
type Waiting = { socket: net.Socket; timer: NodeJS.Timeout };

/** Listen on the port. @throws {OperatorError} if it cannot */
export async function sharePort(host: string, port: number) {
  /** Ready processes with their unconfirmed connections; the most recently used one is last. */
  const ready = new Map<Process, Map<number, net.Socket>>();
  const waiting = new Set<Waiting>();
  const refusals = track(http.createServer({ ...timeouts, requireHostHeader: false }, refuse));
  let count = 0;

  const refuseAll = (socket: net.Socket) => {
    refusals.emit("connection", socket);
    socket.resume();
  };
  const dispatch = (socket: net.Socket) => {
    if (socket.destroyed) return;
    if (ready.size === 0) return refuseAll(socket);
    for (const [process, given] of ready) if (given.size < ahead) return hand(socket, process, given);
    const it = { socket, timer: setTimeout(() => waiting.delete(it) && refuseAll(socket), patience).unref() };
    waiting.add(it);
  };
  const hand = (socket: net.Socket, process: Process, given: Map<number, net.Socket>) => {
    const number = ++count;
    given.set(number, socket);
    ready.delete(process);
    ready.set(process, given);
    process.send({ connection: number } satisfies Handed, socket, { keepOpen: true }, (error) => {
      if (error) remove(process);
    });
  };
  /** Waiting connections get the next process, oldest first. */
  const next = () => {
    for (const it of waiting) {
      if (ready.size > 0 && ![...ready.values()].some(({ size }) => size < ahead)) return;
      waiting.delete(it);
      clearTimeout(it.timer);
      dispatch(it.socket);
    }
  };

  /** A process accepts no more connections. Its unconfirmed ones are handed to others. */
  const remove = (process: Process) => {
    const given = ready.get(process);
    ready.delete(process);
    for (const socket of given?.values() ?? []) dispatch(socket);
    next();
  };

  const server = net.createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    socket.on("error", () => {});
    dispatch(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(cannotListen(port, host, error)));
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as net.AddressInfo).port,
    /** A process accepts connections from now on. */
    add(process: Process) {
      ready.set(process, new Map());
      next();
    },
    /** A process has confirmed a connection, so this process closes its copy. */
    taken(process: Process, { taken }: Taken) {
      const given = ready.get(process);
      given?.get(taken)?.destroy();
      given?.delete(taken);
      next();
    },
    remove,
    /** Close the port. */
    close() {
      server.close();
      refusals.closeIdleConnections();
    },
  };
}

/**
 * Make a server that does not listen enforce timeouts on its connections. Node starts that on
 * "listening".
 */
export function track(server: http.Server): http.Server {
  server.emit("listening");
  return server;
}

function refuse(req: http.IncomingMessage, res: http.ServerResponse) {
  res.setHeader("connection", "close");
  if (pathOf(req.url ?? "") === "/livez") return send(req, res, alive());
  const { message, headers = {} } = unavailable("The service is starting. Try again in a few seconds.");
  const isPage = req.headers.accept?.includes("text/html");
  const type = isPage ? "text/plain; charset=utf-8" : "application/json";
  const body = isPage ? message : JSON.stringify({ error: message });
  send(req, res, { status: 503, headers: { ...headers, "content-type": type, "cache-control": "no-store" }, body });
}
