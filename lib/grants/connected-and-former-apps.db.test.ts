import { expect, it } from "vitest";
import { db } from "@/lib/database/db";
import { deleteApp } from "@/lib/grants/delete-app";
import { anApp, anOwner, aTokenFor, letIn } from "@/lib/testing/factories";
import { appHues, connectedAppNames, listDisconnectedApps, liveApps } from "./connected-and-former-apps";
import { listGrants, revokeGrant } from "./grants";

it("lists connected and former apps", async () => {
  const owner = await anOwner();
  const apps = await Promise.all(["live", "revoked", "over", "deleted"].map(() => anApp(owner)));
  for (const { clientId } of apps) await aTokenFor(owner, clientId, ["approvals:write"]);
  const [live, revoked, over, deleted] = apps.map(({ clientId }) => clientId) as [string, string, string, string];
  await revokeGrant(owner, revoked);
  await deleteApp(owner, deleted);
  await db.grant.updateMany({ where: { appId: over }, data: { expiresAt: new Date(Date.now() - 1000) } });
  expect((await liveApps(owner)).map(({ clientId }) => clientId)).toEqual([live]);
  expect((await listGrants(owner)).map(({ clientId }) => clientId)).toEqual([live]);
  expect((await connectedAppNames(owner)).map(({ appId }) => appId).sort()).toEqual(
    [live, revoked, over, deleted].sort(),
  );
  expect(await liveApps(await anOwner())).toEqual([]);
});

it("keeps each app's color when other apps are added or removed", async () => {
  const owner = await anOwner();
  const ids: string[] = [];
  for (let at = 0; at < 4; at++) {
    const { clientId } = await anApp(owner);
    ids.push(clientId);
    await letIn(owner, clientId);
  }
  const [first = "", second = "", , last = ""] = ids;
  const hues = async () => {
    const its = await appHues(owner);
    return ids.map((id) => its.get(id));
  };
  expect(await hues()).toEqual([0, 1, 2, 3]);
  await revokeGrant(owner, first);
  await deleteApp(owner, second);
  await letIn(owner, first);
  expect(await hues()).toEqual([0, 1, 2, 3]);
  expect((await listGrants(owner)).map(({ hue }) => hue).sort()).toEqual([0, 2, 3]);
  // Each owner's apps are numbered separately.
  const other = await anOwner();
  await letIn(other, last);
  expect([...(await appHues(other)).values()]).toEqual([0]);
});

it("reports why each app was disconnected", async () => {
  const owner = await anOwner();
  const [taken, over, back, gone] = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const { clientId } = await anApp();
      await aTokenFor(owner, clientId, ["approvals:read"]);
      return clientId;
    }),
  );
  expect(await listDisconnectedApps(owner)).toEqual([]);
  await revokeGrant(owner, taken!);
  await db.grant.updateMany({ where: { appId: over! }, data: { expiresAt: new Date(Date.now() - 1000) } });
  await revokeGrant(owner, back!);
  await aTokenFor(owner, back!, ["approvals:read"]);
  await db.app.update({ where: { id: gone! }, data: { deletedAt: new Date() } });
  await db.grant.updateMany({ where: { appId: gone! }, data: { revokedAt: new Date() } });
  const ended = new Map((await listDisconnectedApps(owner)).map(({ clientId, how }) => [clientId, how]));
  expect(ended).toEqual(
    new Map([
      [taken, "revoked"],
      [over, "expired"],
      [gone, "deleted"],
    ]),
  );
  expect((await listGrants(owner)).map(({ clientId }) => clientId)).toEqual([back]);
});
