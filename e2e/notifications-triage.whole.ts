import type { Page } from "@playwright/test";
import { go } from "./client-navigation";
import { lineOf, rowOf, rows, unread } from "./feed-locators";
import { type App, expect, test } from "./fixtures";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

const inbox = (extras: object) => ({ data: { inbox: extras } });
/** The titles in the inbox as the server renders it, without scripts. */
async function kept(page: Page, tab = "inbox"): Promise<string> {
  return (await page.request.get(`/notifications?tab=${tab}`)).text();
}
async function push(app: App, count: number, more: object = {}) {
  for (let at = 1; at <= count; at++) await app.push({ title: `Note ${at}.`, ...more });
}

test("preserves the results of notification actions across a reload", async ({ page, app }) => {
  test.slow();
  await push(app, 27);
  await page.goto("/notifications");
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => Object.assign(window, { before: true }));
  await page.evaluate(async () => {
    const press = async (key: string, shiftKey = false) => {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true }));
      await new Promise((done) => setTimeout(done));
    };
    for (let at = 0; at < 6; at++) await press("e");
    // Two actions affect the same row, so the second would wait for the first one's reply.
    await press("I", true);
    await press("e");
    location.reload();
  });
  await page.waitForFunction(() => !("before" in window));
  await expect(rows(page)).toHaveCount(20);
  await expect(rows(page).first()).toContainText("Note 20.");
  await page.waitForLoadState("networkidle");
  for (let at = 20; at > 1; at--) {
    await page.keyboard.press("e");
    await expect(rows(page)).toHaveCount(at - 1);
    await expect(lineOf(page, `Note ${at - 1}.`)).toBeFocused();
  }
  await page.keyboard.press("e");
  await expect(page.getByRole("heading", { name: "No notifications" })).toBeFocused();
  await expect.poll(async () => (await kept(page)).includes("No notifications")).toBe(true);
  await page.keyboard.press("u");
  await expect(rowOf(page, "Note 1.")).toBeVisible();
  await page.keyboard.press("u");
  await expect(rows(page)).toHaveCount(2);
  await expect.poll(async () => (await kept(page)).includes("Note 2.")).toBe(true);
  await page.reload();
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole("link", { name: "Done", exact: true }).click();
  await expect(rows(page)).toHaveCount(25);
});

test("handles keyboard shortcuts in the notification list", { tag: "@more" }, async ({ page, app }) => {
  test.slow();
  await app.push({ title: "Oldest", type: "noise" });
  await app.push({ title: "Older", type: "noise" });
  await app.push({ title: "With a link", body: "Words", ...inbox({ url: "https://ci.example/418" }) });
  await app.push({ title: "Newest", body: "More words" });
  await page.goto("/notifications");
  await page.waitForLoadState("networkidle");
  const current = page.locator("[data-row][aria-current]");
  await page.keyboard.press("j");
  await expect(lineOf(page, "Newest")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(rowOf(page, "Newest").getByLabel(`From ${app.name}`)).toBeVisible();
  await expect(unread(page)).toHaveCount(3);
  await page.keyboard.press("Shift+U");
  await expect(unread(page)).toHaveCount(4);
  await page.keyboard.press("Shift+I");
  await expect(unread(page)).toHaveCount(3);
  await page.keyboard.press("ArrowDown");
  await expect(current).toContainText("With a link");
  await page.context().route("https://ci.example/**", (route) => route.fulfill({ body: "there" }));
  const opening = page.context().waitForEvent("page");
  await page.keyboard.press("o");
  const opened = await opening;
  await opened.waitForURL("https://ci.example/418");
  expect(await opened.evaluate(() => [window.opener, document.referrer])).toEqual([null, ""]);
  await opened.close();
  await page.keyboard.press("h");
  await expect(page.getByRole("button", { name: "For an hour" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(rowOf(page, "With a link")).toHaveCount(0);
  await expect(lineOf(page, "Older")).toBeFocused();
  await page.keyboard.press("m");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press("u");
  await expect(rows(page)).toHaveCount(3);
  await page.keyboard.press("u");
  await expect(rows(page)).toHaveCount(4);
  await page.keyboard.press("k");
  await page.keyboard.press("x");
  await page.keyboard.press("Shift+J");
  await expect(page.getByText("2 selected")).toBeVisible();
  await page.keyboard.press("e");
  await expect(rows(page)).toHaveCount(2);
  // Another page that loads during the action shows the server's state at that time.
  await expect.poll(async () => (await kept(page)).match(/<li data-slot=/g)?.length).toBe(2);
  await page.keyboard.press("/");
  await page.keyboard.type("oldest");
  await page.keyboard.press("Enter");
  await expect(rows(page)).toHaveCount(1);
  await page.locator("summary", { hasText: "All" }).click();
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(rows(page)).toHaveCount(2);
});

test("holds back arrivals while the owner is using the list", async ({ page, app }) => {
  await push(app, 5);
  await page.goto("/notifications");
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => {
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node?: Node }[] };
    const shifts: { value: number; of: (string | undefined)[] }[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[])
        if (!hadRecentInput) shifts.push({ value, of: sources.map(({ node }) => node?.textContent?.slice(0, 60)) });
    }).observe({ type: "layout-shift", buffered: false });
  });
  await lineOf(page, "Note 5.").focus();
  for (let at = 1; at <= 3; at++) await app.push({ title: `Fresh ${at}` });
  const pill = page.getByRole("button", { name: /^3 new/ });
  await expect(pill).toBeVisible();
  await expect(rows(page)).toHaveCount(5);
  await pill.click();
  await expect(rows(page)).toHaveCount(8);
  await expect(lineOf(page, "Fresh 3")).toBeFocused();
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  for (let at = 4; at <= 20; at++) await app.push({ title: `Fresh ${at}` });
  // Arrivals in quick succession are held back for half a second.
  const more = page.getByRole("button", { name: /^\d+ new/ });
  await expect(async () => {
    if (await more.isVisible()) await more.click({ timeout: 500 });
    expect(await rows(page).count()).toBe(25);
  }).toPass();
  // Movement after the owner's own press does not count.
  const shifts = (await page.evaluate(() => Reflect.get(window, "shifts"))) as { value: number; of: string[] }[];
  expect(shifts.filter(({ value }) => value > 0.0005)).toEqual([]);
  await expect(page.getByRole("status").filter({ hasText: /new notifications?$/ })).toBeAttached();
});

