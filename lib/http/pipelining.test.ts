import { once } from "node:events";
import http, { type ServerResponse } from "node:http";
import net, { type AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { serializePipelined } from "./pipelining";

/** More bytes than an operating system buffers for a client that reads nothing. */
const long = Buffer.alloc(32 * 1024 * 1024, "x");

let server: http.Server;
let asked: number;
/** The paths of the started requests, and their responses. */
let begun: string[];
let replies: ServerResponse[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  [asked, begun, replies] = [0, [], []];
  server = http.createServer();
  const inTurn = serializePipelined(server);
  server.on("request", (req, res) => {
    asked++;
    inTurn(req, res, () => {
      begun.push(req.url as string);
      replies.push(res);
      if (req.url === "/long") res.end(long);
      else if (req.url !== "/later") res.end(req.url);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterEach(() => {
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
});

/** Opens a connection that reads only on request. */
async function connect() {
  const socket = net.connect((server.address() as AddressInfo).port, "127.0.0.1").pause();
  await once(socket, "connect");
  return socket.on("error", () => {});
}
const get = (...paths: string[]) => paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join("");
const open = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Waits for this many checks of the clients' progress. */
async function looks(count: number, between: () => unknown = () => {}) {
  for (let at = 0; at < count; at++) {
    await between();
    vi.advanceTimersByTime(1000);
  }
}

test("responds to each pipelined request exactly once in order", async () => {
  const socket = await connect();
  const paths = Array.from({ length: 50 }, (_, at) => `/${at}`);
  let said = "";
  socket.on("data", (text) => (said += text)).resume();
  socket.write(get(...paths));
  await expect.poll(() => said).toMatch(/\/49$/);
  expect(begun).toEqual(paths);
  expect(said.match(/(?<=\r\n\r\n)\/\d+/g)).toEqual(paths);
});

test("starts the next pipelined request only after the client reads the previous response", async () => {
  const socket = await connect();
  socket.write(get(...Array.from({ length: 3 }, () => "/long")));
  await expect.poll(() => asked).toBe(3);
  await pause(100);
  expect(begun).toEqual(["/long"]);
  let length = 0;
  socket.on("data", (bytes) => (length += bytes.length)).resume();
  await expect.poll(() => length).toBeGreaterThan(3 * long.length);
  expect(begun.length).toBe(3);
});

test("reads only a few pipelined requests during a slow response", async () => {
  const socket = await connect();
  socket.setNoDelay().write(get("/later"));
  await expect.poll(() => asked).toBe(1);
  for (let at = 0; at < 20; at++) {
    socket.write(get("/soon"));
    await pause(10);
  }
  await expect.poll(() => asked).toBe(5);
  await pause(50);
  expect(asked).toBe(5);
  let said = "";
  socket.on("data", (text) => (said += text)).resume();
  replies[0]?.end("/later");
  await expect.poll(() => said.split("/soon").length).toBe(21);
});

test("disconnects a client that pipelines too many requests", async () => {
  const socket = await connect();
  socket.resume().write(get("/later", ...Array.from({ length: 200 }, () => "/soon")));
  await once(socket, "close");
  expect(begun).toEqual(["/later"]);
});

test("starts no pipelined request after a response closes the connection", async () => {
  const socket = await connect();
  socket.resume().write(get("/later", "/soon"));
  await expect.poll(() => asked).toBe(2);
  replies[0]?.setHeader("connection", "close").end("/later");
  await once(socket, "close");
  expect(begun).toEqual(["/later"]);
});

test("disconnects a client that sends requests but reads no responses", async () => {
  const socket = await connect();
  socket.write(get("/later"));
  await expect.poll(() => replies.length).toBe(1);
  replies[0]?.write(long);
  await pause(100);
  await looks(19);
  expect(await open()).toBe(1);
  await looks(2, () => {
    replies[0]?.write(": still here\n\n");
    socket.write("G");
    return pause(20);
  });
  await expect.poll(open).toBe(0);
});

test("delivers a long response to a client that reads slowly", async () => {
  const [slow, silent] = [await connect(), await connect()];
  let taken = 0;
  slow.on("data", (bytes) => (taken += bytes.length)).pause();
  slow.write(get("/long"));
  silent.write(get("/later"));
  await expect.poll(() => replies.length).toBe(2);
  for (let at = 0; at < 5; at++) {
    await looks(15);
    const before = taken;
    slow.resume();
    // Reads enough that the system requests more.
    while (taken - before < 3_000_000) await pause(1);
    slow.pause();
    await pause(50);
  }
  expect(taken).toBeLessThan(long.length);
  expect(await open()).toBe(2);
});
