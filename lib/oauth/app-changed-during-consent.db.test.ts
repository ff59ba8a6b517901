import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { declareScopes, findClient } from "@/lib/apps/apps";
import { readClientMetadata } from "@/lib/apps/client-metadata";
import { registerClient } from "@/lib/apps/dynamic-client-registration";
import { lockApp } from "@/lib/apps/lock-app";
import { db, pool } from "@/lib/database/db";
import { change } from "@/lib/events/change-transaction";
import { getOrCreateGrant } from "@/lib/grants/create-and-change-grant";
import { listGrants } from "@/lib/grants/grants";
import { configure } from "@/lib/testing/change-settings";
import { aDocument, startDocuments } from "@/lib/testing/client-metadata-server";
import { anApp, anOwner } from "@/lib/testing/factories";
import { aGrantedToken, anOpenRequest } from "@/lib/testing/oauth-flow";
import { decideConsent, readConsent } from "./consent";
import { claimDeviceCode, decideDevice, readDevice, requestDevice } from "./device-authorization";

/* Until the owner decides, the app must not differ from what the page showed. */

const documents = await startDocuments();
beforeAll(() => {
  configure({ ALLOW_PRIVATE_FETCH: documents.origin });
});
afterAll(() => {
  configure({ ALLOW_PRIVATE_FETCH: undefined });
  documents.close();
});

const redirectUris = ["https://app.example/callback"];
const refused = { status: 409, message: "The app has changed. Review the app, then decide." };

/** Creates a self-registered app, whose name never changes. */
async function aRegisteredApp(name: string) {
  const metadata = { client_name: name, redirect_uris: redirectUris, token_endpoint_auth_method: "none" };
  const { client_id: clientId } = await registerClient(readClientMetadata(metadata));
  return { owner: await anOwner(), clientId, clientSecret: "", name, redirectUris };
}

/**
 * Creates an app with a metadata document. `rename` changes the app's name. `prepare` changes the
 * name only in the document, and returns a function that also updates the stored app.
 */
async function aDocumentedApp(name: string) {
  const url = documents.publish({ client_name: name, redirect_uris: redirectUris });
  const prepare = async (to: string) => {
    const body = JSON.stringify(aDocument(url, { client_name: to, redirect_uris: redirectUris }));
    documents.put(new URL(url).pathname, { body });
    await db.app.updateMany({ where: { metadataUrl: url }, data: { metadataFreshUntil: new Date(0) } });
    return () => findClient(url);
  };
  const rename = async (to: string) => (await prepare(to))();
  return { owner: await anOwner(), clientId: url, clientSecret: "", name, redirectUris, prepare, rename };
}

type Owner = Awaited<ReturnType<typeof anOwner>>;
type SomeApp = { clientId: string; redirectUris: string[] };

/** Opens the consent page for a new request. */
async function onConsentPage(owner: Owner, app: SomeApp) {
  const registered = { owner, clientSecret: "", name: "", ...app };
  const { id } = await anOpenRequest({ app: registered }, { scope: "approvals:read" });
  return {
    read: () => readConsent(owner, id),
    decide: (csrf: string, allow = true) => decideConsent(owner, id, { csrf, allow, scopes: ["approvals:read"] }),
  };
}

/** Opens the device page for a new request. */
async function onDevicePage(owner: Owner, { clientId }: SomeApp) {
  const client = (await findClient(clientId))!;
  const { userCode } = await requestDevice(client, { scopes: ["approvals:read"], resource: "api" });
  const { id } = await claimDeviceCode(owner, userCode);
  return {
    read: async () => {
      const view = await readDevice(owner, id);
      if (view.state !== "open") throw new Error(`not open: ${view.state}`);
      return view;
    },
    decide: (csrf: string, allow = true) => decideDevice(owner, id, { csrf, allow, scopes: ["approvals:read"] }),
  };
}

