import { afterEach, expect, it, vi } from "vitest";
import { authenticate } from "@/lib/access/authorization";
import type { AppActor } from "@/lib/actor";
import { db, pool } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { change } from "@/lib/events/change-transaction";
import { hashSecret, newSecret } from "@/lib/keys/secret-tokens";
import { eventually } from "@/lib/testing/eventually";
import { anApp, anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { addScopes, getOrCreateGrant } from "./create-and-change-grant";
import { getGrant, listGrants, revokeGrant } from "./grants";
import { createPersonalToken, revokeToken } from "./personal-tokens";
import { revokeScope } from "./revoke-scope";
import { insertToken } from "./token-store";

const asApp = (token: string): AppActor => ({
  kind: "app",
  tokenHash: hashSecret(token),
  resource: "api",
  needs: null,
});
const tryAs = (app: AppActor, needs: AppActor["needs"]) =>
  authenticate({ kind: "app", tokenHash: app.tokenHash, resource: "api", needs });

it("sets a token's expiry exactly one lifetime after the token's creation", async () => {
  const { owner } = await anAppWith("approvals:read");
  const grant = await db.grant.findFirstOrThrow({ where: { ownerId: owner.ownerId } });
  const kept = await change(owner, async (tx) => {
    await sql`SELECT pg_sleep(0.05)`.run(tx);
    const token = newSecret("at", owner);
    return insertToken(tx, { token, kind: "access", grant, scopes: [], resource: "api", seconds: 3600 });
  });
  expect(kept.seconds).toBe(3600);
  const { createdAt, expiresAt } = await db.token.findUniqueOrThrow({ where: { id: kept.id } });
  expect(Number(expiresAt) - Number(createdAt)).toBe(3_600_000);
});

it("limits a personal token to the selected scopes and duration", async () => {
  const owner = await anOwner();
  const { clientId } = await anApp(owner);
  const made = await createPersonalToken(owner, { clientId, scopes: ["approvals:write"], days: 1, name: " laptop " });
  expect(made.token).toMatch(/^csn_pat_\w{49}$/);
  expect(made.expiresAt - Date.now()).toBeGreaterThan(86_300_000);
  expect(made.expiresAt - Date.now()).toBeLessThan(86_500_000);
  const grant = await getGrant(owner, clientId);
  expect(grant.scopes).toEqual([{ scope: "approvals:write", grantedAt: expect.any(Number) }]);
  expect(grant.tokens).toEqual([
    {
      id: made.id,
      kind: "personal",
      name: "laptop",
      last4: made.token.slice(-4),
      scopes: ["approvals:write"],
      createdAt: expect.any(Number),
      expiresAt: made.expiresAt,
    },
  ]);
});

it("creates a token even if a concurrent change grants its scopes first", async () => {
  const owner = await anOwner();
  const { clientId } = await anApp(owner);
  const holder = await pool().connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM app WHERE id = $1 FOR NO KEY UPDATE", [clientId]);
  const making = createPersonalToken(owner, { clientId, scopes: ["approvals:write"] });
  const waits = `SELECT FROM pg_stat_activity WHERE datname LIKE current_database() || '%' AND wait_event_type = 'Lock'`;
  await eventually(async () => expect((await pool().query(waits)).rowCount).toBe(1));
  await change(owner, async (tx) => {
    const grant = await getOrCreateGrant(tx, owner.ownerId, clientId);
    await addScopes(tx, grant, ["approvals:write"]);
  });
  await holder.query("COMMIT");
  holder.release();
  const { token } = await making;
  await expect(tryAs(asApp(token), "approvals:write")).resolves.toBeDefined();
});

it("limits a personal token to ninety days by default", async () => {
  const { owner, app, clientId } = await anAppWith("approvals:read");
  const before = await getGrant(owner, clientId);
  const { expiresAt } = await createPersonalToken(owner, { clientId, scopes: ["approvals:write", "approvals:read"] });
  expect(Math.round((expiresAt - Date.now()) / 86_400_000)).toBe(90);
  const after = await getGrant(owner, clientId);
  expect(after.scopes.map(({ scope }) => scope)).toEqual(["approvals:write", "approvals:read"]);
  expect(after.scopes[1]).toEqual(before.scopes[0]);
  // The first token was created only for reading. Scopes that the grant gained later don't extend
  // that token.
  await expect(tryAs(app, "approvals:write")).rejects.toMatchObject({ status: 403 });
  expect(await listGrants(owner)).toHaveLength(1);
});

it.each([
  [{ scopes: [] }, "scopes"],
  [{ scopes: ["approvals:*"] }, "scopes.0"],
  [{ scopes: ["approvals:read"], days: 0 }, "days"],
  [{ scopes: ["approvals:read"], days: 367 }, "days"],
  [{ scopes: ["approvals:read"], days: 1.5 }, "days"],
  [{ scopes: ["approvals:read"], name: "a\u0000b" }, "name"],
])("rejects the token settings %j", async (wish, path) => {
  const { owner, clientId } = await anApp();
  const made = createPersonalToken(owner, { clientId, ...wish } as Parameters<typeof createPersonalToken>[1]);
  await expect(made).rejects.toMatchObject({ status: 400, details: [{ path }] });
  expect(await listGrants(owner)).toEqual([]);
});

it("requires an existing app for a personal token", async () => {
  const made = createPersonalToken(await anOwner(), { clientId: "app_none", scopes: ["approvals:read"] });
  await expect(made).rejects.toMatchObject({ status: 404 });
});

it.each([1, 2, 3])("creates only one grant for concurrently created tokens (round %i)", async () => {
  const owner = await anOwner();
  const { clientId } = await anApp(owner);
  await Promise.all(
    Array.from({ length: 6 }, () => createPersonalToken(owner, { clientId, scopes: ["approvals:read"] })),
  );
  expect(await db.grant.count({ where: { ownerId: owner.ownerId, appId: clientId } })).toBe(1);
  expect((await getGrant(owner, clientId)).tokens).toHaveLength(6);
});

it("allows only the owner to revoke a token", async () => {
  const { owner, app, clientId, tokenId } = await anAppWith("approvals:read");
  await expect(revokeToken(await anOwner(), tokenId)).rejects.toMatchObject({ status: 404 });
  await tryAs(app, "approvals:read");
  await revokeToken(owner, tokenId);
  await revokeToken(owner, tokenId);
  await expect(tryAs(app, "approvals:read")).rejects.toMatchObject({ status: 401 });
  expect((await getGrant(owner, clientId)).tokens).toEqual([]);
  expect(await db.event.count({ where: { ownerId: owner.ownerId, type: "token.revoked" } })).toBe(1);
});

it("returns 403 for a revoked scope on the next call", async () => {
  const { owner, app, clientId } = await anAppWith("approvals:read", "approvals:write");
  await revokeScope(owner, clientId, "approvals:read");
  await expect(tryAs(app, "approvals:read")).rejects.toMatchObject({ status: 403 });
  await tryAs(app, "approvals:write");
  await expect(revokeScope(owner, clientId, "approvals:read")).rejects.toMatchObject({ status: 404 });
  await expect(revokeScope(await anOwner(), clientId, "approvals:write")).rejects.toMatchObject({ status: 404 });
});

it("returns 401 after a token's grant is revoked", async () => {
  const { owner, app, clientId } = await anAppWith("approvals:read");
  await expect(revokeGrant(await anOwner(), clientId)).rejects.toMatchObject({ status: 404 });
  await revokeGrant(owner, clientId);
  await expect(tryAs(app, null)).rejects.toMatchObject({ status: 401 });
  await expect(getGrant(owner, clientId)).rejects.toMatchObject({ status: 404 });
  await aTokenFor(owner, clientId, ["approvals:read"]);
  await expect(tryAs(app, null)).rejects.toMatchObject({ status: 401 });
});

it("keeps a token of an expired grant invalid after a new grant", async () => {
  const { owner, app, clientId } = await anAppWith("approvals:read");
  await db.$executeRaw`UPDATE app_grant SET expires_at = now() - interval '1 second' WHERE owner_id = ${owner.ownerId}`;
  expect(await listGrants(owner)).toEqual([]);
  await expect(tryAs(app, null)).rejects.toMatchObject({ status: 401 });
  const next = await aTokenFor(owner, clientId, ["approvals:read"]);
  await tryAs(next.app, "approvals:read");
  await expect(tryAs(app, null)).rejects.toMatchObject({ status: 401 });
});

afterEach(() => void vi.useRealTimers());

it("determines a token's expiry with the database's clock", async () => {
  const { app, clientId } = await anAppWith("approvals:read");
  const { tokenHash } = app;
  for (const skew of [-600_000, 600_000]) {
    await db.$executeRaw`UPDATE token SET expires_at = now() + interval '1 minute' WHERE hash = ${tokenHash}`;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + skew });
    expect(await tryAs(app, "approvals:read")).toMatchObject({ appId: clientId });
    await db.$executeRaw`UPDATE token SET expires_at = now() - interval '1 minute' WHERE hash = ${tokenHash}`;
    await expect(tryAs(app, "approvals:read")).rejects.toMatchObject({ status: 401 });
    vi.useRealTimers();
  }
});

it("finds a token through an index even without table statistics", async () => {
  const { app } = await anAppWith("approvals:read");
  // Simulates the time before the first ANALYZE. The planner then assumes that almost every app is
  // deleted.
  const tables = ["app", "app_grant", "token"];
  for (const table of tables) await pool().query(`DELETE FROM pg_statistic WHERE starelid = '${table}'::regclass`);
  const { rows } = await pool().query<{ "QUERY PLAN": [{ Plan: Step }] }>(
    "EXPLAIN (FORMAT JSON) SELECT * FROM live_token WHERE hash = $1",
    [app.tokenHash],
  );
  expect(scanned(rows[0]?.["QUERY PLAN"][0].Plan)[0]).toMatch(/^token/);
});

type Step = { "Node Type": string; "Relation Name"?: string; "Index Name"?: string; Plans?: Step[] };
/** Returns the indexes and tables that a plan reads, in order. */
const scanned = (step: Step | undefined): string[] =>
  step ? [step["Index Name"] ?? step["Relation Name"] ?? [], ...(step.Plans ?? []).map(scanned)].flat(2) : [];
