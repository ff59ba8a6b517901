import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { configure, unset } from "@/lib/testing/change-settings";
import { createDevServer } from "./dev-server";

test("rejects a cross-site POST request to a page", async () => {
  const given = { DATABASE_URL: "postgresql://x/y", SECRET: "x".repeat(32), PUBLIC_URL: "http://localhost:3000" };
  configure(given);
  const front = createDevServer(async (_req, res) => void res.end());
  await new Promise<void>((resolve) => front.server.listen(0, "127.0.0.1", resolve));
  const { port } = front.server.address() as AddressInfo;
  const post = async (path: string, headers: Record<string, string>) =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body: "a=b" })).status;
  expect(await post("/approvals", { origin: "https://evil.example" })).toBe(403);
  expect(await post("/approvals", { origin: given.PUBLIC_URL })).toBe(200);
  expect(await post("/api/approvals", {})).toBe(200);
  await front.drain(0);
  unset();
});
