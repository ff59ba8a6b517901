import type { Locator, Page } from "@playwright/test";
import { anApp, expect, test } from "./fixtures";
import { settle } from "./inbox-locators";

// With reduced motion, arrivals would be announced and held back.
test.use({ contextOptions: { reducedMotion: "no-preference" } });

const isUnread = (item: Locator) => item.getByText("Unread", { exact: true });
const items = (page: Page) => page.locator("main li").filter({ has: page.locator("time") });

test("keeps a notification unread until the owner opens the notification", { tag: "@phone" }, async ({ page, app }) => {
  await app.push({ title: "Backup finished", body: "All 3 volumes.\nSee https://example.com/report" });
  await page.goto("/notifications");
  await app.push({ title: "Disk almost full", body: "2 % left", type: "ops.disk" });
  await expect(items(page)).toHaveCount(2);
  await expect(items(page).first()).toContainText("Disk almost full");
  await expect(isUnread(items(page).first())).toBeVisible();
  await expect(items(page).first()).toContainText("ops.disk");
  await items(page).nth(1).locator("summary[data-row]").click();
  await expect(items(page).nth(1).getByLabel(`From ${app.name}`)).toContainText("See https://example.com/report");
  await expect(items(page).locator("a")).toHaveCount(0);
  await expect(isUnread(items(page).nth(1))).toHaveCount(0);
  await expect(page.locator("main p").filter({ hasText: "1 unread" })).toBeVisible();
  await items(page).first().locator("summary[data-row]").click();
  await expect(page.locator("main p").filter({ hasText: "unread" })).toHaveCount(0);
  const told = await (await app.call("/api/notifications")).text();
  expect(told).not.toMatch(/read/i);
});

test("shows at most three controls in each notification row", { tag: "@phone" }, async ({ page, app }) => {
  for (let at = 1; at <= 10; at++)
    await app.push({ title: `Note ${at}, ${"with a long title ".repeat(8)}`, body: "Words", type: "ops" });
  await page.goto("/notifications");
  await expect(items(page)).toHaveCount(10);
  const controls = (within: Locator) =>
    within
      .locator("a[href], button, summary, input:not([type=hidden])")
      .evaluateAll((all) => all.filter((it) => it.checkVisibility({ visibilityProperty: true })).length);
  for (const row of await items(page).all()) {
    expect(await controls(row)).toBeLessThanOrEqual(3);
    expect((await row.boundingBox())?.height).toBeLessThanOrEqual(60);
  }
  expect(await controls(page.getByRole("main"))).toBeLessThanOrEqual(40);
  const [title, all] = await Promise.all(
    [page.getByRole("heading", { level: 1 }), page.getByRole("button", { name: "Mark all as read" })].map((it) =>
      it.boundingBox(),
    ),
  );
  expect(Math.abs((title?.y ?? 0) - (all?.y ?? 99))).toBeLessThan(16);
});

test("keeps rows in place when the owner selects a row", async ({ page, app }) => {
  for (const title of ["One", "Two"]) await app.push({ title });
  await page.goto("/notifications");
  const tops = () => items(page).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().top));
  await expect(items(page)).toHaveCount(2);
  const before = await tops();
  await page.getByRole("checkbox", { name: "Select: One" }).check();
  await expect(page.getByText("1 selected")).toBeVisible();
  expect(await tops()).toEqual(before);
});

test("searches notifications as the owner types", async ({ page, app }) => {
  for (const title of ["Backup finished", "Disk almost full"]) await app.push({ title });
  await page.goto("/notifications");
  await settle(page);
  const box = page.getByRole("searchbox", { name: "Search notifications" });
  await box.pressSequentially("disk");
  await expect(items(page)).toHaveText([/Disk almost full/]);
  await expect(page).toHaveURL(/q=disk/);
  await expect(box).toBeFocused();
  await page.getByRole("link", { name: "Clear the search" }).click();
  await expect(items(page)).toHaveCount(2);
});

test("marks only the displayed notifications as read", async ({ page, app }) => {
  for (const title of ["One", "Two", "Three"]) await app.push({ title });
  await page.route("**/live*", (route) => route.abort());
  await page.goto("/notifications");
  await expect(items(page)).toHaveCount(3);
  // The notification arrives while the request is in transit.
  await page.route("**/acts/notification.read-all", async (route) => {
    await app.push({ title: "Four" });
    await route.continue();
  });
  await page.getByRole("button", { name: "Mark all as read" }).click();
  await expect(page.locator("main p").filter({ hasText: "1 unread" })).toBeVisible();
  await expect(isUnread(items(page).first())).toBeVisible();
  await expect(isUnread(items(page).nth(1))).toHaveCount(0);
});

