import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { maxApps, registerApp } from "@/lib/apps/apps";
import { db } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { anOwner } from "@/lib/testing/factories";
import { mcpClient } from "@/lib/testing/mcp-client";
import { expectAccessible } from "./axe-checks";
import { expect, serviceUrl, test } from "./fixtures";
import { randomLetters, statusOf } from "./oauth-app";
import { boxOf } from "./oauth-owner";
import { sent } from "./page-html";

/** The text of a box with a copy button. */
const shown = async (page: Page, label: string) =>
  (await page.getByRole("figure", { name: label }).locator("pre").textContent()) ?? "";

test("guides a developer from registration to the app's first question", async ({ page, owner }) => {
  const name = `Courier ${randomLetters()}`;
  await page.goto("/developer");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Redirect URIs").fill("https://courier.example/callback\nhttp://courier.example/callback");
  await page.getByRole("button", { name: "Register app" }).click();
  await expect(page.locator("[id$=-error]")).toContainText("Line 2: Must use https");
  const parcel = `Parcel ${randomLetters()}`;
  await registerApp(owner, { name: parcel });
  await page.getByLabel("Redirect URIs").fill("https://courier.example/callback");
  await page.getByLabel("Name").fill(parcel.replace("l", "1"));
  await page.getByRole("button", { name: "Register app" }).click();
  await expect(page.locator("[id$=-error]")).toContainText("with this name or a similar name");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Redirect URIs").fill("https://courier.example/callback\nhttp://courier.example/callback");
  await page.getByRole("button", { name: "Register app" }).click();
  await expect(page.locator("[id$=-error]")).toContainText("Line 2: Must use https");
  await expect(page.getByLabel("Name")).toHaveValue(name);
  await page.getByLabel("Redirect URIs").fill("https://courier.example/callback");
  await page.getByRole("button", { name: "Register app" }).click();

  const secret = await shown(page, "Client secret");
  expect(secret).toMatch(/^csn_cs_\w{49}$/);
  expect(page.url()).not.toContain("csn_");
  await page.getByRole("link", { name: "Go to the app’s page" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  expect(await page.content()).not.toContain(secret);

  // The app's declared scopes are selected by default.
  await boxOf(page, "approvals:read").uncheck();
  await boxOf(page, "approvals:write").uncheck();
  await page.getByRole("button", { name: "Create token" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Choose at least one scope" })).toBeVisible();
  await boxOf(page, "approvals:write").check();
  await page.getByRole("button", { name: "Create token" }).click();
  const token = await shown(page, "Token");
  expect(await statusOf(token, "/api/approvals")).toBe(403);

  const command = await shown(page, "Command");
  const { stdout } = await promisify(execFile)("sh", ["-c", command]);
  expect(JSON.parse(stdout)).toEqual({ id: expect.stringMatching(/^apr_/) });
  await page.reload();
  expect(await page.content()).not.toContain(token);
  await page.goto("/approvals");
  await expect(page.getByText("Did this question reach you?").first()).toBeVisible();
});

test("shows the client secret of an app that reaches the app limit", async ({ page, owner }) => {
  await db.app.createMany({
    data: Array.from({ length: maxApps - 1 }, (_, at) => ({
      id: newId("app"),
      ownerId: owner.ownerId,
      kind: "manual",
      secretHash: null,
      redirectUris: [],
      name: `Crowd ${at}`,
      nameSkeleton: `${owner.ownerId}/${at}`,
    })),
  });
  await page.goto("/developer");
  await page.getByLabel("Name").fill(`Courier ${randomLetters()}`);
  await page.getByRole("button", { name: "Register app" }).click();
  expect(await shown(page, "Client secret")).toMatch(/^csn_cs_\w{49}$/);
  await expect(page.getByRole("heading", { name: "Your apps" }).locator("xpath=../..").locator("li")).toHaveCount(
    maxApps,
  );
  expect(await shown(page, "Client secret")).toMatch(/^csn_cs_\w{49}$/);
  await page.reload();
  await expect(page.getByText(`You’ve reached the limit of ${maxApps} apps`)).toBeVisible();
  await expect(page.getByRole("button", { name: "Register app" })).toHaveCount(0);
  await expect(page.getByText("Consent screen preview")).toBeHidden();
});

test("changes an app's credentials and redirect URIs", { tag: "@more" }, async ({ page, owner }) => {
  const name = `Parcel ${randomLetters()}`;
  const { clientId, clientSecret: deployed = "" } = await registerApp(owner, { name });
  const known = async (secret: string) => {
    const body = new URLSearchParams({ client_id: clientId, client_secret: secret, token: "x" });
    return (await fetch(`${serviceUrl()}/oauth/introspect`, { method: "POST", body })).status;
  };
  await page.goto(`/developer/${clientId}`);
  await boxOf(page, "approvals:write").check();
  await page.getByLabel("Use with").selectOption({ label: "MCP, for agents" });
  await page.getByRole("button", { name: "Create token" }).click();
  const token = await shown(page, "Token");
  expect(await shown(page, "Owner ID")).toBe(owner.ownerId);
  const command = await shown(page, "Command");
  expect(command).toContain(`/api/mcp --header "Authorization: Bearer ${token}"`);
  const client = await mcpClient(new URL("/api/mcp", page.url()), token);
  expect((await client.tools()).map(({ name }) => name)).toContain("ask_owner");
  await client.close();
  expect(await statusOf(token, "/api/approvals")).toBe(401);

  await page.getByLabel("Redirect URIs").fill("http://localhost/back");
  await page.getByRole("button", { name: "Save redirect URIs" }).click();
  await expect(page.getByText("Redirect URIs saved")).toBeVisible();
  await page.getByRole("button", { name: "Replace secret" }).click();
  const second = await shown(page, "Client secret");
  await expect(page.getByText(`The old secret, ending in ${deployed.slice(-4)}, also works`)).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Redirect URIs")).toHaveValue("http://localhost/back");
  await expect(page.getByText(`The current secret ends in ${second.slice(-4)}`)).toBeVisible();
  await expect(page.getByText(`The secret ending in ${deployed.slice(-4)} keeps working`)).toBeVisible();
  await page.getByRole("button", { name: "Replace secret" }).click();
  await expect(page.getByText(`The old secret, ending in ${deployed.slice(-4)}, also works`)).toBeVisible();
  const third = await shown(page, "Client secret");
  expect(third).not.toBe(second);
  expect([await known(deployed), await known(third)]).toEqual([200, 200]);

  await page.reload();
  await expect(page.getByText("The old secret, ending in")).toContainText(deployed.slice(-4));
  await expect(page.getByText("The old secret, ending in")).toContainText("last used just now");
  await expectAccessible(page, "two secrets");
  await page.getByRole("button", { name: "Revoke old secret" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke old secret" }).click();
  await expect(page.getByText("The old secret, ending in")).toHaveCount(0);
  expect([await known(deployed), await known(third)]).toEqual([401, 200]);

  await page.getByRole("button", { name: "Delete app" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete app" }).click();
  await expect(page).toHaveURL(/\/developer$/);
  await expect(page.getByText(name)).toHaveCount(0);
});

test("responds with 404 for another owner's app", async ({ page, owner: _ }) => {
  const { clientId } = await registerApp(await anOwner(), { name: `Parcel ${randomLetters()}` });
  expect((await sent(page, `/developer/${clientId}`)).status).toBe(404);
});

test.describe(() => {
  test.use({ javaScriptEnabled: false });

  test("registers and deletes an app when scripts are off", async ({ page, owner: _ }) => {
    const name = `Courier ${randomLetters()}`;
    await page.goto("/developer");
    await page.getByLabel("Name").fill(name);
    await page.getByRole("button", { name: "Register app" }).click();
    expect(await shown(page, "Client secret")).toMatch(/^csn_cs_\w{49}$/);
    await page.getByRole("link", { name: "Go to the app’s page" }).click();
    await page.locator("summary", { hasText: "Delete app" }).click();
    await page.getByRole("button", { name: "Delete app" }).click();
    await expect(page).toHaveURL(/\/developer$/);
    await expect(page.getByText(name)).toHaveCount(0);
  });
});
