import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/lib/database/db";
import { listGrants } from "@/lib/grants/grants";
import { readConsent } from "@/lib/oauth/consent";
import { configure } from "@/lib/testing/change-settings";
import { startDocuments } from "@/lib/testing/client-metadata-server";
import { anOwner } from "@/lib/testing/factories";
import { aGrantedToken, anOpenRequest, askToken } from "@/lib/testing/oauth-flow";
import { findClient, registerApp } from "./apps";
import { readClientMetadata } from "./client-metadata";
import { registerClient } from "./dynamic-client-registration";

const documents = await startDocuments();
beforeAll(() => {
  configure({ ALLOW_PRIVATE_FETCH: documents.origin });
});
afterAll(() => {
  configure({ ALLOW_PRIVATE_FETCH: undefined });
  documents.close();
});

type Owner = Awaited<ReturnType<typeof anOwner>>;
const redirectUris = ["https://app.example/callback"];
const request = (client_name: string) => ({
  client_name,
  redirect_uris: redirectUris,
  token_endpoint_auth_method: "none",
});

/** Creates a self-registered app with this name. */
async function aRegistration(name: string) {
  const { client_id: clientId } = await registerClient(readClientMetadata(request(name)));
  return { owner: await anOwner(), clientId, clientSecret: "", name, redirectUris };
}
const isWarned = async (owner: Owner, app: Awaited<ReturnType<typeof aRegistration>>) =>
  (await readConsent(owner, (await anOpenRequest({ app })).id)).app.namesake;
const taken = { status: 409, details: [{ path: "name" }] };

test("accepts the same name for apps of two owners", async () => {
  const [robin, kim] = [await anOwner(), await anOwner()];
  await registerApp(robin, { name: "Deploy bot" });
  const { clientId } = await registerApp(kim, { name: "Deploy bot", redirectUris, public: true });
  const { id } = await anOpenRequest({
    app: { owner: kim, clientId, clientSecret: "", name: "Deploy bot", redirectUris },
  });
  expect((await readConsent(kim, id)).app.namesake).toBe(false);
});

test("rejects an owner's second app with an equal or similar name", async () => {
  const owner = await anOwner();
  await registerApp(owner, { name: "Deploy bot" });
  for (const name of ["Deploy bot", "Dep1oy bot", "deploybot"]) {
    await expect(registerApp(owner, { name })).rejects.toMatchObject(taken);
  }
  const racers = await Promise.allSettled(
    ["Sprocket", "Spr0cket", "sprocket", "Sprocket"].map((name) => registerApp(owner, { name })),
  );
  expect(racers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("registers an app despite another owner's app with a look-alike name", async () => {
  const robin = await anOwner();
  const helper = await aRegistration("Helper");
  await aGrantedToken({ owner: robin, app: helper });
  await registerApp(await anOwner(), { name: "He1per" });
  expect(await findClient(helper.clientId)).toMatchObject({ kind: "dynamic", name: "Helper" });
  await aRegistration("Helper");
});

test("keeps a metadata app's tokens despite another owner's look-alike app", async () => {
  const robin = await anOwner();
  const url = documents.publish({ client_name: "Lantern", redirect_uris: redirectUris });
  const app = { owner: await anOwner(), clientId: url, clientSecret: "", name: "Lantern", redirectUris };
  const { reply } = await aGrantedToken({ owner: robin, app });
  await registerApp(await anOwner(), { name: "1antern" });
  // Makes the stored copy too old to be used without a fetch.
  await db.app.updateMany({
    where: { metadataUrl: url },
    data: { metadataFreshUntil: new Date(0), metadataGoodUntil: new Date(0) },
  });
  const form = { grant_type: "refresh_token", refresh_token: reply.refresh_token, client_id: url };
  expect((await askToken(form)).status).toBe(200);
  expect(await listGrants(robin)).toMatchObject([{ name: "Lantern" }]);
  expect(await findClient(documents.publish({ client_name: "Lantern" }))).not.toBeNull();
});

test("rejects look-alikes of a connected app's name but accepts the exact name", async () => {
  const robin = await anOwner();
  await aGrantedToken({ owner: robin, app: await aRegistration("Barometer") });
  for (const name of ["Bar0meter", "Barorneter"]) {
    await expect(registerApp(robin, { name })).rejects.toMatchObject(taken);
  }
  const { clientId } = await registerApp(robin, { name: "Barometer", redirectUris, public: true });
  const app = { owner: robin, clientId, token: "", clientSecret: "", name: "Barometer", redirectUris };
  expect(await isWarned(robin, app)).toBe(true);
});

test("reveals no other owner's app names at registration", async () => {
  const robin = await anOwner();
  await registerApp(robin, { name: "Ledger" });
  await aGrantedToken({ owner: robin, app: await aRegistration("Almanac") });
  const stranger = await anOwner();
  for (const name of ["1edger", "Ledger", "A1manac", "Almanac"]) {
    expect(await isWarned(stranger, await aRegistration(name))).toBe(false);
    expect(await findClient(documents.publish({ client_name: name }))).toMatchObject({ name });
    await registerApp(await anOwner(), { name });
  }
});

test("warns the owner about look-alike names regardless of registration order", async () => {
  const robin = await anOwner();
  const early = await aRegistration("C1inometer");
  expect(await isWarned(robin, early)).toBe(false);
  await registerApp(robin, { name: "Clinometer" });
  expect(await isWarned(robin, early)).toBe(true);
  expect(await isWarned(robin, await aRegistration("Clinometer"))).toBe(true);
  await aGrantedToken({ owner: robin, app: await aRegistration("Theodolite") });
  expect(await isWarned(robin, await aRegistration("The0dolite"))).toBe(true);
});
