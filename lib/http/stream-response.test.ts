import { once } from "node:events";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { afterAll, afterEach, expect, test } from "vitest";
import { slowReader } from "@/lib/net/unsent-response-limit";
import { writeInChunks } from "./stream-response";

/**
 * Longer than the shared limit for unread responses, plus what an operating system buffers for a
 * client.
 */
const long = "x".repeat(40 * 1024 * 1024);

/** Characters of two UTF-16 units each. Some of them cross the end of a piece. */
const faces = `a${"😀".repeat(200_000)}`;

/** The waiting responses to requests for the same list. They are sent at the same moment. */
const alike: http.ServerResponse[] = [];
const list = "x".repeat(1024 * 1024);
let count = 0;

const server = http.createServer((req, res) => {
  if (req.url === "/alike") {
    if (alike.push(res) === 40)
      for (const [at, each] of alike.entries()) void writeInChunks(each, `${at + 10}${list}`, "latin1");
  } else
    void (req.url === "/faces" ? writeInChunks(res, faces, "utf8") : writeInChunks(res, `${count++}${long}`, "latin1"));
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { after } = slowReader;
afterEach(() => void (slowReader.after = after));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function ask() {
  const socket = net.connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => {});
  socket.pause().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const [, res] = (await once(server, "request")) as [unknown, http.ServerResponse];
  return { socket, res };
}

test("delivers long responses unchanged", async () => {
  const { port } = server.address() as AddressInfo;
  expect(await (await fetch(`http://127.0.0.1:${port}/faces`)).text()).toBe(faces);
});

test("delivers complete responses to forty concurrent readers", async () => {
  // On a slow machine, readers are slow as well, and must not be disconnected.
  slowReader.after = 60_000;
  const { port } = server.address() as AddressInfo;
  const read = async () => (await (await fetch(`http://127.0.0.1:${port}/alike`)).text()).length;
  const lengths = await Promise.all(Array.from({ length: 40 }, read));
  expect(lengths).toEqual(lengths.map(() => list.length + 2));
});

test("disconnects the longest idle client at the memory limit", async () => {
  const first = await ask();
  const second = await ask();
  await expect.poll(() => first.res.destroyed).toBe(true);
  expect(second.res.destroyed).toBe(false);
  let taken = 0;
  second.socket.on("data", (chunk) => (taken += chunk.length)).resume();
  await expect.poll(() => taken).toBeGreaterThan(long.length);
  second.socket.destroy();
});
