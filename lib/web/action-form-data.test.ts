import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { requireFormData, toActionCall } from "./action-form-data";

/** Serves a call like Next: it sets the status and lets Node write it. */
const server = http.createServer((req, res) => {
  void toActionCall(req, res, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    try {
      if (req.url === "/begun") requireFormData(new FormData());
      if (req.url === "/no-form") requireFormData(undefined);
      throw new Error("of ours");
    } catch {
      res.statusCode = 500;
    }
    res.end();
  });
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => server.close());

const multipart = { "content-type": "multipart/form-data; boundary=x" };
test.each<[string, string, Record<string, string>, number]>([
  ["an action without a form", "/no-form", { "next-action": "7f" }, 400],
  ["an action whose arguments do not decode", "/undecodable", { "next-action": "7f" }, 400],
  ["a form without scripts that does not decode", "/undecodable", multipart, 400],
  ["an action that fails", "/begun", { "next-action": "7f" }, 500],
  ["a form without scripts whose action fails", "/begun", multipart, 500],
  ["a request without an action that fails", "/undecodable", {}, 500],
])("responds with 400 or 500: %s", async (_what, path, headers, status) => {
  expect((await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers })).status).toBe(status);
});
