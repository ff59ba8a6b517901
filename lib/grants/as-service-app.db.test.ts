import { expect, it } from "vitest";
import { searchApprovals } from "@/lib/approvals/search";
import { sendTestApproval } from "@/lib/approvals/service-questions/test-approval";
import { findClient, getApp, listApps } from "@/lib/apps/apps";
import { db } from "@/lib/database/db";
import { sendTestNotification } from "@/lib/notifications/test-notification";
import { answerApproval } from "@/lib/testing/answer-approval";
import { anOwner } from "@/lib/testing/factories";
import { getGrant, listGrants, revokeGrant } from "./grants";
import { createPersonalToken } from "./personal-tokens";

it("adds a test question to the inbox and accepts the owner's answer", async () => {
  const owner = await anOwner();
  const { id } = await sendTestApproval(owner);
  const { approvals } = await searchApprovals(owner, { list: "waiting" });
  expect(approvals).toMatchObject([{ _id: id, app: { name: "Countersign", revoked: false } }]);
  const answered = await answerApproval(owner, id, { kind: "option", optionId: "yes" });
  expect(answered).toMatchObject({ won: true, resolution: { optionId: "yes", resolvedBy: "owner" } });
});

it("reuses an owner's service app for later test questions", async () => {
  const [owner, other] = [await anOwner(), await anOwner()];
  await Promise.all([sendTestApproval(owner), sendTestApproval(owner), sendTestNotification(owner)]);
  await sendTestApproval(other);
  const [grant, ...more] = await listGrants(owner);
  expect(more).toEqual([]);
  expect(grant).toMatchObject({ name: "Countersign", kind: "test", tokens: [] });
  expect(grant?.scopes.map(({ scope }) => scope)).toEqual(["approvals:write", "notifications:write"]);
  const { clientId = "" } = grant ?? {};
  expect((await listGrants(other))[0]?.clientId).not.toBe(clientId);
  expect(await db.notification.count({ where: { ownerId: owner.ownerId, appId: clientId } })).toBe(1);
  expect(await db.token.count({ where: { grant: { ownerId: owner.ownerId } } })).toBe(0);
});

it("hides the service app from developer pages", async () => {
  const owner = await anOwner();
  await sendTestApproval(owner);
  const clientId = (await listGrants(owner))[0]?.clientId ?? "";
  expect(await findClient(clientId)).toBeNull();
  expect(await listApps(owner)).toEqual([]);
  await expect(getApp(owner, clientId)).rejects.toMatchObject({ status: 404 });
  for (const who of [owner, await anOwner()]) {
    await expect(createPersonalToken(who, { clientId, scopes: ["approvals:write"] })).rejects.toMatchObject({
      status: 404,
    });
  }
});

it("reconnects the service app after a revocation", async () => {
  const owner = await anOwner();
  await sendTestApproval(owner);
  const clientId = (await listGrants(owner))[0]?.clientId ?? "";
  await revokeGrant(owner, clientId);
  expect(await listGrants(owner)).toEqual([]);
  await sendTestNotification(owner);
  expect((await getGrant(owner, clientId)).scopes.map(({ scope }) => scope)).toEqual(["notifications:write"]);
});
