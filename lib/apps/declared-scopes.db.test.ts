import { expect, it } from "vitest";
import { db } from "@/lib/database/db";
import { anApp, anOwner } from "@/lib/testing/factories";
import { declareScopes, getApp, maxApps, registerApp } from "./apps";
import type { DeclaredScopes } from "./schema";

it("replaces all declared scopes when an app is updated", async () => {
  const owner = await anOwner();
  const declaredScopes: DeclaredScopes = {
    "approvals:write": { purpose: "So that nothing ships without you.", required: true },
    "approvals:resolve": { required: false },
  };
  const { clientId } = await registerApp(owner, { name: "Ship of Fools", declaredScopes });
  expect((await getApp(owner, clientId)).declaredScopes).toEqual(declaredScopes);
  await declareScopes(owner, clientId, { "approvals:read": { purpose: "To read what you said.", required: false } });
  expect(Object.keys((await getApp(owner, clientId)).declaredScopes)).toEqual(["approvals:read"]);
  await declareScopes(owner, clientId, {});
  expect((await getApp(owner, clientId)).declaredScopes).toEqual({});
});

it("rejects a sensitive scope marked as required", async () => {
  const { owner, clientId } = await anApp();
  const required = { "approvals:resolve": { required: true } };
  await expect(declareScopes(owner, clientId, required)).rejects.toMatchObject({
    status: 400,
    details: [{ path: "declaredScopes.approvals:resolve", message: "approvals:resolve cannot be a required scope" }],
  });
  await expect(db.app.update({ where: { id: clientId }, data: { declaredScopes: required } })).rejects.toThrow();
});

it.each([
  ["no text", ""],
  ["more than 200 characters", "a".repeat(201)],
  ["the service's name", "Approved by Countersign."],
  ["a look-alike of the service's name", "Approved by C0untersign."],
  ["two lines", "one\ntwo"],
  ["reversed text", "safe \u202etxt.exe"],
  ["invisible characters", "sa\u200bfe"],
  ["a pictograph of a seal", "Verified ✅"],
  ["a word in two alphabets", "For your Pаypal"],
  ["characters that NFKC changes", "For you\u2026"],
])("rejects a purpose with %s", async (_, purpose) => {
  const { owner, clientId } = await anApp();
  const declared = { "approvals:write": { purpose, required: false } };
  await expect(declareScopes(owner, clientId, declared)).rejects.toMatchObject({
    status: 400,
    details: [{ path: "declaredScopes.approvals:write.purpose" }],
  });
});

it.each([
  "So our support team can help.",
  "Um dich zu fragen, bevor etwas läuft.",
  "API の結果を Slack で知らせます。",
  "a".repeat(200),
])("accepts the purpose %s", async (purpose) => {
  const { owner, clientId } = await anApp();
  await declareScopes(owner, clientId, { "approvals:write": { purpose, required: false } });
  expect((await getApp(owner, clientId)).declaredScopes["approvals:write"]?.purpose).toBe(purpose);
});

it("limits the number of apps per owner", async () => {
  const owner = await anOwner();
  const apps = Array.from({ length: maxApps }, (_, at) => ({
    id: `app_${owner.ownerId.slice(4, 30)}${String(at).padStart(6, "0")}`,
    ownerId: owner.ownerId,
    name: `many ${at}`,
    nameSkeleton: `${owner.ownerId}${at}`,
    redirectUris: [],
  }));
  await db.app.createMany({ data: apps });
  await expect(registerApp(owner, { name: "One too many of them" })).rejects.toMatchObject({ status: 409 });
  await db.app.update({ where: { id: apps[0]?.id ?? "" }, data: { deletedAt: new Date() } });
  await registerApp(owner, { name: "One too many of them" });
});
