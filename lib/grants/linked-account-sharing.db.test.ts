import { expect, it } from "vitest";
import { db } from "@/lib/database/db";
import { readConsent } from "@/lib/oauth/consent";
import { anAppWith, anOwner } from "@/lib/testing/factories";
import { aLinkedAccount, removed } from "@/lib/testing/linked-account-rows";
import { aCode, anOpenRequest, aParty } from "@/lib/testing/oauth-flow";
import { getGrant, revokeGrant } from "./grants";
import { shareIntegrations, shareWith } from "./linked-account-sharing";

const sees = async (owner: Parameters<typeof getGrant>[0], clientId: string) =>
  (await getGrant(owner, clientId)).integrationIds.toSorted();
const told = (ownerId: string) =>
  db.event.findMany({ where: { ownerId, type: "grant.changed" }, orderBy: { id: "asc" }, select: { data: true } });

it("shares only the owner's own linked accounts", async () => {
  const { owner, clientId } = await anAppWith("approvals:read");
  const [mine, theirs] = [await aLinkedAccount(owner), await aLinkedAccount(await anOwner())];
  await shareIntegrations(owner, clientId, [mine, mine]);
  expect(await sees(owner, clientId)).toEqual([mine]);
  for (const ids of [[theirs], [mine, theirs], ["int_none"]]) {
    await expect(shareIntegrations(owner, clientId, ids)).rejects.toMatchObject({ status: 404 });
  }
  await expect(shareIntegrations(await anOwner(), clientId, [])).rejects.toMatchObject({ status: 404 });
  expect(await sees(owner, clientId)).toEqual([mine]);
  await shareIntegrations(owner, clientId, []);
  expect(await sees(owner, clientId)).toEqual([]);
});

it("keeps an app's access to removed accounts that the form omits", async () => {
  const { owner, clientId } = await anAppWith("approvals:read");
  const [gone, kept, other] = [
    await aLinkedAccount(owner),
    await aLinkedAccount(owner),
    await aLinkedAccount(owner),
  ].toSorted() as [string, string, string];
  await shareIntegrations(owner, clientId, [gone, kept]);
  await db.integration.update({ where: { id: gone }, data: removed() });
  await shareIntegrations(owner, clientId, [other]);
  expect(await sees(owner, clientId)).toEqual([gone, other].toSorted());
  // The form was opened before the account was removed.
  await shareIntegrations(owner, clientId, [gone, kept]);
  expect(await sees(owner, clientId)).toEqual([gone, kept].toSorted());
  expect((await told(owner.ownerId)).at(-1)?.data).toEqual({ integrations: [kept], now: ["approvals:read"] });
});

it("keeps an app's access to a disconnected account when the owner consents again", async () => {
  const { owner, app } = await aParty();
  const [gone, kept] = [await aLinkedAccount(owner), await aLinkedAccount(owner)];
  await aCode({ owner, app }, { decision: { integrationIds: [gone, kept] } });
  await db.integration.update({ where: { id: gone }, data: removed() });
  const { id } = await anOpenRequest({ app }, {});
  expect((await readConsent(owner, id)).integrations.map((it) => it.id)).toEqual([kept]);
  await aCode({ owner, app }, { decision: { integrationIds: [] } });
  expect(await sees(owner, app.clientId)).toEqual([gone]);
});

it("sends an app one event for each change in account access", async () => {
  const { owner, clientId } = await anAppWith("approvals:read");
  const [one, other] = [await aLinkedAccount(owner), await aLinkedAccount(owner)];
  await shareIntegrations(owner, clientId, [other]);
  const before = (await told(owner.ownerId)).length;
  await shareWith(owner, clientId, one, true);
  await shareWith(owner, clientId, one, true);
  expect(await sees(owner, clientId)).toEqual([one, other].toSorted());
  await shareWith(owner, clientId, other, false);
  await shareWith(owner, clientId, other, false);
  expect(await sees(owner, clientId)).toEqual([one]);
  const since = (await told(owner.ownerId)).slice(before).map(({ data }) => data);
  const now = ["approvals:read"];
  expect(since).toEqual([
    { integrations: [one, other].toSorted(), now },
    { integrations: [one], now },
  ]);
});

it("rejects access changes for removed accounts and other owners' accounts", async () => {
  const { owner, clientId } = await anAppWith("approvals:read");
  const stranger = await anOwner();
  const theirs = await aLinkedAccount(stranger);
  const gone = await aLinkedAccount(owner, removed());
  const mine = await aLinkedAccount(owner);
  for (const id of [theirs, gone, "int_none"]) {
    await expect(shareWith(owner, clientId, id, true)).rejects.toMatchObject({ status: 404 });
  }
  await expect(shareWith(stranger, clientId, theirs, true)).rejects.toMatchObject({ status: 404 });
  await revokeGrant(owner, clientId);
  await expect(shareWith(owner, clientId, mine, true)).rejects.toMatchObject({ status: 404 });
  expect(await db.grantIntegration.count({ where: { integrationId: { in: [theirs, gone, mine] } } })).toBe(0);
});
