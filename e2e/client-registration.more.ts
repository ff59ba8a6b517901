import type { Page } from "@playwright/test";
import { registerApp } from "@/lib/apps/apps";
import { db } from "@/lib/database/db";
import { aDocument } from "@/lib/testing/client-metadata-server";
import { expectClean } from "./axe-checks";
import { test as base, expect, serviceUrl } from "./fixtures";
import { aBrowserAppThat, type BrowserApp, randomLetters, statusOf } from "./oauth-app";
import { boxOf, openConsent, post as postForm } from "./oauth-owner";
import { sent } from "./page-html";

type Enrolment = { name: string; redirectUri: string };

const post = (body: object, path = "/oauth/register") =>
  fetch(serviceUrl() + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** Programs receive only the service's URL. */
async function register({ name, redirectUri }: Enrolment): Promise<{ clientId: string }> {
  const found = await fetch(`${serviceUrl()}/.well-known/oauth-authorization-server`);
  const { registration_endpoint } = (await found.json()) as { registration_endpoint: string };
  const body = { client_name: name, redirect_uris: [redirectUri], token_endpoint_auth_method: "none" };
  const reply = await post(body, new URL(registration_endpoint).pathname);
  expect(reply.status).toBe(201);
  const { client_id } = (await reply.json()) as { client_id: string };
  return { clientId: client_id };
}

/** Publishes a document. @returns its URL, which is the client_id */
async function publish(
  { name, redirectUri }: Enrolment,
  url = `${process.env.E2E_DOCUMENTS}/${randomLetters()}/client.json`,
): Promise<string> {
  const document = aDocument(url, { client_name: name, redirect_uris: [redirectUri] });
  await fetch(url, { method: "PUT", body: JSON.stringify(document) });
  return url;
}

const test = base.extend<{ nomad: BrowserApp; plane: BrowserApp }>({
  /** A self-registered app. */
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures needed from the pattern.
  nomad: async ({}, use) => {
    const name = `Nomad ${randomLetters()}`;
    const app = await aBrowserAppThat((redirectUri) => register({ name, redirectUri }), name);
    await use(app);
    app.close();
  },
  /** An app with a metadata document. */
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  plane: async ({}, use) => {
    test.skip(!process.env.E2E_DOCUMENTS, "the running service cannot read our documents");
    const name = `Paper plane ${randomLetters()}`;
    const app = await aBrowserAppThat(
      async (redirectUri) => ({ clientId: await publish({ name, redirectUri }) }),
      name,
    );
    await use(app);
    app.close();
  },
});

async function allow(page: Page, app: BrowserApp) {
  await boxOf(page, "approvals:write").check();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("heading")).toHaveText("Back at the app");
  const { status, access_token = "" } = await app.redeem();
  expect(status).toBe(200);
  expect(await statusOf(access_token, "/api/integrations")).toBe(200);
  return access_token;
}

