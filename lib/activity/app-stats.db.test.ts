import { expect, it } from "vitest";
import { submitApproval } from "@/lib/approvals/approvals";
import { db } from "@/lib/database/db";
import { readAppAnomalies } from "@/lib/events/app-anomalies";
import { readAppPreferences, updateAppPreferences } from "@/lib/grants/app-preferences";
import { listDisconnectedApps } from "@/lib/grants/connected-apps";
import { getGrant, listGrants, revokeGrant } from "@/lib/grants/grants";
import { muteType } from "@/lib/grants/muted-notification-types";
import { pushNotification } from "@/lib/notifications/notifications";
import { answerApproval } from "@/lib/testing/answer-approval";
import { anApp, anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { readAppFacts } from "./app-stats";

const options = [
  { id: "yes", label: "Yes" },
  { id: "no", label: "No" },
];

it("reports an app's 30-day question count and median response time", async () => {
  const { owner, app, clientId } = await anAppWith("approvals:write", "notifications:write");
  expect(await readAppFacts(owner, clientId)).toEqual({ asked: 0, answered: 0, types: [] });
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const answeredIn = (minutes: number, by: "owner" | "api", days = 1) => ({
    id: `apr_${Math.random()}`,
    ownerId: owner.ownerId,
    appId: clientId,
    question: "Old?",
    options,
    status: "resolved",
    createdAt: at(days * 1440 + minutes),
    resolvedAt: at(days * 1440),
    resolution: { kind: "option", optionId: "yes", resolvedBy: by, resolvedAt: at(days * 1440).getTime() },
  });
  await db.approval.createMany({
    data: [
      answeredIn(1, "owner"),
      answeredIn(3, "owner"),
      answeredIn(90, "owner"),
      answeredIn(0, "api"),
      answeredIn(5, "owner", 31),
    ],
  });
  await submitApproval(app, { question: "New?", options });
  for (const type of ["build", "alarm", "build"]) await pushNotification(app, { title: "News", type });
  expect(await readAppFacts(owner, clientId)).toEqual({
    asked: 5,
    answered: 3,
    types: ["alarm", "build"],
    medianMs: 180_000,
  });
  const other = await anOwner();
  await aTokenFor(other, clientId, ["approvals:write"]);
  expect(await readAppFacts(other, clientId)).toEqual({ asked: 0, answered: 0, types: [] });
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

it("counts each app's anomalies over the last seven days", async () => {
  const { owner, clientId } = await anAppWith("approvals:read");
  expect(await readAppAnomalies(owner)).toEqual(new Map());
  const event = { ownerId: owner.ownerId, appId: clientId, subject: "grt" };
  const days = (count: number) => new Date(Date.now() - count * 86_400_000);
  await db.event.createMany({
    data: [
      { ...event, type: "app.refused", data: { status: 429, count: 12 } },
      { ...event, type: "app.refused", data: { status: 429, count: 30 }, createdAt: days(1) },
      { ...event, type: "app.refused", data: { status: 401, count: 2 } },
      { ...event, type: "app.refused", data: { status: 403, count: 9 } },
      { ...event, type: "app.refused", data: { status: 429, count: 99 }, createdAt: days(8) },
      { ...event, type: "token.reused" },
      { ...event, type: "token.shared" },
    ],
  });
  expect(await readAppAnomalies(owner)).toEqual(
    new Map([[clientId, { tooMany: 42, deadToken: 2, reused: 1, shared: 1 }]]),
  );
  expect(await readAppAnomalies(await anOwner())).toEqual(new Map());
});

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

it("keeps an app's other preferences when notification types are muted concurrently", async () => {
  const [owner, appId] = [await anOwner(), "app_x"];
  await muteType(owner, appId, "build", true);
  await updateAppPreferences(owner, appId, { alwaysConfirm: true });
  await Promise.all(["a", "b", "c", "build"].map((type) => muteType(owner, appId, type, true)));
  const choice = await readAppPreferences(owner, appId);
  expect([...choice.mutedTypes].sort()).toEqual(["a", "b", "build", "c"]);
  expect(choice.alwaysConfirm).toBe(true);
  await muteType(owner, appId, "build", false);
  expect((await readAppPreferences(owner, appId)).mutedTypes).not.toContain("build");
  expect(await readAppPreferences(await anOwner(), appId)).toMatchObject({ mutedTypes: [], alwaysConfirm: false });
  await expect(muteType(owner, appId, "x".repeat(129), true)).rejects.toMatchObject({ status: 400 });
});

it("counts a new answer in the app's statistics", async () => {
  const { owner, app, clientId } = await anAppWith("approvals:write");
  const { id } = await submitApproval(app, { question: "New?", options });
  await answerApproval(owner, id, { kind: "option", optionId: "yes" });
  expect(await readAppFacts(owner, clientId)).toMatchObject({ asked: 1, answered: 1 });
});
