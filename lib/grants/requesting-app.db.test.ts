import { afterAll, beforeAll, expect, it } from "vitest";
import { findClient, registerApp } from "@/lib/apps/apps";
import { registerClient } from "@/lib/apps/dynamic-client-registration";
import { readConsent } from "@/lib/oauth/consent";
import { configure } from "@/lib/testing/change-settings";
import { startDocuments } from "@/lib/testing/client-metadata-server";
import { anOwner } from "@/lib/testing/factories";
import { aGrantedToken, anOpenRequest, authorize } from "@/lib/testing/oauth-flow";
import { getGrant, listGrants, revokeGrant } from "./grants";

const documents = await startDocuments();
beforeAll(() => {
  configure({ ALLOW_PRIVATE_FETCH: documents.origin });
});
afterAll(() => {
  configure({ ALLOW_PRIVATE_FETCH: undefined });
  documents.close();
});

const redirectUris = ["https://app.example/callback"];
const owner = () => anOwner();
async function aDynamicApp(name: string) {
  const described = { name, redirectUris, grantTypes: ["authorization_code"], echoed: {}, authMethod: "none" as const };
  const { client_id } = await registerClient(described);
  return { owner: await anOwner(), clientId: client_id, clientSecret: "", name, redirectUris };
}
const consentFor = async (by: Awaited<ReturnType<typeof anOwner>>, app: Awaited<ReturnType<typeof aDynamicApp>>) =>
  readConsent(by, (await anOpenRequest({ app })).id);

it("shows no registering owner for a self-registered app", async () => {
  const app = await aDynamicApp("Compass Rose");
  expect((await consentFor(await owner(), app)).app).toEqual({
    clientId: app.clientId,
    name: "Compass Rose",
    kind: "dynamic",
    registeredAt: expect.any(Number),
    namesake: false,
  });
});

it("shows a metadata app's host", async () => {
  const url = documents.publish({ client_name: "Paper Plane", redirect_uris: ["http://127.0.0.1/callback"] });
  const robin = await owner();
  const { id } = await anOpenRequest({
    app: { ...(await aDynamicApp("x")), clientId: url, redirectUris: ["http://127.0.0.1:5123/callback"] },
  });
  const { host } = new URL(documents.origin);
  expect(await readConsent(robin, id)).toMatchObject({
    app: {
      name: "Paper Plane",
      kind: "metadata",
      clientHost: host,
      namesake: false,
      clientId: expect.stringMatching(/^app_/),
    },
    redirectHost: "127.0.0.1:5123",
    localApp: true,
  });
});

it("authorizes a metadata app by its URL", async () => {
  const url = documents.publish({ redirect_uris: redirectUris });
  const robin = await owner();
  const app = { ...(await aDynamicApp("x")), clientId: url };
  const { reply } = await aGrantedToken({ owner: robin, app });
  expect(reply).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
  const [grant] = await listGrants(robin);
  expect(grant).toMatchObject({
    kind: "metadata",
    clientHost: new URL(documents.origin).host,
    clientId: (await findClient(url))?.clientId,
  });
  await revokeGrant(robin, grant?.clientId ?? "");
  expect(await findClient(url)).not.toBeNull();
});

it.each([
  ["a missing document", () => `${documents.origin}/nowhere`],
  ["an invalid document", () => documents.publish({ client_id: "https://else.example/x" })],
  ["a private host", () => "https://localhost/client"],
  ["a URL without a path", () => "https://app.example/"],
])("shows an error page for a request with %s", async (_, url) => {
  const query = { response_type: "code", client_id: url(), redirect_uri: "https://plane.example/callback" };
  const reply = await authorize(query);
  expect([reply.status, reply.headers.get("location")]).toEqual([400, null]);
  expect(await reply.text()).toMatch(/document|client_id/);
});

it("warns about a second app with a connected app's name", async () => {
  const robin = await owner();
  const [first, second] = [await aDynamicApp("Sextant"), await aDynamicApp("Sextant")];
  expect((await consentFor(robin, second)).app.namesake).toBe(false);
  await aGrantedToken({ owner: robin, app: first });
  expect((await consentFor(robin, second)).app.namesake).toBe(true);
  expect((await consentFor(robin, first)).app.namesake).toBe(false);
  expect((await consentFor(await owner(), second)).app.namesake).toBe(false);
  await revokeGrant(robin, first.clientId);
  expect((await consentFor(robin, second)).app.namesake).toBe(false);
});

it("warns only the owner who registered an app with a similar name", async () => {
  const app = await aDynamicApp("Astrolabe");
  const robin = await owner();
  await registerApp(robin, { name: "Astro1abe" });
  expect((await consentFor(robin, app)).app.namesake).toBe(true);
  expect((await consentFor(await owner(), app)).app.namesake).toBe(false);
});

it("lists a self-registered app with its registration time", async () => {
  const robin = await owner();
  const app = await aDynamicApp("Quadrant");
  await aGrantedToken({ owner: robin, app });
  const grant = await getGrant(robin, app.clientId);
  expect(grant).toMatchObject({ kind: "dynamic", registeredAt: expect.any(Number), host: "app.example" });
  expect(grant).not.toHaveProperty("clientHost");
});
