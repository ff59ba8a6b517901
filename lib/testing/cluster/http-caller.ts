import { type ClientHttp2Session, connect } from "node:http2";
import { Agent, type RequestOptions, request } from "node:https";

/** A request's outcome: a response, or why there was none. */
export type Outcome = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** An error code like `ECONNRESET`, with status 0. */
  broken?: string;
};

type CallOptions = {
  token?: string;
  body?: unknown;
  key?: string;
  headers?: Record<string, string>;
  /** The source address of the call. */
  from?: string;
  /** Whether to use a new connection for this call. */
  alone?: boolean;
};

/** An open event stream. */
export type Stream = {
  status: number;
  headers: Outcome["headers"];
  output: string;
  ended: boolean;
  /** Why the stream ended, if the service did not end it. */
  broken: string | undefined;
  close(): void;
};

/**
 * Creates a client that calls the service through a load balancer. It resumes TLS sessions and
 * reuses connections.
 */
export function callerOf({ port, ca }: { port: number; ca: string }) {
  const agent = new Agent({ keepAlive: true, maxCachedSessions: 10 });
  // Each stream needs its own connection, so only TLS sessions are reused.
  const forOne = new Agent({ keepAlive: false, maxCachedSessions: 10 });
  const optionsOf = (method: string, path: string, { token, body, key, headers, from, alone }: CallOptions) =>
    ({
      ...{ host: "127.0.0.1", servername: "localhost", port, ca, method, path },
      agent: alone ? forOne : agent,
      ...(from && { localAddress: from }),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(key && { "idempotency-key": key }),
        ...headers,
      },
    }) satisfies RequestOptions;

  const call = (method: string, path: string, asked: CallOptions = {}) =>
    new Promise<Outcome>((resolve) => {
      const failed = (error: NodeJS.ErrnoException) =>
        resolve({ status: 0, headers: {}, text: "", broken: error.code ?? error.message });
      const sent = request(optionsOf(method, path, asked), (reply) => {
        let text = "";
        reply.setEncoding("utf8").on("data", (piece) => (text += piece));
        reply.on("error", failed);
        reply.on("end", () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }));
      });
      sent.on("error", failed);
      sent.end(asked.body === undefined ? undefined : JSON.stringify(asked.body));
    });

  /** Opens an event stream. Resolves when the response starts, whatever its status. */
  const stream = (token: string, path = "/api/events", headers: Record<string, string> = {}) =>
    new Promise<Stream>((resolve) => {
      const all = { accept: "text/event-stream", ...headers };
      const sent = request(optionsOf("GET", path, { token, headers: all, alone: true }), (reply) => {
        const it: Stream = {
          status: reply.statusCode ?? 0,
          headers: reply.headers,
          ...{ output: "", ended: false, broken: undefined },
          close: () => void sent.destroy(),
        };
        reply.setEncoding("utf8").on("data", (piece) => (it.output += piece));
        reply.on("error", (error) => Object.assign(it, { broken: String(error) }));
        reply.on("close", () => Object.assign(it, { ended: true }));
        resolve(it);
      });
      sent.on("error", (error) =>
        resolve({ status: 0, headers: {}, output: "", ended: true, broken: String(error), close: () => {} }),
      );
      sent.end();
    });

  return {
    call,
    stream,
    close: () => {
      agent.destroy();
      forOne.destroy();
    },
  };
}

/**
 * Opens event streams over several HTTP/2 connections, because a TLS handshake for each stream
 * would take too long.
 */
export function crowdOf({ port, ca }: { port: number; ca: string }, connections: number) {
  const sessions: ClientHttp2Session[] = Array.from({ length: connections }, () =>
    connect(`https://127.0.0.1:${port}`, { ca, servername: "localhost" }).on("error", () => {}),
  );
  const stream = (token: string, nth: number) =>
    new Promise<Stream>((resolve) => {
      const headers = {
        ":authority": "localhost",
        ":path": "/api/events",
        authorization: `Bearer ${token}`,
        accept: "text/event-stream",
      };
      const sent = (sessions[nth % connections] as ClientHttp2Session).request(headers);
      const it: Stream = {
        ...{ status: 0, headers: {}, output: "", ended: false, broken: undefined },
        close: () => void sent.close(),
      };
      sent.setEncoding("utf8").on("data", (piece) => (it.output += piece));
      sent.on("response", (all) => resolve(Object.assign(it, { status: Number(all[":status"]), headers: all })));
      sent.on("error", (error) => resolve(Object.assign(it, { broken: String(error) })));
      sent.on("close", () => resolve(Object.assign(it, { ended: true })));
    });
  return {
    stream,
    close: () => {
      for (const session of sessions) session.destroy();
    },
  };
}
export type Caller = ReturnType<typeof callerOf>;