test("shows arrivals in quick succession without a press by the owner", async ({ page, app }) => {
  await app.push({ title: "Note 1." });
  await page.goto("/notifications");
  await page.waitForLoadState("networkidle");
  await page.exposeFunction("pushNext", (title: string) => app.push({ title }));
  // Sends the second notification once the first one is displayed, so that the list has just moved.
  await page.evaluate(() => {
    const pushNext = Reflect.get(window, "pushNext") as (title: string) => Promise<unknown>;
    const observer = new MutationObserver(() => {
      if (!document.querySelector("main")?.textContent?.includes("First")) return;
      observer.disconnect();
      void pushNext("Second");
    });
    observer.observe(document.body, { subtree: true, childList: true });
  });
  await app.push({ title: "First" });
  await expect(rows(page)).toHaveText([/Second/, /First/, /Note 1/]);
});

test("shows the number of new notifications until the owner opens the list", async ({ page, app }) => {
  const id = await app.push({ title: "Look", body: "Here I am" });
  await app.push({ title: "Other" });
  const link = page.getByRole("link", { name: /^Notifications/ }).first();
  await page.goto("/settings");
  await expect(link).toContainText("2 new");
  await page.goto(`/notifications/${id}`);
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByLabel(`From ${app.name}`)).toContainText("Here I am");
  await expect(link).toContainText("2 new");
  await app.push({ title: "Gone soon", ...inbox({ expiresAt: Date.now() + 4000 }) });
  await page.goto("/notifications");
  await expect(link).not.toContainText("new");
  await expect(rowOf(page, "Gone soon")).toHaveCount(0);
  await expect(unread(page)).toHaveCount(1);
  await go(page, "/notifications?tab=done");
  await expect(rowOf(page, "Gone soon")).toContainText("Expired");
  const nobody = await page.request.get("/notifications/ntf_00000000000000000000000000000000");
  expect(nobody.status()).toBe(404);
});

