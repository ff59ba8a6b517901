import { createServer } from "node:net";
import { expect, test } from "vitest";
import { freePort } from "./free-port";

test("finds a port below those that Linux gives to outgoing connections", async () => {
  for (let nth = 0; nth < 10; nth++) expect(await freePort()).toBeLessThan(32_768);
});

test("finds another port if one is in use", async () => {
  const port = await freePort();
  const server = createServer();
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  const drawn = [port, port, port + 1];
  const free = await freePort("127.0.0.1", () => drawn.shift() ?? 30_000).finally(() => server.close());
  expect(free).not.toBe(port);
});

test("throws for a host on which this machine can't listen", async () => {
  await expect(freePort("192.0.2.1")).rejects.toThrow("EADDRNOTAVAIL");
});
