import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, expect, test } from "vitest";
import { readSettings } from "@/lib/config/env";
import { FailoverClient, isCluster } from "./failover-client";

const read =
  (DATABASE_URL: string, more = {}) =>
  () =>
    readSettings({ NODE_ENV: "test", DATABASE_URL, ...more }).DATABASE_URL;

test.each([
  "postgresql://u:p@one/db",
  "postgres://one:5433/db?sslmode=require",
  "postgresql:///db?host=/var/run/postgresql",
  "postgresql://u:p@one:5432,two:5433,[::1]:5434/db?target_session_attrs=read-write",
  "postgresql://u:p@one,two/db?target_session_attrs=primary",
  "postgresql://one,two",
])("accepts the database address %s", (url) => {
  expect(read(url)()).toBe(url);
});

test.each([
  ["mysql://one/db", "DATABASE_URL must be a postgresql:// address."],
  ["postgresql://one:5432,two:x/db", "DATABASE_URL must be a postgresql:// address."],
  ["postgresql://one two/db", "DATABASE_URL must be a postgresql:// address."],
  [
    "postgresql://u:hush@one,two/db?target_session_attrs=standby",
    "DATABASE_URL must have target_session_attrs=read-write or primary, because the service writes to the database.",
  ],
])("rejects the database address %s", (url, sentence) => {
  expect(read(url)).toThrow(sentence);
});

test("requires DATABASE_URL if DATABASE_DIRECT_URL is set", () => {
  const alone = { DATABASE_DIRECT_URL: "postgresql://one/db" };
  expect(read("", alone)).toThrow("DATABASE_DIRECT_URL requires DATABASE_URL. Set DATABASE_URL.");
  expect(readSettings({ NODE_ENV: "test", DATABASE_URL: "postgresql://two/db", ...alone })).toMatchObject(alone);
});

test("applies the role, password and database to each server", () => {
  expect([isCluster("postgresql://u@one/db"), isCluster("postgresql://u@one,two/db")]).toEqual([false, true]);
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

// A server shuts down just as a connection is ready, and all its messages arrive together.
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
