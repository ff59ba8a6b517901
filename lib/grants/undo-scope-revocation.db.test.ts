import { expect, it } from "vitest";
import { authenticate } from "@/lib/access/authorization";
import { readActivity } from "@/lib/activity/activity";
import { sweep } from "@/lib/cli/delete-expired-rows";
import { db } from "@/lib/database/db";
import type { Scope } from "@/lib/scopes";
import { anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { aGrantedToken, aParty, askToken, bearer } from "@/lib/testing/oauth-flow";
import { atEveryShard } from "@/lib/testing/shards/at-every-shard";
import { getGrant, revokeGrant } from "./grants";
import { restorableScopes, revokeScope, undoRevokeScope } from "./revoke-scope";

const scope = "approvals:read";
const may = (token: string, needs: Scope = scope) =>
  authenticate(bearer(token, needs)).then(
    () => true,
    (refusal: { status: number }) => refusal.status,
  );
const taken = async () => {
  const made = await anAppWith(scope, "approvals:write");
  await revokeScope(made.owner, made.clientId, scope);
  return made;
};
/** Simulates that this much time has passed. */
const secondsLater = (seconds: number) =>
  db.$executeRaw`UPDATE revoked_scope SET revoked_at = revoked_at - make_interval(secs => ${seconds}::int)`;

it("lets the owner restore a revoked scope for ten seconds", async () => {
  const party = await aParty();
  const before = await aGrantedToken(party, { scope: "approvals:read approvals:write" });
  const { owner, app } = party;
  const was = (await getGrant(owner, app.clientId)).scopes;
  await revokeScope(owner, app.clientId, scope);
  expect(await may(before.token)).toBe(403);
  // This token was issued after the revocation, so it never gets the scope back. Tokens of its
  // family that are issued after the undo have the scope again.
  const renew = (refresh_token: string) =>
    askToken({ grant_type: "refresh_token", refresh_token, client_id: app.clientId }).then((reply) => reply.json());
  const between = await renew(before.reply.refresh_token);
  expect(between.scope).toBe("approvals:write");
  const [left] = await restorableScopes(owner, app.clientId);
  expect(left?.scope).toBe(scope);
  expect(left?.leftMs).toBeGreaterThan(0);
  expect(left?.leftMs).toBeLessThanOrEqual(10_000);
  await undoRevokeScope(owner, app.clientId, scope);
  expect(await may(before.token)).toBe(true);
  expect((await renew(between.refresh_token)).scope.split(" ").sort()).toEqual(["approvals:read", "approvals:write"]);
  expect((await getGrant(owner, app.clientId)).scopes).toEqual(was);
  expect(await restorableScopes(owner, app.clientId)).toEqual([]);
  const told = (await readActivity(owner, { kind: "permissions" })).items.map(({ sentence }) => sentence);
  expect(told.slice(0, 2)).toEqual([
    "You restored {app}’s permission to see its questions and your answers",
    "You revoked {app}’s permission to see its questions and your answers",
  ]);
  await expect(undoRevokeScope(owner, app.clientId, scope)).rejects.toMatchObject({ status: 409 });
});

it("rejects a late undo and an undo from another session", async () => {
  const { owner, clientId, token } = await taken();
  const elsewhere = { ...owner, session: "another" };
  expect(await restorableScopes(elsewhere, clientId)).toEqual([]);
  await expect(undoRevokeScope(elsewhere, clientId, scope)).rejects.toMatchObject({ status: 409 });
  const stranger = await anOwner();
  await expect(undoRevokeScope(stranger, clientId, scope)).rejects.toMatchObject({ status: 404 });
  await expect(undoRevokeScope(owner, clientId, "approvals:resolve")).rejects.toMatchObject({ status: 409 });
  await secondsLater(11);
  expect(await restorableScopes(owner, clientId)).toEqual([]);
  await expect(undoRevokeScope(owner, clientId, scope)).rejects.toMatchObject({ status: 409 });
  expect(await may(token)).toBe(403);
});

it("rejects an undo after the scope was granted again", async () => {
  const { owner, clientId, token } = await taken();
  const anew = await aTokenFor(owner, clientId, [scope]);
  expect(await restorableScopes(owner, clientId)).toEqual([]);
  await expect(undoRevokeScope(owner, clientId, scope)).rejects.toMatchObject({ status: 409 });
  expect([await may(token), await may(anew.token)]).toEqual([403, true]);
});

it("rejects an undo after the grant is revoked or replaced", async () => {
  const { owner, clientId, token } = await taken();
  await revokeGrant(owner, clientId);
  await expect(undoRevokeScope(owner, clientId, scope)).rejects.toMatchObject({ status: 404 });
  const anew = await aTokenFor(owner, clientId, ["approvals:write"]);
  await expect(undoRevokeScope(owner, clientId, scope)).rejects.toMatchObject({ status: 409 });
  expect([await may(token), await may(anew.token)]).toEqual([401, 403]);
});

it("restores a scope only once for two concurrent undo requests", async () => {
  const { owner, clientId } = await taken();
  const both = await Promise.allSettled([
    undoRevokeScope(owner, clientId, scope),
    undoRevokeScope(owner, clientId, scope),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await db.event.count({ where: { ownerId: owner.ownerId, data: { path: ["undone"], equals: true } } })).toBe(1);
});

it("restores a scope after a second revocation", async () => {
  const { owner, clientId, token } = await taken();
  await undoRevokeScope(owner, clientId, scope);
  await revokeScope(owner, clientId, scope);
  expect(await may(token)).toBe(403);
  await undoRevokeScope(owner, clientId, scope);
  expect(await may(token)).toBe(true);
  await revokeScope(owner, clientId, scope);
  await secondsLater(61);
  await atEveryShard(sweep);
  expect(await db.revokedScope.count({ where: { grant: { ownerId: owner.ownerId } } })).toBe(0);
});
