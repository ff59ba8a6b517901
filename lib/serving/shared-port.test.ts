import { once } from "node:events";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createHttpServer } from "@/lib/http/server";
import { track } from "./shared-port";

test("ends idle connections of a server that does not listen itself", async () => {
  const { server, drain } = createHttpServer(async () => {});
  track(server);
  const listener = net.createServer(
    { pauseOnConnect: true },
    (socket) => void server.emit("connection", socket.resume()),
  );
  await once(listener.listen(0, "127.0.0.1"), "listening");
  const { port } = listener.address() as AddressInfo;
  const agent = new http.Agent({ keepAlive: true });
  const [reply] = (await once(http.get({ port, host: "127.0.0.1", path: "/livez", agent }), "response")) as [
    http.IncomingMessage,
  ];
  expect(reply.statusCode).toBe(200);
  reply.resume();
  const ended = once(reply.socket, "close");
  await drain(3_600_000);
  await ended;
  listener.close();
});
