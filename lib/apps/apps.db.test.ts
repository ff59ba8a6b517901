import { expect, it } from "vitest";
import { authenticate } from "@/lib/access/authorization";
import { db } from "@/lib/database/db";
import { deleteApp } from "@/lib/grants/delete-app";
import { listGrants } from "@/lib/grants/grants";
import { anApp, anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { changeApp, declareScopes, findClient, getApp, listApps, registerApp } from "./apps";
import { matchingSecret, revokePreviousSecret, rotateSecret } from "./client-secrets";

const redirectUris = ["https://app.example/callback"];

it("returns a confidential app's secret only once", async () => {
  const owner = await anOwner();
  const { clientId, clientSecret = "" } = await registerApp(owner, { name: "Ledger of Deeds", redirectUris });
  expect(clientSecret).toMatch(/^csn_cs_\w{49}$/);
  expect(await getApp(owner, clientId)).toEqual({
    clientId,
    name: "Ledger of Deeds",
    redirectUris,
    public: false,
    secretLast4: clientSecret.slice(-4),
    declaredScopes: {},
    createdAt: expect.any(Number),
  });
  const client = await findClient(clientId);
  expect(client && matchingSecret(client, clientSecret)).toBe("current");
  expect(client && matchingSecret(client, `${clientSecret.slice(0, -1)}_`)).toBeUndefined();
  const kept = await db.$queryRaw<
    [{ row: string }]
  >`SELECT row_to_json(app)::text AS row FROM app WHERE id = ${clientId}`;
  expect(kept[0].row).not.toContain(clientSecret);
});

it("creates no secret for a public app", async () => {
  const owner = await anOwner();
  const made = await registerApp(owner, { name: "Quick Buddy", redirectUris, public: true });
  expect(made).toEqual({ clientId: expect.any(String) });
  const client = await findClient(made.clientId);
  expect(client?.public).toBe(true);
  expect(client && matchingSecret(client, "")).toBeUndefined();
  await expect(rotateSecret(owner, made.clientId)).rejects.toMatchObject({ status: 400 });
});

it("names the field in the error for an invalid name or redirect URI", async () => {
  const owner = await anOwner();
  const wrong = registerApp(owner, {
    name: "Countersign",
    redirectUris: ["https://ok.example/", "http://evil.example/"],
  });
  await expect(wrong).rejects.toMatchObject({
    status: 400,
    details: [{ path: "name" }, { path: "redirectUris.1" }],
  });
  const many = Array.from({ length: 11 }, (_, n) => `https://app.example/${n}`);
  await expect(registerApp(owner, { name: "Many", redirectUris: many })).rejects.toMatchObject({ status: 400 });
});

it("rejects a name that resembles the name of the owner's active app", async () => {
  const owner = await anOwner();
  const { clientId } = await registerApp(owner, { name: "PayPal" });
  for (const name of ["PayPal", "Paypa1", "PayPaI", "Pay Pal", "РауРаӏ"]) {
    await expect(registerApp(owner, { name })).rejects.toMatchObject({ status: 409, details: [{ path: "name" }] });
  }
  for (const name of ["PаyPal", "ＰayPal", "Pay\u200bPal"]) {
    await expect(registerApp(owner, { name })).rejects.toMatchObject({ status: 400 });
  }
  await deleteApp(owner, clientId);
  await registerApp(owner, { name: "PayPal" });
});

it("hides an app from every owner except the registering owner", async () => {
  const { owner, clientId } = await anApp();
  const other = await anOwner();
  await changeApp(owner, clientId, { redirectUris: ["https://new.example/cb"] });
  expect((await getApp(owner, clientId)).redirectUris).toEqual(["https://new.example/cb"]);
  for (const attempt of [
    () => getApp(other, clientId),
    () => changeApp(other, clientId, { redirectUris }),
    () => rotateSecret(other, clientId),
    () => revokePreviousSecret(other, clientId),
    () => declareScopes(other, clientId, {}),
    () => deleteApp(other, clientId),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ status: 404 });
  }
  await expect(changeApp(owner, clientId, { redirectUris: ["javascript:x"] })).rejects.toMatchObject({
    status: 400,
    details: [{ path: "redirectUris.0" }],
  });
  expect(await listApps(other)).toEqual([]);
});

it("revokes every grant of a deleted app immediately", async () => {
  const { owner, clientId, app } = await anAppWith("approvals:read");
  const other = await anOwner();
  const theirs = await aTokenFor(other, clientId, ["approvals:read"]);
  await authenticate({ ...app });
  await deleteApp(owner, clientId);
  await expect(authenticate({ ...app })).rejects.toMatchObject({ status: 401 });
  await expect(authenticate({ ...theirs.app })).rejects.toMatchObject({ status: 401 });
  expect(await listGrants(other)).toEqual([]);
  expect(await findClient(clientId)).toBeNull();
  expect(await listApps(owner)).toEqual([]);
  await expect(deleteApp(owner, clientId)).rejects.toMatchObject({ status: 404 });
  const told = await db.event.findMany({ where: { ownerId: other.ownerId, type: "grant.revoked" } });
  expect(told).toHaveLength(1);
});
