import { afterEach, describe, expect, it, vi } from "vitest";
import { readActivity } from "@/lib/activity/activity";
import { db, pool } from "@/lib/database/db";
import { shardOfOwner } from "@/lib/database/shards/each-shard";
import { shards } from "@/lib/database/shards/shard-map";
import { revokeGrant } from "@/lib/grants/grants";
import { revokeToken } from "@/lib/grants/personal-tokens";
import { startFront } from "@/lib/testing/api-server";
import { anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { bearer } from "@/lib/testing/oauth-flow";
import { aQuestion } from "@/lib/testing/sample-question";
import { unknownSecret } from "@/lib/testing/unknown-secret";
import { flushDeniedRequests, recordDeniedRequest } from "./denied-requests";

const { ask } = await startFront();
afterEach(() => {
  vi.useRealTimers();
});

const refusalsOf = async (clientId: string) => {
  const rows = await db.event.findMany({ where: { appId: clientId, type: "app.refused" }, orderBy: { id: "asc" } });
  return rows.map(({ data }) => data);
};

describe("owner's activity", () => {
  it("groups denied requests by missing scope in each flush", async () => {
    const { owner, clientId, token, name } = await anAppWith("approvals:write");
    for (let times = 0; times < 5; times++) expect((await ask("GET", "/api/approvals", { token })).status).toBe(403);
    expect((await ask("GET", "/api/notifications", { token })).status).toBe(403);
    await flushDeniedRequests();
    const last4 = token.slice(-4);
    expect(await refusalsOf(clientId)).toEqual([
      { status: 403, operation: "listApprovals", scope: "approvals:read", count: 5, token: last4 },
      { status: 403, operation: "listNotifications", scope: "notifications:read", count: 1, token: last4 },
    ]);
    const { items } = await readActivity(owner, { kind: "trouble" });
    expect(items.map(({ actor, sentence, app }) => [actor, sentence, app?.name])).toEqual([
      ["app", "{app} tried to see its notifications without your permission", name],
      ["app", "{app} tried 5 times to see its questions and your answers without your permission", name],
    ]);
    expect(JSON.stringify(items)).not.toContain(token);
  });

  it("shows why a token no longer works", async () => {
    const { owner, clientId, token, tokenId } = await anAppWith("approvals:read");
    const [second, third] = [
      await aTokenFor(owner, clientId, ["approvals:read"]),
      await aTokenFor(owner, clientId, ["approvals:read"]),
    ];
    await revokeToken(owner, tokenId);
    expect((await ask("GET", "/api/approvals", { token })).status).toBe(401);
    await flushDeniedRequests();
    await db.$executeRaw`UPDATE token SET expires_at = now() - interval '1 second' WHERE id = ${second.id}`;
    expect((await ask("GET", "/api/approvals", { token: second.token })).status).toBe(401);
    await flushDeniedRequests();
    await revokeGrant(owner, clientId);
    expect((await ask("GET", "/api/approvals", { token: third.token })).status).toBe(401);
    await flushDeniedRequests();
    expect((await refusalsOf(clientId)).map((data) => (data as { reason: string }).reason)).toEqual([
      ...["revoked", "expired", "disconnected"],
    ]);
  });

  it("shows a rejected second answer to a question", async () => {
    const { clientId, token } = await anAppWith("approvals:write", "approvals:resolve");
    const { id } = (await ask("POST", "/api/approvals", { token, body: aQuestion })).body as { id: string };
    const answer = { kind: "option", optionId: "ship" };
    expect((await ask("POST", `/api/approvals/${id}/resolve`, { token, body: answer })).status).toBe(200);
    expect((await ask("POST", `/api/approvals/${id}/resolve`, { token, body: answer })).status).toBe(409);
    await flushDeniedRequests();
    expect(await refusalsOf(clientId)).toMatchObject([{ status: 409, operation: "resolveApproval", count: 1 }]);
  });

  it("omits invalid bodies, unknown IDs and successful requests", async () => {
    const { clientId, token } = await anAppWith("approvals:write", "approvals:read");
    expect((await ask("POST", "/api/approvals", { token, body: {} })).status).toBe(400);
    expect((await ask("GET", `/api/approvals/apr_${"0".repeat(32)}`, { token })).status).toBe(404);
    expect((await ask("GET", "/api/approvals", { token })).status).toBe(200);
    await flushDeniedRequests();
    expect(await refusalsOf(clientId)).toEqual([]);
  });

  it("omits requests with tokens that were never issued", async () => {
    const before = await db.event.count();
    for (const token of ["junk", unknownSecret("at"), unknownSecret("pat")])
      expect((await ask("GET", "/api/approvals", { token })).status).toBe(401);
    await flushDeniedRequests();
    expect(await db.event.count()).toBe(before);
  });
});

it("attributes rate-limited requests to their grant", async () => {
  const { clientId, token } = await anAppWith("approvals:read");
  for (let times = 0; times < 3; times++) recordDeniedRequest(bearer(token, "approvals:read"), 429, "listApprovals");
  await flushDeniedRequests();
  expect(await refusalsOf(clientId)).toMatchObject([{ status: 429, count: 3 }]);
});

it("flushes first denied requests within seconds and later requests within a minute", async () => {
  const { owner, clientId, token } = await anAppWith("approvals:read");
  const other = await aTokenFor(owner, clientId, ["approvals:read"]);
  const refuse = (it = token) => recordDeniedRequest(bearer(it, "approvals:write"), 403, "submitApproval");
  const pools = () => shards().map(({ number }) => pool(number));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  // Advances the fake clock second by second. After each second, waits until all statements are
  // done, because their timeouts use the same clock.
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      await vi.advanceTimersByTimeAsync(1000);
      do await new Promise((resolve) => setImmediate(resolve));
      while (pools().some((it) => it.idleCount < it.totalCount || it.waitingCount > 0));
    }
    return (await refusalsOf(clientId)).map((data) => (data as { count: number }).count);
  };
  refuse();
  refuse();
  expect(await pass(4)).toEqual([2]);
  for (let second = 0; second < 10; second++) {
    refuse(second % 2 === 0 ? token : other.token);
    await pass(1);
  }
  expect(await pass(20)).toEqual([2]);
  expect(await pass(40)).toEqual([2, 10]);
  expect(await pass(70)).toEqual([2, 10]);
});

