import type { ChildProcess } from "node:child_process";
import http from "node:http";
import net from "node:net";
import { alive } from "@/lib/api/health";
import { cannotListen } from "@/lib/cli/preflight";
import { unavailable } from "@/lib/errors";
import { pathOf } from "@/lib/http/request-checks";
import { send } from "@/lib/http/send";
import { ConnectionDispatch } from "./connection-dispatch";

/*
 * Several processes share one port. The first process listens and hands each connection to a ready
 * process, unread, and keeps it until that process confirms, so that a crash loses none. Node's
 * cluster would close the port with the last process; here the first process responds 503 with
 * Retry-After while none is ready.
 */

/** The message with a connection, and its confirmation. */
export type Handed = { connection: number };
export type TakenConnection = { taken: number };

/** Timeouts for rejected requests, in milliseconds. */
const timeouts = { connectionsCheckingInterval: 1_000, headersTimeout: 5_000, requestTimeout: 10_000 };

type Process = Pick<ChildProcess, "send">;

/** Listen on the port. @throws {OperatorError} if it cannot */
export async function sharePort(host: string, port: number) {
  const refusals = track(http.createServer({ ...timeouts, requireHostHeader: false }, refuse));
  const connections = new ConnectionDispatch<Process, net.Socket>({
    hand: (process, number, socket, failed) =>
      process.send({ connection: number } satisfies Handed, socket, { keepOpen: true }, (error) => {
        if (error) failed();
      }),
    refuse(socket) {
      refusals.emit("connection", socket);
      socket.resume();
    },
  });
  const server = net.createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    socket.on("error", () => {});
    connections.dispatch(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(cannotListen(port, host, error)));
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as net.AddressInfo).port,
    connections,
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
