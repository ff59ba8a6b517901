import { expect, it } from "vitest";
import { declareScopes } from "@/lib/apps/apps";
import { db } from "@/lib/database/db";
import { getGrant, listGrants } from "@/lib/grants/grants";
import { anApp, anOwner } from "@/lib/testing/factories";
import { anOpenRequest } from "@/lib/testing/oauth-flow";
import { decideConsent, readConsent } from "./consent";

const scope = "approvals:write approvals:read notifications:write";

async function anAskingApp() {
  const [owner, app] = [await anOwner(), await anApp(undefined, { public: true })];
  await declareScopes(app.owner, app.clientId, {
    "approvals:write": { purpose: "So that nothing ships without you.", required: true },
    "approvals:read": { purpose: "To act on what you said.", required: false },
  });
  const { id } = await anOpenRequest({ app }, { scope });
  return { owner, app, id, view: await readConsent(owner, id) };
}

it("shows each scope's purpose and whether the scope is required", async () => {
  const { view } = await anAskingApp();
  expect(view.requested).toMatchObject([
    { scope: "approvals:write", required: true, purpose: "So that nothing ships without you." },
    { scope: "approvals:read", required: false, purpose: "To act on what you said." },
    { scope: "notifications:write", required: false },
  ]);
  expect(view.requested[2]).not.toHaveProperty("purpose");
});

it("rejects a decision that omits a required scope", async () => {
  const { owner, app, id, view } = await anAskingApp();
  const decide = (scopes: string[], allow = true) => decideConsent(owner, id, { csrf: view.csrf, allow, scopes });
  await expect(decide(["approvals:read"])).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("“Ask you questions”"),
  });
  expect(await listGrants(owner)).toEqual([]);
  const { redirectTo } = await decide(["approvals:write"]);
  expect(redirectTo).toContain("code=");
  expect((await getGrant(owner, app.clientId)).scopes.map(({ scope }) => scope)).toEqual(["approvals:write"]);
});

it("accepts a denial of a request with required scopes", async () => {
  const { owner, id, view } = await anAskingApp();
  const { redirectTo } = await decideConsent(owner, id, { csrf: view.csrf, allow: false });
  expect(redirectTo).toContain("error=access_denied");
});

it("ignores required scopes that were not requested", async () => {
  const { owner, app } = await anAskingApp();
  const { id } = await anOpenRequest({ app }, { scope: "approvals:read" });
  const { csrf } = await readConsent(owner, id);
  await decideConsent(owner, id, { csrf, allow: true, scopes: ["approvals:read"] });
  expect((await getGrant(owner, app.clientId)).scopes.map(({ scope }) => scope)).toEqual(["approvals:read"]);
});

it("ignores unknown scopes that an app declares as required", async () => {
  const { owner, app } = await anAskingApp();
  await db.app.update({ where: { id: app.clientId }, data: { declaredScopes: { "mail:read": { required: true } } } });
  const { id } = await anOpenRequest({ app }, { scope });
  expect((await readConsent(owner, id)).requested.map(({ required }) => required)).toEqual([false, false, false]);
});
