import type { Page } from "@playwright/test";
import { emailFreezePath } from "@/lib/alerts/email-freeze";
import { expectAccessible } from "./axe-checks";
import { anApp, expect, serviceUrl, test } from "./fixtures";
import { settle } from "./inbox-locators";
import { signedInBefore } from "./stale-sign-in";
import { alive } from "./wait-for-hydration";

const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 640;

/** Presses the control that every page has. On a phone, the control is in the menu. */
async function pressFreeze(page: Page) {
  if (isPhone(page)) await page.getByText("More", { exact: true }).click();
  await page.getByRole("button", { name: "Freeze all apps" }).click();
  await expect(page).toHaveURL(/\/frozen$/);
}

test("freezes all apps with one press on any page, and unfreezes them after a recent sign-in", async ({
  page,
  owner,
  app,
}) => {
  const id = await app.ask({ question: "Ship it?", expiresAt: Date.now() + 7_200_000 });
  await page.goto("/activity");
  await pressFreeze(page);
  const refused = await app.call(`/api/approvals/${id}`);
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ details: [{ reason: "frozen" }] });
  await app.call("/api/notifications", { title: "Backup finished" });

  // Every page says so, and the question can't be answered.
  await page.goto(`/approvals/${id}`);
  await expect(page.getByRole("complementary", { name: "Freeze" })).toContainText("All apps have been frozen since");
  await expect(page.getByText("This question is frozen")).toBeVisible();
  await expect(page.getByRole("button", { name: "Yes" })).toHaveCount(0);

  await signedInBefore(owner, 30);
  await page.goto("/frozen");
  await expect(page.getByRole("listitem").filter({ hasText: "Get an approval" })).toContainText("1");
  await expect(page.getByRole("listitem").filter({ hasText: "Push a notification" })).toContainText("1");
  await expect(page.getByRole("button", { name: "Unfreeze all apps" })).toBeDisabled();
  await page.getByRole("link", { name: "Confirm it’s you" }).click();
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/frozen$/);
  await page.getByRole("button", { name: "Unfreeze all apps" }).click();
  await expect(page.getByRole("heading", { name: "No app is frozen" })).toBeVisible();
  await expect(page.getByRole("complementary", { name: "Freeze" })).toHaveCount(0);
  expect((await app.call(`/api/approvals/${id}`)).status).toBe(200);
  await page.goto(`/approvals/${id}`);
  await settle(page);
  await page.getByRole("button", { name: "Yes" }).click();
  await expect.poll(async () => (await app.read(id)).status).toBe("resolved");
});

test("freezes all apps from the palette by keyboard", async ({ page, app }) => {
  await page.goto("/settings");
  await alive(page);
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search and navigate" });
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("freeze");
  await expect(palette.getByRole("option").first()).toHaveText("Freeze all apps");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/frozen$/);
  expect((await app.call("/api/approvals")).status).toBe(403);
  await page.getByRole("button", { name: "Unfreeze all apps" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "No app is frozen" })).toBeVisible();
  expect((await app.call("/api/approvals")).status).toBe(200);
});

test("freezes one app from its page and from a question @touch", async ({ page, owner, app }) => {
  const other = await anApp(owner, "Bookkeeper");
  const id = await app.ask({ question: "Ship it?" });
  await page.goto(`/apps/${other.clientId}`);
  await page.getByRole("button", { name: "Freeze this app" }).click();
  await expect(page).toHaveURL(/\/frozen$/);
  expect([(await other.call("/api/approvals")).status, (await app.call("/api/approvals")).status]).toEqual([403, 200]);
  await page.goto(`/approvals/${id}`);
  await settle(page);
  await page.locator("[data-decision] summary[aria-label='More']").click();
  await page.getByRole("button", { name: `Freeze ${app.name}` }).click();
  await expect(page).toHaveURL(/\/frozen$/);
  expect((await app.call("/api/approvals")).status).toBe(403);
  await expect(page.getByRole("complementary", { name: "Freeze" })).toContainText("2 apps are frozen");
  const card = page.locator("section").filter({ has: page.getByRole("heading", { name: "Bookkeeper" }) });
  await card.getByRole("button", { name: "Unfreeze" }).click();
  await expect(card).toHaveCount(0);
  expect([(await other.call("/api/approvals")).status, (await app.call("/api/approvals")).status]).toEqual([200, 403]);
});

