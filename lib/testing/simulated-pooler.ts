import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A simulated pooler between the service and PostgreSQL. */
export type Between = {
  /** The URL through the pooler. */
  url: string;
  /** Each connection's startup parameters. */
  began: Record<string, string>[];
  /** Starts to accept connections at `url`. */
  open(): Promise<void>;
  close(): Promise<void>;
};

type Habits = {
  /** Whether to drop NOTIFY messages to listeners, like a pooler in transaction mode. */
  forgets?: boolean;
  /** Whether to pass everything through unchanged. */
  transparent?: boolean;
};

/**
 * Starts a simulated pooler. Like PgBouncer, it reports its own process ID to clients. Each
 * connection keeps one session. lib/postgres/pooler.more.test.ts tests a real pooler.
 */
export async function between(url: string, { forgets = false, transparent = false }: Habits = {}): Promise<Between> {
  const target = new URL(url);
  const began: Record<string, string>[] = [];
  const open = new Set<Socket>();
  const server: Server = createServer((client) => {
    const postgres = connect(Number(target.port), target.hostname);
    for (const socket of [client, postgres]) {
      open.add(socket);
      socket
        .on("error", () => {})
        .on("close", () => {
          open.delete(socket);
          client.destroy();
          postgres.destroy();
        });
    }
    client.once("data", (first) => began.push(parametersOf(first)));
    client.on("data", (bytes) => postgres.write(bytes));
    if (transparent) postgres.on("data", (bytes) => client.write(bytes));
    else
      messages(postgres, (type, message) => {
        if (type === "K") message.writeInt32BE(4711, 5);
        if (type !== "A" || !forgets) client.write(message);
      });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const through = new URL(url);
  through.host = `127.0.0.1:${port}`;
  const close = async () => {
    if (!server.listening) return;
    server.close();
    for (const socket of open) socket.destroy();
    await once(server, "close");
  };
  return {
    url: through.href,
    began,
    open: async () => {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    close,
  };
}

/**
 * Returns the parameters of a startup message. After its length and the protocol version, names and
 * values alternate.
 */
function parametersOf(message: Buffer): Record<string, string> {
  const words = message.subarray(8).toString("latin1").split("\0");
  return Object.fromEntries(words.flatMap((word, at) => (at % 2 === 0 && word ? [[word, words[at + 1] ?? ""]] : [])));
}

/**
 * Splits a stream into PostgreSQL's messages. Each is a letter, a length that includes itself, and
 * the content.
 */
function messages(from: Socket, pass: (type: string, message: Buffer) => void) {
  let rest = Buffer.alloc(0);
  from.on("data", (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = 1 + rest.readInt32BE(1);
      pass(String.fromCharCode(rest[0]!), rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  });
}