test("reverts a notification action after a failed request and offers a retry", async ({ page, app }) => {
  await push(app, 3);
  await page.goto("/notifications");
  await page.waitForLoadState("networkidle");
  await page.route("**/acts/*", (route) => route.abort());
  await rowOf(page, "Note 3.").getByRole("button", { name: /^Done/ }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Couldn’t save" })).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
  await page.unroute("**/acts/*");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByRole("alert").filter({ hasText: "Couldn’t save" })).toHaveCount(0);

  const said = page.locator("[data-feed] > [role=status]");
  const words = () => said.evaluate((it) => it.textContent);
  // A screen reader announces only changes.
  for (let press = 0; press < 2; press++) {
    const before = await words();
    await page.keyboard.press("e");
    await expect.poll(words).not.toBe(before);
    await expect(said).toHaveText("Marked as done. Press U to undo.");
  }
  await expect(page.getByRole("heading", { name: "No notifications" })).toBeVisible();
  await page.getByRole("link", { name: "Done", exact: true }).click();
  await expect(rows(page)).toHaveCount(3);
  await page.keyboard.press("m");
  await page.keyboard.press("Enter");
  // A closed row shows its menus only while they are open.
  const menu = rowOf(page, "Note 1.").locator("[data-menu=mute] summary");
  await expect(menu).toHaveAttribute("aria-label", "Unmute: Note 1.");
  await expect(menu).toBeHidden();
  await expect(lineOf(page, "Note 1.")).toBeFocused();
  await expect(rows(page)).toHaveCount(3);
});

test("performs notification actions when scripts are off", { tag: "@more" }, async ({ browser, page, app }) => {
  test.slow();
  for (const title of ["Alpha", "Beta", "Gamma", "Delta"]) await app.push({ title, type: title.toLowerCase() });
  const context = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const plain = await context.newPage();
  await plain.goto("/notifications");
  await rowOf(plain, "Alpha").getByRole("button", { name: /^Done/ }).click();
  await expect(rows(plain)).toHaveCount(3);
  await plain.getByRole("button", { name: "Undo" }).click();
  await expect(rows(plain)).toHaveCount(4);
  await lineOf(plain, "Beta").click();
  await rowOf(plain, "Beta")
    .getByRole("button", { name: /^Mark as read/ })
    .click();
  await expect(unread(plain)).toHaveCount(3);
  await lineOf(plain, "Gamma").click();
  await rowOf(plain, "Gamma").locator("[data-menu=snooze] summary").click();
  await rowOf(plain, "Gamma").getByRole("button", { name: "For an hour" }).click();
  await expect(rows(plain)).toHaveCount(3);
  await lineOf(plain, "Delta").click();
  await rowOf(plain, "Delta").locator("[data-menu=mute] summary").click();
  await rowOf(plain, "Delta").getByRole("button", { name: "Mute “delta” from" }).click();
  await expect(rows(plain)).toHaveCount(2);
  await plain.locator("summary", { hasText: "All" }).click();
  await plain.getByRole("link", { name: "Muted 1" }).click();
  await expect(plain.getByText("Notifications from muted apps and types")).toBeVisible();
  await lineOf(plain, "Delta").click();
  await rowOf(plain, "Delta").locator("[data-menu=mute] summary").click();
  await rowOf(plain, "Delta").getByRole("button", { name: "Unmute “delta” from" }).click();
  await plain.goto("/notifications");
  await plain.getByRole("searchbox").fill("beta");
  await plain.getByRole("searchbox").press("Enter");
  await expect(rows(plain)).toHaveCount(1);
  await plain.getByRole("link", { name: "Snoozed" }).click();
  await expect(rows(plain)).toHaveCount(1);
  await expect(rows(plain)).toContainText("in 59 min");
  await context.close();
});

test("shows a touch-sized button for every action on a phone", { tag: ["@touch", "@more"] }, async ({ page, app }) => {
  await app.push({ title: "With everything", body: "Words", type: "ops", ...inbox({ url: "https://ci.example/1" }) });
  await app.push({ title: "Plain" });
  await page.goto("/notifications");
  const row = rowOf(page, "With everything");
  await rowOf(page, "Plain").getByRole("button", { name: /^Done/ }).tap();
  await expect(rows(page)).toHaveCount(1);
  await row.locator("summary[data-row]").tap();
  for (const target of await row.locator("form button:visible, form summary:visible, a:visible").all()) {
    const box = await target.boundingBox();
    expect(Math.min(box?.height ?? 0, box?.width ?? 0), (await target.textContent()) ?? "").toBeGreaterThanOrEqual(44);
  }
  await row.locator("[data-menu=snooze] summary").tap();
  const choice = row.getByRole("button", { name: "For a week" });
  expect((await choice.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await choice.tap();
  await expect(page.getByRole("heading", { name: "No notifications" })).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).tap();
  await expect(row).toBeVisible();
});