it("keeps records of denied requests during a database outage", async () => {
  const { owner, clientId, token } = await anAppWith("approvals:read");
  recordDeniedRequest(bearer(token, "approvals:write"), 403, "submitApproval");
  const query = vi
    .spyOn(pool(shardOfOwner(owner.ownerId)), "query")
    .mockRejectedValueOnce(new Error("Connection terminated") as never);
  await flushDeniedRequests();
  query.mockRestore();
  expect(await refusalsOf(clientId)).toEqual([]);
  recordDeniedRequest(bearer(token, "approvals:write"), 403, "submitApproval");
  await flushDeniedRequests();
  expect(await refusalsOf(clientId)).toMatchObject([{ count: 2 }]);
});

it("updates only the owner's open pages after a flush", async () => {
  const { subscribe } = await import("@/lib/events/pubsub");
  const { owner, token } = await anAppWith("approvals:read");
  const other = await anOwner();
  const heard: string[] = [];
  // Ignores the notification after a new connection, which goes to every page because changes may
  // have been missed.
  const listen = (ownerId: string) => subscribe(ownerId, (missed) => missed || heard.push(ownerId));
  const stops = [owner, other].map(({ ownerId }) => listen(ownerId));
  recordDeniedRequest(bearer(token, "approvals:write"), 403, "submitApproval");
  await flushDeniedRequests();
  for (const stop of stops) stop();
  expect(heard).toEqual([owner.ownerId]);
});
