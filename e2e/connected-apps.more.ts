import { sendTestApproval } from "@/lib/approvals/service-questions/test-approval";
import { db } from "@/lib/database/db";
import { readAppPreferences } from "@/lib/grants/app-preferences";
import { answerApproval } from "@/lib/testing/answer-approval";
import { expectAccessible } from "./axe-checks";
import { go } from "./client-navigation";
import { anApp, expect, test } from "./fixtures";
import { statusOf } from "./oauth-app";

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
/** The technical scope names, which owners should not see. */
const words = (text: string) => text.match(/\w+:(read|write|resolve)\b/g) ?? [];

test("revokes an app's access by keyboard alone", async ({ page, owner, app }) => {
  const second = await anApp(owner);
  await page.goto("/apps");
  await expect(page.getByRole("link", { name: app.name })).toBeVisible();
  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: second.name })).toBeFocused();
  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: app.name })).toBeFocused();
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(second.name);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Apps");
  await page.keyboard.press("j");
  await page.keyboard.press("Delete");
  await expect(page.getByRole("dialog")).toContainText(`Revoke all access for ${second.name}?`);
  await page.keyboard.press("Escape");
  expect(await statusOf(second.token, "/api/approvals")).toBe(200);
  await page.keyboard.press("Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Revoke access" }).press("Enter");
  await expect(page.getByRole("link", { name: second.name })).toHaveCount(0);
  expect(await statusOf(second.token, "/api/approvals")).toBe(401);
  expect(await statusOf(app.token, "/api/approvals")).toBe(200);
  await page.getByText("Former apps (1)").click();
  await page.getByRole("link", { name: `Activity (${second.name})` }).click();
  await expect(page).toHaveURL(`/activity?app=${second.clientId}`);
});

test("shows the service's own app without a revoke button", async ({ page, owner }) => {
  await sendTestApproval(owner);
  await page.goto("/apps");
  const row = page.locator("li").filter({ hasText: "Countersign" });
  await expect(row).toContainText("This service");
  await expect(row).not.toContainText("never used");
  await expect(row.getByRole("button")).toHaveCount(0);
  await expect(row.locator("svg text")).toHaveCount(0);
  await expect(row.locator("svg .fill-yes")).toHaveCount(1);
  await row.getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Countersign");
  await expect(page.getByText("This service", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: /revoke/i })).toHaveCount(0);
});

test("warns about unusual activity and unused apps", { tag: "@more" }, async ({ page, owner, app }) => {
  const id = await app.ask({ question: "Ship it?" });
  await answerApproval(owner, id, { kind: "option", optionId: "yes" });
  await db.event.create({
    data: {
      ownerId: owner.ownerId,
      appId: app.clientId,
      type: "app.refused",
      subject: "x",
      data: { status: 429, count: 7 },
    },
  });
  await db.app.update({ where: { id: app.clientId }, data: { declaredScopes: {}, clientMetadata: {} } });
  await page.goto("/apps");
  await expect(page.getByText("Unusual activity")).toBeVisible();
  await expectAccessible(page, "the list of apps");
  await go(page, `/apps/${app.clientId}`);
  await expect(page.getByText("Rate limit exceeded: 7 requests rejected in the last seven days.")).toBeVisible();
  await expect(page.getByText(/1 in the last 30 days, 1 answered, typically after/)).toBeVisible();
  const long = { createdAt: daysAgo(100), lastUsedAt: daysAgo(95) };
  await expect(async () => {
    // The service records the app's question as a use up to 15 seconds later, once a minute.
    await db.grant.updateMany({ where: { appId: app.clientId }, data: long });
    await page.reload();
    await expect(page.getByText("If you no longer need this app, revoke access.")).toBeVisible({ timeout: 5000 });
  }).toPass();
  await expectAccessible(page, "an app with everything to say");
});

test("changes an app's settings and permissions with one click each", { tag: "@more" }, async ({
  page,
  owner,
  app,
}) => {
  test.slow();
  await app.push({ type: "build" });
  await app.push({ type: "alarm" });
  await page.goto(`/apps/${app.clientId}`);
  for (const name of ["Mute questions", "Confirm every answer"]) {
    await page.getByRole("switch", { name }).click();
    await expect(page.getByRole("switch", { name })).toBeChecked();
  }
  await page.getByText("Mute notification types").click();
  await page.getByRole("switch", { name: "Mute build" }).click();
  await expect(page.getByRole("switch", { name: "Mute build" })).toBeChecked();
  await page.getByRole("button", { name: "App name and text" }).click();
  await expect(page.getByRole("button", { name: "App name and text" })).toHaveAttribute("aria-pressed", "true");
  expect(await readAppPreferences(owner, app.clientId)).toEqual({
    questionsMuted: true,
    notificationsMuted: false,
    mutedTypes: ["build"],
    alwaysConfirm: true,
    signAnswers: false,
    signInLens: false,
    lockScreen: "full",
  });
  await page.getByRole("switch", { name: "Mute questions" }).click();
  await expect(page.getByRole("switch", { name: "Mute questions" })).not.toBeChecked();
  await page.getByRole("button", { name: "Use my settings" }).click();
  await expect(page.getByRole("button", { name: "Use my settings" })).toHaveAttribute("aria-pressed", "true");
  expect(await readAppPreferences(owner, app.clientId)).toMatchObject({ questionsMuted: false, lockScreen: null });

  const allowed = page.getByRole("switch", { name: "See this app’s notifications" });
  // The second click of a double click does not undo the first.
  await allowed.dblclick();
  await expect(allowed).toBeFocused();
  await expect(allowed).not.toBeChecked();
  await expect(page.getByText("can no longer see its notifications.")).toBeVisible();
  await expect(page.getByText("Permission turned off. You can undo the change for 10 seconds.")).toBeAttached();
  expect(await statusOf(app.token, "/api/notifications")).toBe(403);
  await allowed.press("Enter");
  await expect(allowed).toBeFocused();
  await expect(allowed).toBeChecked();
  await expect(page.getByText("Permission restored")).toBeVisible();
  expect(await statusOf(app.token, "/api/notifications")).toBe(200);
  await allowed.click();
  await expect(allowed).not.toBeChecked();
  await expectAccessible(page, "an app with a permission just taken back");
  // The switch disappears automatically at the end of the time to undo.
  await expect(allowed).toHaveCount(0);
  await expect(page.getByText("See this app’s notifications")).toHaveCount(0);
  expect(await statusOf(app.token, "/api/notifications")).toBe(403);
  expect(words(await page.getByRole("main").innerText())).toEqual([]);
  await page.getByText("Technical names").click();
  await expect(page.getByText("approvals:write", { exact: true })).toBeVisible();
  await page.goto("/apps");
  await expect(page.getByText("Can ask you questions, see its questions and your answers")).toBeVisible();
  expect(words(await page.getByRole("main").innerText())).toEqual([]);
  await page.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke access" }).click();
  const notice = page.getByRole("status").filter({ hasText: `${app.name} no longer has access.` });
  await expect(notice).toBeVisible();
  await expect(page.locator(":focus")).toContainText("no longer has access");
  await expect(page.getByText("No connected apps")).toBeVisible();
  expect(await statusOf(app.token, "/api/approvals")).toBe(401);
  await page.getByText("Former apps (1)").click();
  await expect(page.getByText("· access revoked")).toBeVisible();
  await expectAccessible(page, "apps no longer let in");
});
