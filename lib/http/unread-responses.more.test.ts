import net from "node:net";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { listApprovals, submitApproval } from "@/lib/approvals/approvals";
import { pool } from "@/lib/database/db";
import { noteTaken, noteUnsent, unsentBytes } from "@/lib/net/unsent-response-limit";
import { startFront } from "@/lib/testing/api-server";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { statementsWith } from "@/lib/testing/spied-sql-statements";

const { port, ask, front } = await startFront();
const mib = 1024 * 1024;

test("uses at most 50 MB of memory for 60 clients that read no responses", async () => {
  const { app, token } = await anAppWith("approvals:write", "approvals:read");
  const other = await anAppWith("approvals:write", "approvals:read");
  const long = { ...aQuestion, backgroundContext: "x".repeat(18_000) };
  const writer = { ...app, needs: "approvals:write" } as const;
  await Promise.all(Array.from({ length: 200 }, () => submitApproval(writer, long)));
  await submitApproval({ ...other.app, needs: "approvals:write" }, aQuestion);

  let maxUnsent = 0;
  const looking = setInterval(() => (maxUnsent = Math.max(maxUnsent, unsentBytes())), 1);
  const open = new Set<net.Socket>();
  front.server.on("connection", (socket: net.Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  // The responses are larger than the operating system's buffers for a connection that no one
  // reads.
  const asking = (limit: number) =>
    `GET /api/approvals?limit=${limit} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`.repeat(4);
  // Each list is different, because identical lists would be in memory only once.
  const readers = Array.from({ length: 60 }, (_, at) => {
    const socket = net.connect(port, "127.0.0.1", () => socket.write(asking(200 - at))).pause();
    return socket.on("error", () => {});
  });
  await expect.poll(() => maxUnsent).toBeGreaterThan(10 * mib);
  // The service may reject the first requests while it is busy.
  const list = () => ask("GET", "/api/approvals", { token: other.token });
  await expect.poll(async () => (await list()).status).toBe(200);
  await expect.poll(() => unsentBytes(), { timeout: 60_000 }).toBeLessThan(16 * mib);
  const ends = () =>
    [...open].filter(({ remotePort }) => readers.some(({ localPort }) => localPort === remotePort)).length;
  await expect.poll(ends, { timeout: 60_000 }).toBeLessThan(60);
  clearInterval(looking);
  for (const reader of readers) reader.destroy();
  expect(maxUnsent).toBeLessThan(50 * mib);
});

test("counts the memory that an unread list uses only once across all clients", async () => {
  const { app } = await anAppWith("approvals:write", "approvals:read");
  const long = { ...aQuestion, backgroundContext: "y".repeat(18_000) };
  await Promise.all(Array.from({ length: 200 }, () => submitApproval({ ...app, needs: "approvals:write" }, long)));
  const lists = await Promise.all(
    Array.from({ length: 5 }, () => listApprovals({ ...app, needs: "approvals:read" }, { limit: 200 })),
  );
  const replies = lists.map(({ text }) => ({ text, destroy: vi.fn() }));
  const before = unsentBytes();
  for (const reply of replies) noteUnsent(reply, reply.text, reply.text.length);
  expect(unsentBytes() - before).toBe(lists[0]?.text.length);
  for (const reply of replies) noteTaken(reply);
  expect(unsentBytes()).toBe(before);
});

test("delays list queries while over 16 MB of lists are unread", async () => {
  const { app } = await anAppWith("approvals:write", "approvals:read");
  // Stops the timers, so that no slow client is disconnected.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const [first, second] = [{ destroy: vi.fn() }, { destroy: vi.fn() }];
  noteUnsent(first, "first", 9 * mib);
  noteUnsent(second, "second", 9 * mib);
  const queries = vi.spyOn(pg.Client.prototype, "query");
  const listed = listApprovals({ ...app, needs: "approvals:read" }, {});
  for (let turn = 0; turn < 10; turn++) await pool().query("SELECT 1");
  expect(statementsWith("string_agg", queries)).toHaveLength(0);
  noteTaken(first);
  expect(JSON.parse((await listed).text)).toEqual({ data: [] });
  expect(statementsWith("string_agg", queries)).toHaveLength(1);
  noteTaken(second);
  vi.restoreAllMocks();
  vi.useRealTimers();
});
