import { afterEach, expect, test } from "vitest";
import { startFront } from "@/lib/testing/api-server";
import { configure, unset } from "@/lib/testing/change-settings";
import { anAppWith, aTokenFor } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";

const { ask } = await startFront();
afterEach(() => unset(["RATE_LIMIT", "RATE_BURST", "MAX_PENDING"]));

test("applies one rate limit to all tokens of a grant", async () => {
  configure({ RATE_LIMIT: "1", RATE_BURST: "5" });
  const { token, owner, clientId } = await anAppWith("approvals:read");
  const second = await aTokenFor(owner, clientId, ["approvals:read"]);
  const call = (with_: string) => ask("GET", "/api/approvals", { token: with_ });
  await call(second.token);
  const replies = [];
  for (let n = 0; n < 6; n++) replies.push(await call(token));
  expect(replies.slice(0, 4).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(replies[3]?.headers.get("ratelimit")).toMatch(/^"grant";r=0;t=5$/);
  const refused = replies.at(-1);
  expect([refused?.status, refused?.body]).toEqual([429, { error: "Too many requests" }]);
  expect(refused?.headers.get("access-control-allow-origin")).toBe("*");
  expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await call(second.token)).status).toBe(429);
  const { token: other } = await anAppWith("approvals:read");
  expect((await call(other)).status).toBe(200);
});

test("disables rate limits with RATE_LIMIT=0", async () => {
  configure({ RATE_LIMIT: "0", RATE_BURST: "1" });
  const { token } = await anAppWith("approvals:read");
  for (let n = 0; n < 5; n++) {
    const { status, headers } = await ask("GET", "/api/approvals", { token });
    expect([status, headers.get("ratelimit")]).toEqual([200, null]);
  }
});

test("returns 429 at the limit on pending approvals", async () => {
  configure({ MAX_PENDING: "3" });
  const { token } = await anAppWith("approvals:write", "approvals:resolve");
  const submit = () => ask("POST", "/api/approvals", { token, body: aQuestion });
  const made = [await submit(), await submit(), await submit()];
  const refused = await submit();
  expect([refused.status, refused.body]).toEqual([
    429,
    { error: "Too many pending approvals (limit 3). Wait for answers before you ask again." },
  ]);
  expect(refused.headers.get("retry-after")).toBe("60");
  await ask("POST", `${made[0]?.headers.get("location")}/resolve`, {
    token,
    body: { kind: "option", optionId: "ship" },
  });
  expect((await submit()).status).toBe(201);
});

test("enforces the limit on pending approvals for concurrent requests", async () => {
  configure({ MAX_PENDING: "5", RATE_LIMIT: "0" });
  const { token } = await anAppWith("approvals:write", "approvals:read");
  const replies = await Promise.all(
    Array.from({ length: 25 }, () => ask("POST", "/api/approvals", { token, body: aQuestion })),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(5);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(20);
});
