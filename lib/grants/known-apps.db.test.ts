import { expect, it } from "vitest";
import { db } from "@/lib/db";
import { deleteApp } from "@/lib/grants/delete-app";
import { anApp, anOwner, aTokenFor } from "@/lib/testing/factories";
import { listGrants, revokeGrant } from "./grants";
import { knownApps, liveApps } from "./known-apps";

it("the apps that are let in now are those that the page of connected apps lists; known are the others too", async () => {
  const owner = await anOwner();
  const apps = await Promise.all(["live", "revoked", "over", "deleted"].map(() => anApp(owner)));
  for (const { clientId } of apps) await aTokenFor(owner, clientId, ["approvals:write"]);
  const [live, revoked, over, deleted] = apps.map(({ clientId }) => clientId) as [string, string, string, string];
  await revokeGrant(owner, revoked);
  await deleteApp(owner, deleted);
  await db.grant.updateMany({ where: { appId: over }, data: { expiresAt: new Date(Date.now() - 1000) } });
  expect((await liveApps(owner)).map(({ clientId }) => clientId)).toEqual([live]);
  expect((await listGrants(owner)).map(({ clientId }) => clientId)).toEqual([live]);
  expect((await knownApps(owner)).map(({ appId }) => appId).sort()).toEqual([live, revoked, over, deleted].sort());
  expect(await liveApps(await anOwner())).toEqual([]);
});
