import { afterEach, expect, it, vi } from "vitest";
import { db, pool } from "@/lib/database/db";
import { getGrant } from "@/lib/grants/grants";
import { anAppWith, aTokenFor } from "@/lib/testing/factories";
import { flushUsage, recordUsage } from "./last-use";

afterEach(() => {
  vi.useRealTimers();
});

const grantId = async (clientId: string) => (await db.grant.findFirstOrThrow({ where: { appId: clientId } })).id;

it("records the last use of an app and its scopes in the background", async () => {
  const { owner, clientId } = await anAppWith("approvals:read", "approvals:write");
  const id = await grantId(clientId);
  recordUsage(id, "approvals:read");
  recordUsage(id, null);
  expect((await getGrant(owner, clientId)).lastUsedAt).toBeUndefined();
  const before = Date.now();
  await flushUsage();
  const grant = await getGrant(owner, clientId);
  expect(Math.abs(grant.lastUsedAt! - before)).toBeLessThan(2000);
  const [write, read] = grant.scopes;
  expect(write?.lastUsedAt).toBeUndefined();
  expect(Math.abs(read!.lastUsedAt! - before)).toBeLessThan(2000);
});

it("records each token's last use separately", async () => {
  const { owner, clientId, app } = await anAppWith("approvals:read");
  await aTokenFor(owner, clientId, ["approvals:read"]);
  recordUsage(await grantId(clientId), "approvals:read", app.tokenHash);
  await flushUsage();
  const [newer, older] = (await getGrant(owner, clientId)).tokens;
  expect(newer?.lastUsedAt).toBeUndefined();
  expect(Math.abs((older?.lastUsedAt ?? 0) - Date.now())).toBeLessThan(5000);
});

it("writes each grant's last use at most once a minute", async () => {
  const { clientId } = await anAppWith("approvals:read");
  const id = await grantId(clientId);
  const written = async () => {
    const { count } = await db.grant.updateMany({
      where: { id, lastUsedAt: { not: null } },
      data: { lastUsedAt: null },
    });
    return count === 1;
  };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  // Advances by seconds. After each, waits until all statements are done, because their timeouts
  // use the same fake clock.
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      await vi.advanceTimersByTimeAsync(1000);
      do await new Promise((resolve) => setImmediate(resolve));
      while (pool().idleCount < pool().totalCount || pool().waitingCount > 0);
    }
    return written();
  };
  recordUsage(id, null);
  expect(await pass(10)).toBe(false);
  expect(await pass(6)).toBe(true);
  recordUsage(id, null);
  expect(await pass(30)).toBe(false);
  expect(await pass(40)).toBe(true);
  expect(await pass(100)).toBe(false);
});

it("keeps the recorded last use when an older use arrives", async () => {
  const { owner, clientId } = await anAppWith("approvals:read");
  const id = await grantId(clientId);
  await db.$executeRaw`UPDATE app_grant SET last_used_at = now() + interval '1 hour' WHERE id = ${id}`;
  recordUsage(id, "approvals:write");
  recordUsage("grt_none", "approvals:read");
  await flushUsage();
  const grant = await getGrant(owner, clientId);
  expect(grant.lastUsedAt).toBeGreaterThan(Date.now() + 3_500_000);
  expect(grant.scopes).toHaveLength(1);
});
