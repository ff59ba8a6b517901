import http from "node:http";
import pg from "pg";
import { afterEach, describe, expect, test, vi } from "vitest";
import { submitApproval } from "@/lib/approvals/operations";
import { db } from "@/lib/database/db";
import { watchers } from "@/lib/events/watch-app-events";
import { revokeGrant } from "@/lib/grants/grants";
import { revokeToken } from "@/lib/grants/personal-tokens";
import { revokeScope } from "@/lib/grants/revoke-scope";
import { type Scope, scopeNames } from "@/lib/scopes";
import { type Answered, startFront } from "@/lib/testing/api-server";
import { atRest } from "@/lib/testing/await-event-horizon";
import { configure } from "@/lib/testing/change-settings";
import { anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { statementsWith } from "@/lib/testing/spied-sql-statements";

const { ask, port } = await startFront();
const all: [Scope, ...Scope[]] = ["approvals:write", "approvals:read", "approvals:resolve"];
const answer = { kind: "option", optionId: "ship" };

/**
 * Aborted after each test, so that a failed test's waits don't count toward the next test's limit.
 */
let leaving = new AbortController();
afterEach(async () => {
  leaving.abort();
  leaving = new AbortController();
  await waiting(0);
  vi.restoreAllMocks();
  configure({ RATE_LIMIT: undefined, RATE_BURST: undefined });
});

const submit = async (token: string) =>
  ((await ask("POST", "/api/approvals", { token, body: aQuestion })).body as { id: string }).id;
const resolve = (token: string, id: string) => ask("POST", `/api/approvals/${id}/resolve`, { token, body: answer });
const waitFor = (token: string, id: string, seconds: number | string = 30) =>
  caught(ask("GET", `/api/approvals/${id}?wait=${seconds}`, { token, signal: leaving.signal }));
/**
 * Returns the request, and keeps its failure from being reported as unhandled. When a test fails,
 * nothing awaits its requests, and ending them must not cause a second failure.
 */
function caught(reply: Promise<Answered>): Promise<Answered> {
  reply.catch(() => {});
  return reply;
}
/** Waits until this many requests are waiting on this instance. */
const waiting = (count: number) => expect.poll(watchers).toBe(count);
const expectPending = (reply: Answered, status = 200) => {
  expect([reply.status, reply.headers.get("retry-after")]).toEqual([status, "1"]);
  expect(reply.body).toMatchObject({ status: "pending" });
  expect(reply.body).not.toHaveProperty("resolution");
};

/** Starts a request that the test can abort with `hangUp`. */
function call(token: string, method: string, path: string) {
  const { signal } = leaving;
  const request = http.request({ port, method, path, headers: { authorization: `Bearer ${token}` }, signal });
  const left = new Promise((resolve) => request.on("close", resolve));
  request.on("error", () => {}).end();
  return { hangUp: () => void request.destroy(), left };
}

describe("GET with wait", () => {
  test("responds as soon as the approval is resolved", async () => {
    const { token } = await anAppWith(...all);
    const id = await submit(token);
    const waits = [waitFor(token, id), waitFor(token, id)];
    await waiting(2);
    await resolve(token, id);
    const plain = await ask("GET", `/api/approvals/${id}`, { token });
    for (const reply of await Promise.all(waits)) {
      expect([reply.status, reply.text]).toEqual([200, plain.text]);
      expect(reply.headers.get("retry-after")).toBeNull();
    }
    expect(plain.body).toMatchObject({ status: "resolved" });
    await waiting(0);
  });

  test("responds immediately if the approval is already resolved", async () => {
    const { token } = await anAppWith(...all);
    const [id, other] = [await submit(token), await submit(token)];
    const wait = waitFor(token, id);
    await waiting(1);
    // Waits for the service's second read, which follows its subscription.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const reads = vi.spyOn(pg.Client.prototype, "query");
    await resolve(token, other);
    expect((await waitFor(token, other)).body).toMatchObject({ _id: other, status: "resolved" });
    const gets = statementsWith("AS found", reads);
    expect(gets).toHaveLength(1);
    await resolve(token, id);
    expect((await wait).body).toMatchObject({ _id: id, status: "resolved" });
  });

  test("responds with the approval's current state after the timeout", async () => {
    const { token } = await anAppWith(...all);
    expectPending(await waitFor(token, await submit(token), 1));
    await waiting(0);
  });

  test.each(["0", "61", "-1", "1.5", "x", "", "1e1", "30&wait=30", "99999"])(
    "returns 400 for wait=%s",
    async (seconds) => {
      const { token } = await anAppWith(...all);
      const id = await submit(token);
      const details = [{ path: "wait", message: expect.any(String) }];
      for (const reply of [
        await waitFor(token, id, seconds),
        await ask("POST", `/api/approvals?wait=${seconds}`, { token, body: aQuestion }),
      ])
        expect([reply.status, reply.body]).toEqual([400, { error: "Bad request", details }]);
      expect(
        await db.approval.count({ where: { id: { not: id }, question: aQuestion.question, appId: { not: "" } } }),
      ).toBe((await db.approval.count()) - 1);
    },
  );

  test("returns 404 immediately for another app's approval", async () => {
    const { token } = await anAppWith(...all);
    const { token: other } = await anAppWith(...all);
    expect((await waitFor(other, await submit(token))).status).toBe(404);
  });

  test("returns 401 or 403 when the app loses access during a wait", async () => {
    const { token, tokenId, owner, clientId } = await anAppWith(...all);
    const { token: second } = await aTokenFor(owner, clientId, ["approvals:read"]);
    const third = await aTokenFor(owner, clientId, ["approvals:read"]);
    const id = await submit(token);
    const [first, expiring] = [waitFor(token, id), waitFor(third.token, id)];
    await waiting(2);
    await revokeToken(owner, tokenId);
    expect((await first).status).toBe(401);
    await db.$executeRaw`UPDATE token SET expires_at = now() - interval '1 second' WHERE id = ${third.id}`;
    expect((await expiring).status).toBe(401);
    const last = waitFor(second, id, 3);
    await waiting(1);
    await revokeScope(owner, clientId, "approvals:read");
    expect((await last).status).toBe(403);
  });

  test("ends every wait with 401 when the owner revokes the grant", async () => {
    const { token, owner, clientId } = await anAppWith(...all);
    const id = await submit(token);
    const waits = Array.from({ length: 5 }, () => waitFor(token, id));
    await waiting(5);
    await revokeGrant(owner, clientId);
    for (const { status } of await Promise.all(waits)) expect(status).toBe(401);
    await waiting(0);
  });

  test("allows at most a hundred concurrent waits per grant", async () => {
    const { token, owner, clientId } = await anAppWith(...all);
    const id = await submit(token);
    const calls = Array.from({ length: 100 }, () => call(token, "GET", `/api/approvals/${id}?wait=60`));
    await waiting(100);
    const refused = await waitFor(token, id);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    expect((refused.body as { error: string }).error).toContain("limit 100");
    // The question is still submitted.
    const made = await ask("POST", "/api/approvals?wait=30", { token, body: aQuestion });
    expect([made.status, made.headers.get("retry-after")]).toEqual([201, "5"]);
    expect(made.body).toMatchObject({ id: expect.stringMatching(/^apr_/), status: "pending" });
    const other = await aTokenFor(await anOwner(), clientId, [...all]);
    expectPending(await waitFor(other.token, await submit(other.token), 1));
    expect(owner.ownerId).toBeTruthy();

    for (const { hangUp } of calls) hangUp();
    await waiting(0);
    expectPending(await waitFor(token, id, 1));
  });

  test("counts each wait as one request and holds no database connection", async () => {
    const { token } = await anAppWith(...all);
    configure({ RATE_BURST: "1000", RATE_LIMIT: "1" });
    const id = await submit(token);
    const left = (reply: Answered) => Number(/r=(\d+)/.exec(reply.headers.get("ratelimit") ?? "")?.[1]);
    const before = left(await ask("GET", `/api/approvals/${id}`, { token }));
    const waits = Array.from({ length: 30 }, () => waitFor(token, id));
    await waiting(30);
    await atRest();
    await resolve(token, id);
    await Promise.all(waits);
    // The 30 waits, the answer and this request count toward the limit, which refills every second.
    const used = before - left(await ask("GET", `/api/approvals/${id}`, { token }));
    expect(used).toBeGreaterThan(20);
    expect(used).toBeLessThanOrEqual(32);
  });
});

describe("POST with wait", () => {
  const post = (token: string, query: string, headers: Record<string, string> = {}) =>
    caught(ask("POST", `/api/approvals${query}`, { token, body: aQuestion, headers, signal: leaving.signal }));
  const newest = async (ownerId: string) =>
    (await db.approval.findFirst({ where: { ownerId }, orderBy: { id: "desc" } }))?.id ?? "";

  test("returns a submitted approval as soon as the approval is resolved", async () => {
    const { token, owner } = await anAppWith(...all);
    const wait = post(token, "?wait=30");
    await waiting(1);
    const id = await newest(owner.ownerId);
    await resolve(token, id);
    const reply = await wait;
    const plain = await ask("GET", `/api/approvals/${id}`, { token });
    expect([reply.status, reply.headers.get("location")]).toEqual([201, `/api/approvals/${id}`]);
    expect(reply.text).toBe(`{"id":"${id}",${plain.text.slice(1)}`);
    expect(submitApproval.waits?.output.safeParse(reply.body).error).toBeUndefined();
    expect(reply.headers.get("retry-after")).toBeNull();
  });

  test("returns only the ID if the wait parameter is missing", async () => {
    const { token, owner } = await anAppWith(...all);
    for (const query of ["", "?"]) {
      const reply = await post(token, query);
      expect(reply.text).toBe(JSON.stringify({ id: await newest(owner.ownerId) }));
    }
  });

  test.each([
    ["?x=1", "x: Unrecognized key: x. Allowed: wait."],
    ["?timeout=5", "timeout: Unrecognized key: timeout. Did you mean wait?"],
    ["?wait=1&timeout=5", "timeout: Unrecognized key: timeout. Did you mean wait?"],
    ["?risk=high", "risk: Unrecognized key: risk. Send risk in the body."],
  ])("rejects the query %s without submitting the approval", async (query, problem) => {
    const { token, owner } = await anAppWith(...all);
    await post(token, "");
    const before = await newest(owner.ownerId);
    for (const headers of [{}, { "idempotency-key": "once" }] as Record<string, string>[]) {
      const reply = await ask("POST", `/api/approvals${query}`, { token, body: aQuestion, headers });
      const { details } = reply.body as { details: { path: string; message: string }[] };
      expect([reply.status, details.map(({ path, message }) => `${path}: ${message}`)]).toEqual([400, [problem]]);
    }
    expect(await newest(owner.ownerId)).toBe(before);
  });

  test("rejects the wait parameter for an operation that does not wait", async () => {
    const { token } = await anAppWith(...all);
    const reply = await ask("POST", "/api/notifications?wait=5", { token, body: { title: "Done" } });
    expect([reply.status, reply.text]).toEqual([
      403,
      expect.stringContaining("requires the scope notifications:write"),
    ]);
    const other = await anAppWith("notifications:write");
    const told = await ask("POST", "/api/notifications?wait=5", { token: other.token, body: { title: "Done" } });
    expect([told.status, told.text]).toEqual([
      400,
      expect.stringContaining("Unrecognized key: wait. No fields are allowed"),
    ]);
  });

  test("returns the pending approval after the timeout", async () => {
    const { token, owner } = await anAppWith(...all);
    const reply = await post(token, "?wait=1");
    expectPending(reply, 201);
    expect(reply.body).toMatchObject({ id: await newest(owner.ownerId) });
  });

  test("waits for the original approval if the Idempotency-Key is repeated", async () => {
    const { token, owner } = await anAppWith(...all);
    const key = { "idempotency-key": "build-418" };
    const lost = await post(token, "?wait=1", key);
    expectPending(lost, 201);
    const [again, meanwhile] = [post(token, "?wait=30", key), post(token, "?wait=30", key)];
    await waiting(2);
    const id = await newest(owner.ownerId);
    await resolve(token, id);
    for (const reply of [await again, await meanwhile, await post(token, "?wait=5", key)]) {
      expect([reply.status, reply.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
      expect(reply.body).toMatchObject({ id, _id: id, status: "resolved" });
    }
    expect((await post(token, "", key)).text).toBe(JSON.stringify({ id }));
    expect(await db.approval.count({ where: { ownerId: owner.ownerId } })).toBe(1);
    const other = await ask("POST", "/api/approvals?wait=5", {
      token,
      headers: key,
      body: { ...aQuestion, question: "?" },
    });
    expect(other.status).toBe(422);
  });

  test("returns 403 for a waiting submission without the approvals:read scope", async () => {
    const { token, owner } = await anAppWith("approvals:write");
    const reply = await post(token, "?wait=5");
    expect([reply.status, reply.headers.get("www-authenticate")]).toEqual([
      403,
      expect.stringContaining('scope="approvals:read"'),
    ]);
    const { token: reader } = await aTokenFor(owner, (await anAppWith("approvals:read")).clientId, ["approvals:read"]);
    expect((await post(reader, "?wait=5")).headers.get("www-authenticate")).toContain('scope="approvals:write"');
    expect(await db.approval.count({ where: { ownerId: owner.ownerId } })).toBe(0);
    expect((await post(token, "")).status).toBe(201);
  });

  test("keeps the approval when its token is revoked during the wait", async () => {
    const { token, owner, tokenId } = await anAppWith(...all);
    const wait = post(token, "?wait=30");
    await waiting(1);
    await revokeToken(owner, tokenId);
    expect((await wait).status).toBe(401);
    expect(await db.approval.count({ where: { ownerId: owner.ownerId } })).toBe(1);
  });

  test("ends a GET wait as soon as the caller disconnects", async () => {
    const { token } = await anAppWith(...all);
    const id = await submit(token);
    const { hangUp } = call(token, "GET", `/api/approvals/${id}?wait=60`);
    await waiting(1);
    hangUp();
    await waiting(0);
  });
});

test("returns 403 for a waiting GET request without the approvals:read scope", async () => {
  const others = scopeNames.filter((scope) => scope !== "approvals:read") as [Scope, ...Scope[]];
  const { token, owner, clientId } = await anAppWith(...others);
  const { token: able } = await aTokenFor(owner, clientId, ["approvals:write"]);
  expect((await waitFor(token, await submit(able))).status).toBe(403);
});
