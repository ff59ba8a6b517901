import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { configure, unset } from "@/lib/testing/settings";
import { createDevFront } from "./dev-front";

test("rejects cross-site changes in development, including next-auth's part of /api", async () => {
  const given = { DATABASE_URL: "postgresql://x/y", SECRET: "x".repeat(32), PUBLIC_URL: "http://localhost:3000" };
  configure(given);
  const front = createDevFront(async (_req, res) => void res.end());
  await new Promise<void>((resolve) => front.server.listen(0, "127.0.0.1", resolve));
  const { port } = front.server.address() as AddressInfo;
  const post = async (path: string, headers: Record<string, string>) =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body: "a=b" })).status;
  for (const path of ["/approvals", "/api/auth/callback/credentials"]) {
    expect([path, await post(path, { origin: "https://evil.example" })]).toEqual([path, 403]);
    expect([path, await post(path, { origin: given.PUBLIC_URL })]).toEqual([path, 200]);
  }
  expect(await post("/api/approvals", {})).toBe(200);
  await front.drain(0);
  unset();
});