describe.each([
  ["consent", onConsentPage],
  ["device", onDevicePage],
] as const)("consent for a metadata app on the %s page", (_, onPage) => {
  it("rejects a consent after the app's name changes", async () => {
    const owner = await anOwner();
    const app = await aDocumentedApp("Weather");
    const page = await onPage(owner, app);
    const { csrf } = await page.read();
    await app.rename("Ledger");
    await expect(page.decide(csrf)).rejects.toMatchObject(refused);
    expect(await listGrants(owner)).toEqual([]);
    // The request is still open, and its page shows the app's new name.
    const now = await page.read();
    expect(now.app.name).toBe("Ledger");
    await page.decide(now.csrf);
    expect(await listGrants(owner)).toMatchObject([{ name: "Ledger" }]);
  });

  it("accepts a consent after the app returns to its former name", async () => {
    const owner = await anOwner();
    const app = await aDocumentedApp("Weather");
    const page = await onPage(owner, app);
    const { csrf } = await page.read();
    await app.rename("Ledger");
    await app.rename("Weather");
    await page.decide(csrf);
    expect(await listGrants(owner)).toMatchObject([{ name: "Weather" }]);
  });

  it("accepts a denial after the app's name changes", async () => {
    const owner = await anOwner();
    const app = await aDocumentedApp("Weather");
    const page = await onPage(owner, app);
    const { csrf } = await page.read();
    await app.rename("Ledger");
    await page.decide(csrf, false);
    expect(await listGrants(owner)).toEqual([]);
  });
});

it("rejects a consent after the app's purpose or required scopes change", async () => {
  const owner = await anOwner();
  const app = await anApp(undefined, { public: true });
  const page = await onConsentPage(owner, app);
  for (const read of [
    { purpose: "To count", required: false },
    { purpose: "To count", required: true },
  ]) {
    const { csrf } = await page.read();
    await declareScopes(app.owner, app.clientId, { "approvals:read": read });
    await expect(page.decide(csrf)).rejects.toMatchObject(refused);
  }
  expect(await listGrants(owner)).toEqual([]);
  await page.decide((await page.read()).csrf);
  expect(await listGrants(owner)).toHaveLength(1);
});

it("rejects a consent after another app with a look-alike name connects", async () => {
  const owner = await anOwner();
  const page = await onConsentPage(owner, await aRegisteredApp("Tide table"));
  const { csrf } = await page.read();
  await aGrantedToken({ owner, app: await aRegisteredApp("Tide tab1e") });
  await expect(page.decide(csrf)).rejects.toMatchObject(refused);
  const now = await page.read();
  expect(now.app.namesake).toBe(true);
  await page.decide(now.csrf);
});

it("rejects a form whose CSRF token mixes parts from two versions of the app", async () => {
  const owner = await anOwner();
  const app = await aDocumentedApp("Weather");
  const page = await onConsentPage(owner, app);
  const { csrf: before } = await page.read();
  await app.rename("Ledger");
  const { csrf: after } = await page.read();
  await expect(page.decide(after.slice(0, 43) + before.slice(43))).rejects.toMatchObject({ status: 403 });
});

it("keeps the app's displayed name if a rename waits for the consent", async () => {
  const owner = await anOwner();
  const app = await aDocumentedApp("Weather");
  const { clientId } = (await findClient(app.clientId))!;
  const rename = await app.prepare("Ledger");
  let renamed: Promise<unknown> | undefined;
  await change(owner, async (tx) => {
    await lockApp(tx, clientId);
    renamed = rename();
    // The rename waits for the app's row lock.
    const blocked =
      "SELECT FROM pg_stat_activity WHERE datname LIKE current_database() || '%' AND wait_event_type = 'Lock'";
    await expect.poll(async () => (await pool().query(blocked)).rowCount).toBe(1);
    await getOrCreateGrant(tx, owner.ownerId, clientId);
  });
  await renamed;
  expect(await listGrants(owner)).toMatchObject([{ name: "Weather" }]);
  expect((await findClient(clientId))?.name).toBe("Weather");
});
