import { expect, test } from "vitest";
import { db } from "@/lib/database/db";
import { startFront } from "@/lib/testing/api-server";
import { anAppWith, aTokenFor } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";

const { ask } = await startFront();
const submit = (token: string, key: string, body: unknown = aQuestion) =>
  ask("POST", "/api/approvals", { token, body, headers: { "idempotency-key": key } });
const count = (ownerId: string) => db.approval.count({ where: { ownerId } });

test("returns the first response again for a repeated request", async () => {
  const { token, owner } = await anAppWith("approvals:write");
  const first = await submit(token, "build-418");
  const again = await submit(token, "build-418");
  expect([again.status, again.text, again.headers.get("location")]).toEqual([
    201,
    first.text,
    first.headers.get("location"),
  ]);
  expect([first, again].map((reply) => reply.headers.get("idempotent-replayed"))).toEqual([null, "true"]);
  const other = await submit(token, "build-418", { ...aQuestion, question: "Other?" });
  expect([other.status, other.body]).toEqual([
    422,
    {
      error:
        "This Idempotency-Key was used with a different request. Use a new key, or resend the original request unchanged.",
    },
  ]);
  expect(await count(owner.ownerId)).toBe(1);
});

test("creates one record for concurrent requests with the same key", async () => {
  const { token, owner } = await anAppWith("approvals:write");
  const replies = await Promise.all(Array.from({ length: 50 }, () => submit(token, "once")));
  const made = replies.filter(({ status }) => status === 201);
  expect(made.length).toBeGreaterThan(0);
  expect(new Set(made.map(({ text }) => text)).size).toBe(1);
  for (const { status } of replies) expect([201, 503]).toContain(status);
  expect(await count(owner.ownerId)).toBe(1);
});

test("accepts an idempotency key that another app or operation used", async () => {
  const mine = await anAppWith("approvals:write", "approvals:resolve", "notifications:write");
  const other = await anAppWith("approvals:write");
  const ids = [await submit(mine.token, "k"), await submit(other.token, "k")].map(
    ({ body }) => (body as { id: string }).id,
  );
  expect(new Set(ids).size).toBe(2);
  const headers = { "idempotency-key": "k" };
  const pushed = await ask("POST", "/api/notifications", { token: mine.token, body: { title: "Hi" }, headers });
  expect(pushed.status).toBe(201);
  const second = await aTokenFor(mine.owner, mine.clientId, ["approvals:write"]);
  expect((await submit(second.token, "k")).headers.get("idempotent-replayed")).toBe("true");
});

test("stores only successful responses for an idempotency key", async () => {
  const { token } = await anAppWith("approvals:write", "approvals:resolve");
  expect((await submit(token, "k", { question: "" })).status).toBe(400);
  const { body } = await submit(token, "k");
  const resolve = (key: string, optionId: string) =>
    ask("POST", `/api/approvals/${(body as { id: string }).id}/resolve`, {
      token,
      body: { kind: "option", optionId },
      headers: { "idempotency-key": key },
    });
  expect((await resolve("r", "nope")).status).toBe(400);
  expect((await resolve("r", "ship")).status).toBe(200);
  const again = await resolve("r", "ship");
  expect([again.status, again.body, again.headers.get("idempotent-replayed")]).toEqual([200, { ok: true }, "true"]);
  expect((await resolve("another", "ship")).status).toBe(409);
});

test("rejects an idempotency key that was used for another approval", async () => {
  const { token } = await anAppWith("approvals:write", "approvals:resolve");
  const ids = [await submit(token, "a"), await submit(token, "b")].map(({ body }) => (body as { id: string }).id);
  const resolve = (id: string | undefined) =>
    ask("POST", `/api/approvals/${id}/resolve`, {
      token,
      body: { kind: "option", optionId: "ship" },
      headers: { "idempotency-key": "r" },
    });
  expect((await resolve(ids[0])).status).toBe(200);
  expect((await resolve(ids[1])).status).toBe(422);
});

test("expires an idempotency key after 24 hours", async () => {
  const { token, owner } = await anAppWith("approvals:write");
  await submit(token, "k");
  await db.$executeRaw`UPDATE idempotency SET created_at = now() - interval '24 hours 1 second' WHERE owner_id = ${owner.ownerId}`;
  expect((await submit(token, "k", { ...aQuestion, question: "New?" })).status).toBe(201);
  expect(await count(owner.ownerId)).toBe(2);
});

test("checks the scope before the idempotency key", async () => {
  const { token } = await anAppWith("approvals:write");
  for (const key of ["", " ", "x".repeat(256), "clé"])
    expect([key, (await submit(token, key)).status]).toEqual([key, 400]);
  expect((await submit(token, "x".repeat(255))).status).toBe(201);
  const { token: reader } = await anAppWith("approvals:read");
  for (const key of ["", "k"]) expect((await submit(reader, key)).status).toBe(403);
});
