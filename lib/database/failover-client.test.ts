import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, expect, test } from "vitest";
import { FailoverClient } from "./failover-client";

test("reads the role, password and database from an address with several servers", () => {
  const first = new FailoverClient({
    connectionString: "postgresql://u:p%40@one:5433,two/db?target_session_attrs=primary",
  });
  expect(first).toMatchObject({ host: "one", port: 5433, user: "u", password: "p@", database: "db" });
});

/** Returns a PostgreSQL message (PostgreSQL documentation, "Message Formats"). */
function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const authenticated = message("R", Buffer.alloc(4));
const ready = message("Z", Buffer.from("I"));
const terminated = message("E", Buffer.from("SFATAL\0C57P01\0Mterminating connection\0\0"));

// Simulates a server that shuts down just as a connection is ready, so that all its messages arrive
// together.
const server = createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", () => socket.end(Buffer.concat([authenticated, ready, terminated])));
});
await once(server.listen(0, "127.0.0.1"), "listening");
afterAll(() => server.close());

test("survives a server shutdown during a connection attempt", async () => {
  const { port } = server.address() as AddressInfo;
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.prependListener("uncaughtExceptionMonitor", note);
  const client = new FailoverClient({ connectionString: `postgresql://service@127.0.0.1:${port}/database` });
  const ended = once(client.connection, "end");
  await client.connect().catch(() => {});
  await ended;
  process.off("uncaughtExceptionMonitor", note);
  expect(uncaught).toEqual([]);
});
