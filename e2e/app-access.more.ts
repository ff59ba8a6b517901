import { db } from "@/lib/database/db";
import { readAppPreferences } from "@/lib/grants/app-preferences";
import { createPersonalToken } from "@/lib/grants/personal-tokens";
import { newId } from "@/lib/ids";
import { anOwner } from "@/lib/testing/factories";
import { anApp, expect, test } from "./fixtures";
import { aQuestion, statusOf } from "./oauth-app";

test("applies an access change to the app's next request", async ({ page, owner, app }) => {
  const { clientId } = app;
  const { token } = await createPersonalToken(owner, { clientId, scopes: ["approvals:read"], name: "Laptop" });
  await db.integration.create({
    data: {
      id: newId("int"),
      ownerId: owner.ownerId,
      provider: "google",
      issuer: "google",
      subject: "1",
      email: "work@acme.example",
      buckets: ["identity"],
      scopes: [],
    },
  });
  const seen = async () => ((await (await app.call("/api/integrations")).json()) as { data: { email: string }[] }).data;
  expect(await seen()).toEqual([]);
  expect((await app.call("/api/approvals")).status).toBe(200);
  await page.goto("/apps");
  await page.getByRole("link", { name: app.name }).click();
  await page.getByRole("checkbox", { name: "work@acme.example" }).check();
  await page.getByRole("button", { name: "Save accounts" }).click();
  await expect(page.getByText("Accounts saved.")).toBeVisible();
  expect((await seen()).map(({ email }) => email)).toEqual(["work@acme.example"]);
  await expect(page.getByRole("checkbox", { name: "work@acme.example" })).toBeChecked();

  const may = page.locator("section", { has: page.getByRole("heading", { name: "Permissions" }) });
  const left = may.getByRole("switch", { checked: true });
  await expect(left).toHaveCount(5);
  const tops = () =>
    may.getByRole("switch").evaluateAll((all) => all.map((it) => it.getBoundingClientRect().top + window.scrollY));
  const before = await tops();
  await page.getByRole("switch", { name: "Ask you questions" }).click();
  await expect(page.getByText("can no longer ask you questions.")).toBeVisible();
  expect(await tops()).toEqual(before);
  expect(await statusOf(app.token, "/api/approvals", aQuestion)).toBe(403);
  expect((await app.call("/api/approvals")).status).toBe(200);
  await expect(left).toHaveCount(4);
  await page.reload();
  await expect(left).toHaveCount(4);

  await page.getByRole("listitem").filter({ hasText: "Laptop" }).getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Laptop" })).toHaveCount(0);
  await expect(page.getByRole("status").filter({ hasText: "Revoked Laptop" })).toBeVisible();
  expect(await statusOf(token, "/api/approvals")).toBe(401);
  expect(await statusOf(app.token, "/api/approvals")).toBe(200);

  await page.getByRole("button", { name: "Revoke access" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke access" }).click();
  await expect(page).toHaveURL(/\/apps\?revoked=/);
  await expect(page.locator(":focus")).toContainText(`${app.name} no longer has access.`);
  await expect(page.getByText("No connected apps")).toBeVisible();
  expect(await statusOf(app.token, "/api/approvals")).toBe(401);
});

test("responds with 404 for another owner's connected app", async ({ page, owner: _ }) => {
  const { clientId } = await anApp(await anOwner());
  expect((await page.goto(`/apps/${clientId}`))?.status()).toBe(404);
  // The not-found page, which is the same for every URL.
  await expect(page.getByText("Page not found")).toBeVisible();
});

test.describe(() => {
  test.use({ javaScriptEnabled: false });

  test("changes an app's access when scripts are off", { tag: "@more" }, async ({ page, owner, app }) => {
    await page.goto(`/apps/${app.clientId}`);
    await page.getByRole("switch", { name: "Mute questions" }).click();
    await expect(page.getByRole("switch", { name: "Mute questions" })).toBeChecked();
    await page.getByRole("button", { name: "App name only" }).click();
    expect(await readAppPreferences(owner, app.clientId)).toMatchObject({
      questionsMuted: true,
      lockScreen: "private",
    });
    await page.getByRole("switch", { name: "Ask you questions" }).click();
    await expect(page.getByText("can no longer ask you questions.")).toBeVisible();
    expect(await statusOf(app.token, "/api/approvals", aQuestion)).toBe(403);
    await page.getByRole("switch", { name: "Ask you questions" }).click();
    await expect(page.getByRole("switch", { name: "Ask you questions" })).toBeChecked();
    expect(await statusOf(app.token, "/api/approvals", aQuestion)).toBe(201);
    await page.getByRole("switch", { name: "Ask you questions" }).click();
    await page.locator("summary", { hasText: "Revoke access" }).click();
    await page.getByRole("button", { name: "Revoke access" }).click();
    await expect(page).toHaveURL(/\/apps\?revoked=/);
    expect(await statusOf(app.token, "/api/approvals")).toBe(401);
  });
});
