import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { createHttpServer } from "./server";

/**
 * A worker that opens many connections, and sends a request on each. Reports when all are
 * connected, and then the responses.
 */
const crowd = `
  const { connect } = require("node:net");
  const { parentPort, workerData: { port, size, connected } } = require("node:worker_threads");
  Promise.all(Array.from({ length: size }, () => new Promise((resolve) => {
    let said = "";
    const socket = connect(port, "127.0.0.1", () => {
      socket.write("GET /livez HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n");
      if (Atomics.add(connected, 0, 1) === size - 1) Atomics.notify(connected, 0);
    });
    socket.on("data", (bytes) => (said += bytes)).on("error", (error) => resolve(error.code)).on("end", () => resolve(said.slice(0, 15)));
  }))).then((all) => parentPort.postMessage(all));
`;

test("completes requests on connections opened before the port closed", async () => {
  const { server, drain } = createHttpServer(async () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const size = 20;
  const connected = new Int32Array(new SharedArrayBuffer(4));
  const { port } = server.address() as AddressInfo;
  const worker = new Worker(crowd, { eval: true, workerData: { port, size, connected } });
  const answered = once(worker, "message");
  // Blocks this thread, so that it accepts nothing while the system accepts the connections.
  for (let seen = 0; seen < size; seen = Atomics.load(connected, 0)) Atomics.wait(connected, 0, seen);
  const drained = drain(5_000);
  expect(await answered).toEqual([Array.from({ length: size }, () => "HTTP/1.1 200 OK")]);
  await drained;
});
