import { expect, it } from "vitest";
import { db } from "@/lib/database/db";
import { anAppWith } from "@/lib/testing/factories";
import { getGrant } from "./grants";

it("treats an app as idle after 90 days without use", async () => {
  const { owner, clientId } = await anAppWith("approvals:read");
  const days = (count: number) => new Date(Date.now() - count * 86_400_000);
  const set = async (createdAt: Date, lastUsedAt: Date | null) => {
    await db.grant.updateMany({ where: { appId: clientId }, data: { createdAt, lastUsedAt } });
    return (await getGrant(owner, clientId)).idle;
  };
  expect(await set(days(91), null)).toBe(true);
  expect(await set(days(400), days(91))).toBe(true);
  expect(await set(days(400), days(89))).toBe(false);
  expect(await set(days(89), null)).toBe(false);
});

it("lists declared scopes that the owner did not grant", async () => {
  const { owner, clientId } = await anAppWith("approvals:read");
  expect((await getGrant(owner, clientId)).wanted).toEqual([]);
  await db.app.update({
    where: { id: clientId },
    data: { declaredScopes: { "approvals:resolve": { required: false }, "approvals:read": { required: true } } },
  });
  expect((await getGrant(owner, clientId)).wanted).toEqual(["approvals:resolve"]);
  await db.app.update({
    where: { id: clientId },
    data: { declaredScopes: {}, clientMetadata: { scope: "approvals:read notifications:write unknown" } },
  });
  expect((await getGrant(owner, clientId)).wanted).toEqual(["notifications:write"]);
});