test("labels a self-registered app as unverified on the consent page and in Apps", async ({
  page,
  owner: _,
  nomad,
}) => {
  await page.goto(nomad.authorizeUrl("approvals:write"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Connect ${nomad.name}?`);
  await expect(page.getByText("Unverified · self-registered just now")).toBeVisible();
  await expect(page.getByText(", on this computer")).toBeVisible();
  await expect(page.getByText("first seen")).toBeHidden();
  await expect(page.getByText("Check this app’s name.")).toBeHidden();
  await expectClean(page, page.url());
  await allow(page, nomad);

  await page.goto("/apps");
  const row = page.getByRole("link", { name: nomad.name });
  await expect(row).toContainText("Self-registered");
  await row.click();
  await expect(page.getByText(/By the app itself .* · unverified/)).toBeVisible();
  await expectClean(page, page.url());
});

test("shows a metadata document's host on the consent page and in Apps", async ({ page, owner: _, plane }) => {
  const { host } = new URL(plane.clientId);
  await page.goto(plane.authorizeUrl("approvals:write"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Connect ${plane.name}?`);
  await expect(page.getByText(`From ${host} · first seen just now`)).toBeVisible();
  await expect(page.getByText("Unverified")).toBeHidden();
  await expect(page.getByText("Continue only if you just started this app.")).toBeVisible();
  await expectClean(page, page.url());
  await allow(page, plane);

  await page.goto("/apps");
  const row = page.getByRole("link", { name: plane.name });
  await expect(row).toContainText(host);
  await row.click();
  await expect(page.getByText("Website")).toBeVisible();
  await expect(page.getByText(host, { exact: true })).toBeVisible();
});

/** Changes the name, which a self-registered program may do. */
async function rename(page: Page, { clientId, authorizeUrl }: BrowserApp, name: string) {
  const asked = authorizeUrl("approvals:write");
  const redirectUri = new URL(asked, serviceUrl()).searchParams.get("redirect_uri") as string;
  await publish({ name, redirectUri }, clientId);
  await db.app.updateMany({ where: { metadataUrl: clientId }, data: { metadataFreshUntil: new Date(0) } });
  expect((await page.request.get(asked, { maxRedirects: 0 })).status()).toBe(303);
}

const changedNotice = "The app changed after this page was shown, so nothing was shared. Review the app, then decide.";

test("asks for consent again if an app is renamed before the decision", { tag: "@more" }, async ({
  page,
  owner: _,
  plane,
}) => {
  await page.goto(plane.authorizeUrl("approvals:write"));
  const name = `Ledger ${randomLetters()}`;
  await rename(page, plane, name);
  await boxOf(page, "approvals:write").check();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: changedNotice })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Connect ${name}?`);
  await expect(boxOf(page, "approvals:write")).not.toBeChecked();
  await expectClean(page, page.url());
  expect(plane.answers).toHaveLength(0);
  expect((await sent(page, "/apps")).html).toContain("No connected apps");
  await allow(page, plane);
  expect((await sent(page, "/apps")).html).toContain(name);
});

test("rejects a consent form with an invalid number of days", { tag: "@more" }, async ({ page, owner: _, nomad }) => {
  const { page: path, csrf } = await openConsent(page.request, nomad.authorizeUrl("approvals:write"));
  const allowed: [string, string][] = [
    ["csrf", csrf],
    ["decision", "allow"],
    ["scope", "approvals:write"],
  ];
  for (const days of ["soon", "0", "-1", "31"]) {
    const reply = await postForm(page.request, `${path}/decide`, [...allowed, ["days", days]]);
    expect([days, reply.status()]).toEqual([days, 400]);
  }
  expect((await sent(page, "/apps")).html).toContain("No connected apps");
  expect((await postForm(page.request, `${path}/decide`, [...allowed, ["days", ""]])).status()).toBe(303);
});

test.describe(() => {
  test.use({ javaScriptEnabled: false });

  test("asks for consent again for a renamed app when scripts are off", async ({ page, owner: _, plane }) => {
    await page.goto(plane.authorizeUrl("approvals:write"));
    const name = `Ledger ${randomLetters()}`;
    await rename(page, plane, name);
    await boxOf(page, "approvals:write").check();
    await page.getByRole("button", { name: /^Connect/ }).click();
    await expect(page.getByText(changedNotice)).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Connect ${name}?`);
    expect(plane.answers).toHaveLength(0);
    await boxOf(page, "approvals:write").check();
    await page.getByRole("button", { name: /^Connect/ }).click();
    await expect(page.getByRole("heading")).toHaveText("Back at the app");
    expect((await sent(page, "/apps")).html).toContain(name);
  });
});

test("shows an error page for an unusable metadata document URL", { tag: "@more" }, async ({
  page,
  owner: _,
  plane,
}) => {
  const asked = new URL(plane.authorizeUrl("approvals:write"), serviceUrl());
  for (const [clientId, why] of [
    [`${process.env.E2E_DOCUMENTS}/nowhere`, "must respond with status 200"],
    ["https://127.0.0.1:1/client.json", "Must use a host name"],
    ["https://localhost.example/../client.json", "Must be written as https://localhost.example/client.json"],
  ] as const) {
    asked.searchParams.set("client_id", clientId);
    const { status, html } = await sent(page, asked.href);
    expect([status, html]).toEqual([400, expect.stringContaining(why)]);
  }
  expect(plane.answers).toHaveLength(0);
});

test("rejects an app's look-alike name and warns about a similar name", async ({ page, owner }) => {
  const letters = randomLetters();
  await registerApp(owner, { name: `Bill ${letters}` });
  const redirect_uris = ["http://127.0.0.1/callback"];
  for (const name of [`Вill ${letters}`, `Bill\u200b ${letters}`]) {
    const reply = await post({ client_name: name, redirect_uris });
    expect([name, reply.status]).toEqual([name, 400]);
    expect(await reply.json()).toMatchObject({ error: "invalid_client_metadata" });
  }
  const name = `Bi11 ${letters}`;
  const namesake = await aBrowserAppThat((redirectUri) => register({ name, redirectUri }), name);
  await page.goto(namesake.authorizeUrl("approvals:write"));
  await expect(page.getByText("Check this app’s name.")).toBeVisible();
  await expectClean(page, page.url());
  namesake.close();
});

test("accepts registrations at the default path /register", async () => {
  const body = { redirect_uris: ["cursor://anysphere.cursor-mcp/oauth/callback"], token_endpoint_auth_method: "none" };
  expect((await post(body, "/register")).status).toBe(201);
  const preflight = await fetch(`${serviceUrl()}/oauth/register`, { method: "OPTIONS" });
  expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
});

test("shows the registration endpoint on the Developer page", async ({ page, owner: _ }) => {
  expect((await sent(page, "/developer")).html).toContain(`POST ${serviceUrl()}/oauth/register`);
});
