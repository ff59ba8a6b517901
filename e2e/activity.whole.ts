import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { db } from "@/lib/database/db";
import { anOwner } from "@/lib/testing/factories";
import { anApp, enter, expect, serviceUrl, test } from "./fixtures";
import { settle } from "./inbox-locators";
import { sent } from "./page-html";

const rows = (page: Page) => page.locator("[data-event]");
const show = (page: Page) => page.getByRole("button", { name: "Apply", exact: true }).click();
/** On a phone, the filters are collapsed until one is used. */
async function unfold(page: Page) {
  const fold = page.getByText("Filter by app, type or day");
  if ((await fold.isVisible()) && !(await page.getByLabel("Type").isVisible())) await fold.click();
}

test("filters events by app, type and day", { tag: "@more" }, async ({ page, owner, app }) => {
  const id = await app.ask({ question: "Ship it?" });
  const other = await anApp(owner, `Ledger ${app.name.slice(-6)}`, ["approvals:write"]);
  expect((await other.call("/api/approvals")).status).toBe(403);
  await page.goto("/activity");
  await expect(rows(page).filter({ hasText: `${app.name} asked you a question` })).toHaveCount(1);
  // Rejections are batched briefly. The open page is notified, and shows them when the owner asks.
  await page.getByRole("button", { name: /^1 new/ }).click();
  await expect(rows(page).first()).toContainText(
    `${other.name} tried to see its questions and your answers without your permission`,
  );
  await expect(rows(page).first()).toContainText("403");

  await unfold(page);
  await page.getByLabel("Type").selectOption("Problems");
  await show(page);
  await expect(page).toHaveURL(/kind=trouble/);
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByLabel("Type")).toHaveValue("trouble");
  await page.getByLabel("App").selectOption(app.name);
  await show(page);
  await expect(page.getByRole("heading", { name: "No activity found" })).toBeVisible();
  await page.getByRole("link", { name: "Show all activity" }).click();
  await expect(page.getByLabel("Type")).toHaveValue("");
  await unfold(page);
  await page.getByLabel("To", { exact: true }).fill("2020-01-01");
  await show(page);
  await expect(rows(page)).toHaveCount(0);

  await page.goto(`/approvals/${id}`);
  await page.locator("summary[aria-label=More]").click();
  await page.getByRole("link", { name: "Activity for this question" }).click();
  await expect(rows(page)).toHaveCount(1);
  await rows(page).getByRole("link").click();
  await expect(page).toHaveURL(`/approvals/${id}`);
  await page.goto(`/apps/${other.clientId}`);
  await page.getByRole("link", { name: "This app’s activity" }).click();
  await expect(rows(page)).toHaveCount(4);
  await rows(page).filter({ hasText: "You allowed" }).getByRole("link").click();
  await expect(page).toHaveURL(`/apps/${other.clientId}`);
});

test("searches activity as the owner types", async ({ page, app }) => {
  await app.ask({ question: "Ship build 418?" });
  await app.ask({ question: "Pay invoice 88?" });
  await page.goto("/activity");
  await settle(page);
  const box = page.getByRole("searchbox", { name: "Search activity" });
  await box.pressSequentially("invoice");
  await expect(rows(page)).toHaveText([/Pay invoice 88/]);
  await expect(page).toHaveURL(/q=invoice/);
  await expect(box).toBeFocused();
  await expect(box).toHaveValue("invoice");
});

test("exports all events as CSV and JSON Lines", { tag: "@more" }, async ({ page, owner, app: _ }) => {
  await db.$executeRaw`
    INSERT INTO event (owner_id, type, subject) SELECT ${owner.ownerId}, 'owner.signed_in', ${owner.ownerId} FROM generate_series(1, 1500)`;
  await page.goto("/activity");
  await expect(rows(page)).toHaveCount(50);
  await page.getByRole("link", { name: "Older" }).click();
  await expect(page).toHaveURL(/before=/);
  await expect(rows(page)).toHaveCount(50);
  for (const [name, lines] of [["CSV", 1505] as const, ["JSON Lines", 1504] as const]) {
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^countersign-activity\.(csv|jsonl)$/);
    const text = await readFile(await file.path(), "utf8");
    expect(text.split("\n").filter(Boolean)).toHaveLength(lines);
    expect(text).toContain("You signed in");
  }
});

test("hides other owners' events", async ({ page, browser, app }) => {
  await app.ask({});
  const stranger = await browser.newPage({ baseURL: serviceUrl() });
  const exported = await stranger.request.get("/activity/export", { maxRedirects: 0 });
  expect(exported.status()).toBeGreaterThanOrEqual(300);
  expect(await exported.text()).not.toContain(app.name);
  await enter(stranger, await anOwner());
  const theirs = await sent(stranger, `/activity?app=${app.clientId}`);
  expect([
    theirs.status,
    /data-event|<li/.test(theirs.html.split("<main")[1] ?? ""),
    theirs.html.includes(app.name),
  ]).toEqual([200, false, false]);
  expect(await (await stranger.request.get(`/activity/export?app=${app.clientId}`)).text()).not.toContain(app.name);
  await stranger.close();
  const own = await sent(page, "/activity?kind=nonsense&from=soon&before=last&app=%00");
  expect([own.status, own.html.includes("data-event")]).toEqual([200, true]);
});

test.describe(() => {
  test.use({ javaScriptEnabled: false });

  test("filters events when scripts are off", async ({ page, app }) => {
    await app.ask({});
    await page.goto("/activity");
    await unfold(page);
    await page.getByLabel("Type").selectOption("Questions and answers");
    await show(page);
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText(`${app.name} asked you a question`);
  });
});

test("applies a changed filter when the owner presses Enter in the search field", async ({ page, app }) => {
  await app.ask({ question: "One?" });
  await page.goto("/activity");
  await page.getByText("Filter by app, type or day").click();
  await page.getByLabel("App", { exact: true }).selectOption({ label: app.name });
  await page.getByLabel("Search activity").press("Enter");
  await expect(page).toHaveURL(/app=/);
});

test("searches for text typed before the page's scripts ran", async ({ page, owner: _ }) => {
  let release = () => {};
  const scripts = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\.js(\?|$)/, async (route) => {
    await scripts;
    await route.continue();
  });
  await page.goto("/activity", { waitUntil: "commit" });
  await page.getByLabel("Search activity").pressSequentially("zebra");
  release();
  await expect(page).toHaveURL(/q=zebra/);
});

test("keeps text typed in one list's search out of another list", async ({ page, owner: _ }) => {
  await page.goto("/approvals?status=resolved");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Activity" }).click();
  await page.getByLabel("Search activity").pressSequentially("zebra");
  await expect(page).toHaveURL(/q=zebra/);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Answered");
  await expect(page.getByRole("searchbox")).toHaveValue("");
  await page.waitForTimeout(600);
  expect(page.url()).not.toContain("zebra");
});