test("filters notifications by app and read state", { tag: "@more" }, async ({ page, owner, app }) => {
  const other = await anApp(owner, `Ledger ${app.name.slice(-6)}`);
  const whole = { body: "Words", data: { inbox: { url: "https://ci.example/1" } } };
  await Promise.all(Array.from({ length: 52 }, (_, at) => app.push({ title: `Note ${at + 1}`, ...whole })));
  await other.push({ title: "Paid" });
  await page.goto("/notifications", { waitUntil: "networkidle" });
  await expect(items(page)).toHaveCount(50);
  const scripts = await page.evaluate(() =>
    (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
      .filter(({ name }) => new URL(name).pathname.endsWith(".js"))
      .reduce((sum, { transferSize }) => sum + transferSize, 0),
  );
  console.log(JSON.stringify({ scripts }));
  expect(scripts).toBeGreaterThan(100_000);
  expect(scripts).toBeLessThanOrEqual(170_000);
  await page.getByRole("link", { name: "Older notifications" }).click();
  await expect(items(page)).toHaveCount(3);
  await page.getByRole("button", { name: "Mark this page and older pages as read" }).click();
  await expect(page.locator("main p").filter({ hasText: "50 unread" })).toBeVisible();
  // The unread notifications are on the previous page.
  await page.reload();
  await expect(page.getByRole("button", { name: /^Mark .* read$/ })).toHaveCount(0);
  await page.getByText("Show: All").click();
  await page.getByRole("navigation", { name: "Filter notifications" }).getByRole("link", { name: other.name }).click();
  await expect(items(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Mark all results as read" }).click();
  await page.getByText(`Show: ${other.name}`).click();
  await page.getByRole("link", { name: "Unread", exact: true }).click();
  await expect(page.getByRole("heading", { name: "No unread notifications" })).toBeVisible();
  await page.getByRole("link", { name: "Clear filters" }).last().click();
  await expect(items(page)).toHaveCount(50);
});

test("prevents an app's notifications from imitating the service", { tag: "@more" }, async ({ page, app }) => {
  const happened: string[] = [];
  page.on("dialog", (dialog) => {
    happened.push(dialog.message());
    void dialog.dismiss();
  });
  for (const text of ["<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "[x](javascript:alert(1))"])
    await app.push({ title: text, body: `${text}${"\n".repeat(400)}end`, type: "security" });
  for (const deep of ["- ", "> "])
    await app.push({ title: "Deep", body: `${deep.repeat(4990)}end`, data: { inbox: { format: "markdown" } } });
  await app.push({
    title: "Your account is locked",
    body: "Countersign security: [sign in](https://evil.example/login) now.",
    type: "security",
    data: { inbox: { url: "https://evil.example/login", format: "markdown", priority: "urgent" } },
  });
  await page.goto("/notifications");
  const urgent = items(page).filter({ hasText: "Your account is locked" });
  await expect(urgent).toContainText(app.name);
  await expect(urgent).toContainText("security");
  await urgent.getByText("Your account is locked", { exact: true }).click();
  await expect(urgent.locator("a[href*='evil.example']").first()).toBeVisible();
  for (const link of await urgent.locator("a[href*='evil.example']").all()) {
    await expect(link).toContainText("evil.example");
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer nofollow");
  }
  // The remaining rows have no undo button.
  await urgent.getByRole("button", { name: /^Done/ }).click();
  await expect(items(page)).toHaveCount(5);
  for (const at of [0, 1, 2, 3, 4]) await items(page).nth(at).locator("summary[data-row]").click();
  await expect(items(page).locator("img, script, a, iframe")).toHaveCount(0);
  await expect(items(page).first()).toContainText(app.name);
  await expect(page.getByText("This service", { exact: true })).toHaveCount(0);
  await expect(items(page).first().getByRole("alert")).toHaveCount(0);
  for (const box of await page.getByLabel(`From ${app.name}`).all())
    expect((await box.boundingBox())?.height).toBeLessThanOrEqual(400);
  expect(happened).toEqual([]);
});
