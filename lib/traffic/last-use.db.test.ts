import { afterEach, expect, it, vi } from "vitest";
import { registerClient } from "@/lib/apps/registration";
import { holdingApps, sweep } from "@/lib/cli/delete-expired-rows";
import { db, pool } from "@/lib/database/db";
import { getGrant, revokeGrant } from "@/lib/grants/grants";
import { anApp, anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { anOpenRequest } from "@/lib/testing/oauth-flow";
import { flushUsage, recordUsage } from "./last-use";

afterEach(() => {
  vi.useRealTimers();
});

const grantId = async (clientId: string) => (await db.grant.findFirstOrThrow({ where: { appId: clientId } })).id;

it("records the last use of an app in the background", async () => {
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

it("deletes expired rate limits and idempotency keys in the sweep", async () => {
  await db.$executeRaw`
    INSERT INTO throttle (key, failures, expires_at)
    SELECT 'old/' || n, 1, now() - interval '1 second' FROM generate_series(1, 2500) n`;
  await db.$executeRaw`INSERT INTO throttle (key, failures, expires_at) VALUES ('new', 1, now() + interval '1 minute')`;
  await db.$executeRaw`
    INSERT INTO idempotency (owner_id, app_id, operation, key, request_hash, status, reply, created_at)
    SELECT 'o', 'a', 'op', age::text, '', 201, '{}', now() - age FROM unnest(ARRAY['25 hours', '23 hours']::interval[]) age`;
  expect(await sweep()).toBe(2501);
  expect((await db.throttle.findMany()).map(({ key }) => key)).toEqual(["new"]);
  expect(await db.idempotency.count()).toBe(1);
  expect(await sweep()).toBe(0);
});

it("lists every table that refers to an app", async () => {
  const held = await db.$queryRaw<{ name: string }[]>`
    SELECT conrelid::regclass::text AS name FROM pg_constraint WHERE contype = 'f' AND confrelid = 'app'::regclass`;
  expect(held.map(({ name }) => name).sort()).toEqual([...holdingApps].sort());
});

it("deletes self-registered apps that have no owner after a day", async () => {
  const redirectUris = ["https://app.example/callback"];
  const described = { name: "Passer-by", redirectUris, grantTypes: ["authorization_code"], echoed: {} };
  const register = async (hours: number) => {
    const { client_id } = await registerClient({ ...described, authMethod: "none" });
    await db.$executeRaw`UPDATE app SET created_at = now() - make_interval(hours => ${hours}::int) WHERE id = ${client_id}`;
    return client_id;
  };
  const [young, old, letIn, once, asking] = [
    await register(23),
    await register(25),
    await register(25),
    await register(25),
    await register(25),
  ];
  const manual = await anApp();
  await db.$executeRaw`UPDATE app SET created_at = now() - interval '1 year' WHERE id = ${manual.clientId}`;
  const owner = await anOwner();
  for (const clientId of [letIn, once]) await aTokenFor(owner, clientId, ["approvals:read"]);
  await revokeGrant(owner, once);
  await anOpenRequest({ app: { ...manual, clientId: asking } });
  await sweep();
  const left = await db.app.findMany({ where: { id: { in: [young, old, letIn, once, asking, manual.clientId] } } });
  expect(left.map(({ id }) => id).sort()).toEqual([young, letIn, once, asking, manual.clientId].sort());
});
