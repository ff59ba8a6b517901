import { describe, expect, test } from "vitest";
import type { Operation } from "@/lib/api-operation";
import { resolveApproval } from "@/lib/approvals/operations";
import { db } from "@/lib/database/db";
import { revokeToken } from "@/lib/grants/personal-tokens";
import { type Scope, scopeNames } from "@/lib/scopes";
import { answerApproval } from "@/lib/testing/answer-approval";
import { startFront } from "@/lib/testing/api-server";
import { anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { unknownSecret } from "@/lib/testing/unknown-secret";
import { operations } from "./operation-registry";
import { recordKindOf } from "./validate-path-id";

const { ask } = await startFront();

const everyScope = scopeNames as [Scope, ...Scope[]];
const unknownId = (op: Operation) => `${recordKindOf(op)?.prefix}_${"0".repeat(32)}`;
const pathOf = (op: Operation, id = unknownId(op)) => op.path.replace("{id}", id);
const call = (op: Operation, token: string | undefined, path = pathOf(op), body: unknown = op.example?.body) =>
  ask(op.method, path, { token, body, ...(op.requiresKey && { headers: { "idempotency-key": "k" } }) });

const unauthorizedFor = (why: string) => ({ error: "Unauthorized", details: [{ path: "", message: why }] });

describe.each(operations)("$method $path", (op) => {
  test("returns 401 for a missing, invalid, expired or revoked token", async () => {
    const missing = await call(op, undefined);
    const unsent = "The request has no token. Send Authorization: Bearer <token>.";
    expect([missing.status, missing.body]).toEqual([401, unauthorizedFor(unsent)]);
    expect(missing.headers.get("www-authenticate")).not.toContain("error");

    const { owner, clientId, token } = await anAppWith(...everyScope);
    const expired = await aTokenFor(owner, clientId, everyScope);
    await db.$executeRaw`UPDATE token SET expires_at = now() - interval '1 second' WHERE id = ${expired.id} AND owner_id = ${owner.ownerId}`;
    const revoked = await aTokenFor(owner, clientId, everyScope);
    await revokeToken(owner, revoked.id);
    const junk =
      "The token is not a complete access token or personal token. Copy the whole token, which begins with csn_.";
    for (const bad of [`${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`, "__proto__", "constructor", "x"]) {
      const reply = await call(op, bad);
      expect([bad, reply.status, reply.body]).toEqual([bad, 401, unauthorizedFor(junk)]);
    }
    const unset = "The Authorization header has no token after Bearer. Check that your token variable is set.";
    for (const bad of ["null", "undefined"]) expect((await call(op, bad)).body).toEqual(unauthorizedFor(unset));
    // Unknown, expired and revoked tokens are indistinguishable.
    const dead = "This token is unknown, expired or revoked. Refresh the token, or get a new token.";
    const replies = [];
    for (const bad of [unknownSecret("pat"), expired.token, revoked.token]) {
      const reply = await call(op, bad);
      expect([reply.status, reply.body]).toEqual([401, unauthorizedFor(dead)]);
      const challenge = reply.headers.get("www-authenticate");
      expect(challenge).toContain(`error="invalid_token", error_description="${dead}"`);
      replies.push([[...reply.headers.keys()], challenge, reply.text]);
    }
    expect(replies.slice(1)).toEqual([replies[0], replies[0]]);
  });

  if (op.scope) {
    test(`returns 403 for a token without the scope ${op.scope}`, async () => {
      const others = everyScope.filter((scope) => scope !== op.scope) as [Scope, ...Scope[]];
      const { token } = await anAppWith(...others);
      for (const body of [op.example?.body, { nonsense: true }]) {
        const reply = await call(op, token, pathOf(op), op.method === "POST" ? body : undefined);
        const message = `This request requires the scope ${op.scope}. This token has ${[...others].sort().join(", ")}. Ask the owner to allow ${op.scope}, or use a token with ${op.scope}.`;
        expect([reply.status, reply.body]).toEqual([403, { error: "Forbidden", details: [{ path: "", message }] }]);
        expect(reply.headers.get("www-authenticate")).toContain(`error="insufficient_scope", scope="${op.scope}"`);
        expect(reply.headers.get("www-authenticate")).toContain('resource_metadata="http');
      }
    });

    test("returns 403 after the owner revokes the required scope", async () => {
      const { owner, token, clientId } = await anAppWith(...everyScope);
      await db.$executeRaw`DELETE FROM grant_scope s USING app_grant g WHERE g.owner_id = ${owner.ownerId} AND g.id = s.grant_id AND g.app_id = ${clientId} AND s.scope = ${op.scope}`;
      expect((await call(op, token)).status).toBe(403);
    });
  } else {
    test("accepts a valid token regardless of its scopes", async () => {
      const { token } = await anAppWith("notifications:read");
      expect((await call(op, token)).status).toBe(200);
    });
  }

  if (op.method === "POST") {
    test("returns 400 with details for an invalid body", async () => {
      const { token } = await anAppWith(...everyScope);
      for (const raw of ["", "{", "null", "[]", '"x"', "1", "true", '{"surprise":1}', "\xff", '{"__proto__":{}}']) {
        const reply = await ask("POST", pathOf(op), { token, raw });
        expect([raw, reply.status]).toEqual([raw, 400]);
        expect(reply.body).toMatchObject({
          error: "Bad request",
          details: expect.arrayContaining([{ path: expect.any(String), message: expect.any(String) }]),
        });
      }
    });

    test("checks the scope, then the body size, then the body content", async () => {
      const huge = JSON.stringify({ surprise: "x".repeat(200_000) });
      const { token } = await anAppWith(...everyScope);
      const reply = await ask("POST", pathOf(op), { token, raw: huge });
      const message = "Send at most 128 KiB. For longer content, send a link.";
      expect([reply.status, reply.body]).toEqual([
        413,
        { error: "Payload too large", details: [{ path: "", message }] },
      ]);
      const { token: without } = await anAppWith("notifications:read");
      if (op.scope) expect((await ask("POST", pathOf(op), { token: without, raw: huge })).status).toBe(403);
    });
  }

  test("responds with the declared status, headers and output", async () => {
    const { path, token } = await ready(op);
    const reply = await call(op, token, path);
    expect(reply.status).toBe(op.status ?? 200);
    expect(op.output.safeParse(reply.body).error).toBeUndefined();
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-request-id": expect.stringMatching(/^req_\w+$/),
      "countersign-version": "1",
      ratelimit: expect.stringMatching(/^"grant";r=\d+;t=\d+$/),
      "ratelimit-policy": '"grant";q=1000;w=10',
      ...(op.status === 201 && { location: expect.stringMatching(new RegExp(`^${op.path}/[a-z]{3}_`)) }),
    });
  });

  test("accepts only the current API version", async () => {
    const { path, token } = await ready(op);
    const as = (version: string) =>
      ask(op.method, path, {
        token,
        body: op.example?.body,
        headers: { "countersign-version": version, "idempotency-key": version },
      });
    const refused = await as("2");
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('The API has no version \\"2\\"')]);
    expect((await as("1")).status).toBe(op.status ?? 200);
  });

  if (op.path.includes("{id}")) {
    test("returns the same 404 for another app's records and unknown records", async () => {
      const { path, owner } = await ready(op);
      const sameOwner = await anAppWith(...everyScope);
      const otherApp = await aTokenFor(owner, sameOwner.clientId, everyScope);
      const { clientId } = (await ready(op)) as { clientId: string };
      const sameApp = await aTokenFor(await anOwner(), clientId, everyScope);
      const { token: own } = await anAppWith(...everyScope);
      const nobodys = await call(op, own);
      expect([nobodys.status, nobodys.text]).toEqual([404, '{"error":"Not found"}']);
      for (const token of [otherApp.token, sameApp.token, sameOwner.token]) {
        const reply = await call(op, token, path);
        expect([reply.status, reply.text]).toEqual([404, nobodys.text]);
        expect([...reply.headers.keys()]).toEqual([...nobodys.headers.keys()]);
      }
      for (const odd of [
        "x",
        "__proto__",
        "'; drop table approval",
        "é",
        "x".repeat(10_000),
        unknownId(op).toUpperCase(),
        "%00",
        "..%2f..",
      ]) {
        expect([
          odd,
          (await call(op, own, pathOf(op, odd.includes("%") ? odd : encodeURIComponent(odd)))).status,
        ]).toEqual([odd, 404]);
      }
    });
  }
});

/** Creates an app that may call every operation, and the record that this operation needs. */
async function ready(op: Operation) {
  const made = await anAppWith(...everyScope);
  if (!op.path.includes("{id}")) return { ...made, path: pathOf(op) };
  const makes = operations.find(({ method, path }) => method === "POST" && op.path.startsWith(`${path}/{id}`));
  const { body: created } = await ask("POST", makes?.path ?? "", { token: made.token, body: makes?.example?.body });
  const { id } = created as { id: string };
  if (op.requiresKey) await answerApproval(made.owner, id, { kind: "option", optionId: "wait" });
  else if (op.example?.answered) await call(resolveApproval, made.token, pathOf(resolveApproval, id));
  return { ...made, path: pathOf(op, id) };
}