test("keeps the group of a frozen app in the list, and counts only the other questions", async ({
  page,
  owner,
  app,
}) => {
  const other = await anApp(owner, "Bookkeeper");
  for (const at of [1, 2, 3, 4, 5]) await app.ask({ question: `Ship build ${at}?` });
  await other.ask({ question: "Pay invoice 7?" });
  await app.call("/api/freeze", {});
  await page.goto("/approvals");
  const group = page.locator("details[data-fold='burst']");
  await expect(group.locator("summary")).toContainText(`4 more from ${app.name}`);
  await expect(group.locator("summary")).toContainText("Frozen");
  await expect(page.locator("[data-list]").getByText("1 waiting")).toBeVisible();
  await group.locator("summary").click();
  await expect(group.getByRole("link")).toHaveCount(4);
  await expect(group.getByRole("button")).toHaveCount(0);
});

test("explains that the remaining questions are frozen", async ({ page, app }) => {
  await app.ask({ question: "Ship it?" });
  await app.call("/api/freeze", {});
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/approvals");
  await expect(page.getByRole("heading", { name: "Frozen questions" })).toBeVisible();
  await expect(page.getByText("You’re all caught up")).toHaveCount(0);
  await page.getByRole("link", { name: "Review and unfreeze" }).click();
  await expect(page).toHaveURL(/\/frozen$/);
});

test("shows an app that froze itself", async ({ page, app }) => {
  expect((await app.call("/api/freeze", {})).status).toBe(200);
  await page.goto("/notifications");
  const notice = page.getByRole("complementary", { name: "Freeze" });
  await expect(notice).toContainText(`${app.name} froze itself, and has been frozen since`);
  await notice.getByRole("link", { name: "Review" }).click();
  await page.getByRole("button", { name: "Unfreeze" }).click();
  await expect(page.getByRole("heading", { name: "No app is frozen" })).toBeVisible();
});

test("passes axe on the pages about freezes", { tag: "@more" }, async ({ page, owner, app }) => {
  await page.goto("/frozen");
  await expectAccessible(page, "no frozen app");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("main").getByRole("button", { name: "Freeze all apps" }).click();
  await expect(page.getByRole("heading", { name: "All apps" })).toBeVisible();
  for (const path of ["/api/approvals", "/api/events"]) await app.call(path);
  await page.reload();
  await expectAccessible(page, "frozen apps");
  await page.goto(await emailFreezePath(owner.ownerId));
  await expectAccessible(page, "freezing from an email");
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });
  test("freezes all apps from an email without a sign-in", async ({ browser, owner, app }) => {
    const page = await browser.newPage({ javaScriptEnabled: false, baseURL: serviceUrl() });
    const path = await emailFreezePath(owner.ownerId);
    await page.goto(path.replace(/key=../, "key=xx"));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link doesn’t work");
    await page.goto(path);
    // Only the press freezes, because mail scanners open links too.
    expect((await app.call("/api/approvals")).status).toBe(200);
    await page.getByRole("button", { name: "Freeze all apps" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("All apps are frozen");
    expect((await app.call("/api/approvals")).status).toBe(403);
    await page.getByRole("link", { name: "Review and unfreeze" }).click();
    await expect(page).toHaveURL(/\/sign-in/);
    await page.close();
  });

  test("freezes and unfreezes all apps @phone", async ({ page, owner, app }) => {
    await page.goto("/notifications");
    await pressFreeze(page);
    expect((await app.call("/api/approvals")).status).toBe(403);
    await signedInBefore(owner, 30);
    await page.goto("/frozen");
    await page.getByRole("link", { name: "Confirm it’s you" }).click();
    await page.getByLabel("Password", { exact: true }).fill(owner.password);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Unfreeze all apps" }).click();
    await expect(page.getByRole("heading", { name: "No app is frozen" })).toBeVisible();
    expect((await app.call("/api/approvals")).status).toBe(200);
  });
});
