import type { Page } from "@playwright/test";
import { expectAccessible, expectClean } from "./axe-checks";
import { go } from "./client-navigation";
import { expect, test } from "./fixtures";

const rows = (page: Page) => page.locator("[data-event]");

test("shows each event with its question and raw record", async ({ page, app }) => {
  await app.push({ title: "Zero\u200bwidth" });
  const id = await app.ask({ question: "Ship build 418?" });
  await page.goto("/activity");
  await expect(page.getByText("Live updates")).toBeVisible();
  await page.keyboard.press("j");
  await expect(rows(page).nth(0).getByRole("link")).toBeFocused();
  await page.keyboard.press("j");
  await expect(rows(page).nth(1).getByRole("link")).toBeFocused();
  const row = rows(page).filter({ hasText: "asked you a question" });
  await expect(row).toContainText("Ship build 418?");
  await row.locator("summary").click();
  const written = JSON.parse((await row.locator("pre").textContent()) ?? "");
  expect(written).toMatchObject({
    type: "approval.submitted",
    actor: "app",
    subject: id,
    about: "Ship build 418?",
    app: { id: app.clientId, name: app.name },
  });
  await expect(page.getByRole("heading", { level: 2, name: "Today" })).toBeVisible();

  // Characters that reverse or hide text are shown as escapes.
  const hidden = rows(page).filter({ hasText: "sent you a notification" });
  await hidden.locator("summary").click();
  await expect(hidden.locator("pre")).toContainText("Zero\\u{200b}width");

  // With a modifier, a link opens a new tab and this page stays. Without one, it opens in this tab
  // without a full page load.
  await page.evaluate(() => Object.assign(window, { loadedOnce: true }));
  const tab = page.context().waitForEvent("page");
  await row.getByRole("link").click({ modifiers: ["ControlOrMeta"] });
  await expect(await tab).toHaveURL(`/approvals/${id}`);
  await (await tab).close();
  await expect(page).toHaveURL("/activity");
  await rows(page).nth(1).getByRole("link").focus();
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/approvals/${id}`);
  expect(await page.evaluate(() => "loadedOnce" in window)).toBe(true);
});

test("holds back new events while live updates are turned off", {
  tag: "@more",
}, async ({ page, app }) => {
  await app.ask({ question: "Ship build 418?" });
  await app.ask({ question: "Pay the baker?" });
  await page.goto("/activity");
  await expect(page.getByText("Live updates")).toBeVisible();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Search activity" })).toBeFocused();
  await page.keyboard.type("BAKER question");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/q=BAKER/);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("Pay the baker?");
  await page.getByRole("searchbox").fill("nothing like it");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "No activity found" })).toBeVisible();
  await page.getByRole("link", { name: "Show all activity" }).click();
  await expect(page.getByRole("searchbox")).toHaveValue("");
  await expect(rows(page)).toHaveCount(6);
  await expect(page.getByText("Live updates")).toBeVisible();

  const before = await rows(page).count();
  await app.ask({ question: "One?" });
  await expect(page.getByRole("button", { name: /^1 new/ })).toBeVisible();
  await app.ask({ question: "Two?" });
  await expect(page.getByRole("button", { name: /^2 new/ })).toBeVisible();
  expect(await rows(page).count()).toBe(before);
  await page.getByRole("button", { name: /^2 new/ }).click();
  await expect(rows(page)).toHaveCount(before + 2);
  await expect(page.getByRole("button", { name: /new/ })).toHaveCount(0);
  await page.getByLabel("Live updates").check();
  await app.ask({ question: "Three?" });
  await expect(rows(page).first()).toContainText("Three?");
  await page.getByLabel("Live updates").uncheck();
  await expect(rows(page)).toHaveCount(before + 3);
});

test("passes axe on the activity page", {
  tag: "@more",
}, async ({ page, app }) => {
  await app.ask({ question: "A question that is long enough to need more than the width of a phone, and then some" });
  await app.push({ title: "Done" });
  expect((await app.call("/api/approvals")).status).toBe(200);
  await page.goto("/approvals");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Activity" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Activity");
  await expectClean(page, "activity");
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.setViewportSize({ width: 390, height: 844 });
  const heights = await rows(page).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  // A sentence of two lines, and one line of details.
  expect(Math.max(...heights)).toBeLessThanOrEqual(76);
  await go(page, "/activity?q=question");
  await rows(page).first().locator("summary").click();
  await expectAccessible(page, "activity, searched");
});
