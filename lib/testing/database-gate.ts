import net from "node:net";

/** An address of a database that a test can make unavailable. */
export type DatabaseGate = {
  url: string;
  /** Makes the database available again. Breaks frozen connections. */
  open(): void;
  /** Accepts connections and statements, but never replies, like a network that drops packets. */
  freeze(): void;
  /** Breaks all connections, and rejects new ones. */
  close(): void;
  /** Closes the gate permanently. */
  end(): Promise<void>;
};

/**
 * Creates an address that leads to a database while it is open, as it is at first.
 * @param url the database's address
 */
export async function aDatabaseGate(url: string): Promise<DatabaseGate> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<net.Socket>();
  let state: "open" | "frozen" | "closed" = "open";
  const server = net.createServer((socket) => {
    if (state === "closed") return void socket.destroy();
    if (state === "frozen") {
      sockets.add(socket.pause().on("error", () => {}));
      return;
    }
    const there = net.connect(Number(port), hostname);
    for (const one of [socket, there]) {
      sockets.add(one);
      one
        .on("error", () => {})
        .on("close", () => {
          sockets.delete(one);
          socket.destroy();
          there.destroy();
        });
    }
    socket.pipe(there).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const gated = new URL(url);
  gated.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const close = () => {
    state = "closed";
    destroyAll();
  };
  return {
    url: gated.href,
    open: () => {
      if (state === "frozen") destroyAll();
      state = "open";
    },
    freeze: () => {
      state = "frozen";
      for (const socket of sockets) socket.unpipe().pause();
    },
    close,
    end: () => {
      close();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
