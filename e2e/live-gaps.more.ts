import type { Page } from "@playwright/test";
import { rowOf as feedRowOf, lineOf } from "./feed-locators";
import { type App, expect, test } from "./fixtures";
import { rowOf, settle } from "./inbox-locators";
import { countReadings, duringReading, holdReadings, live, setHidden, showsQuestion } from "./live-gaps";

/**
 * One question arrives after the first load has read its rows. Another arrives after a later
 * refresh has read them.
 */
async function askWhileReading(page: Page, app: App, round: number) {
  await duringReading(
    () => page.goto("/approvals?sort=newest"),
    () => app.ask({ question: `First load ${round}?` }),
  );
  await showsQuestion(page, `First load ${round}?`);
  await live(page);
  await page.waitForLoadState("networkidle");
  const { begun, go } = await holdReadings(page);
  await app.ask({ question: `Trigger ${round}?` });
  await begun;
  await duringReading(go, () => app.ask({ question: `Later reading ${round}?` }));
  await showsQuestion(page, `Later reading ${round}?`);
}

/**
 * A notification arrives after a refresh has read its rows, while arrivals wait behind a button.
 */
async function pushWhileReading(page: Page, app: App, round: number) {
  await app.push({ title: `Shown ${round}.` });
  await page.goto("/notifications");
  await page.waitForLoadState("networkidle");
  await lineOf(page, `Shown ${round}.`).focus();
  const { begun, go } = await holdReadings(page);
  await app.push({ title: `Trigger ${round}.` });
  await begun;
  await duringReading(go, () => app.push({ title: `Later reading ${round}.` }));
  await page.getByRole("button", { name: /^2 new/ }).click();
  await expect(feedRowOf(page, `Later reading ${round}.`)).toBeVisible();
}

/**
 * The owner opens a hidden tab just before the network is back. The tab has received an event about
 * a question.
 */
async function lookBeforeTheNetwork(page: Page, app: App, round: number) {
  await live(page);
  await setHidden(page, true);
  const title = await page.title();
  await app.ask({ question: `While hidden ${round}?` });
  await expect(page).not.toHaveTitle(title);
  await page.context().setOffline(true);
  await setHidden(page, false);
  await page.waitForTimeout(1500);
  await page.context().setOffline(false);
  await showsQuestion(page, `While hidden ${round}?`);
}

test("shows a question asked while the inbox is loading or refreshing", async ({ page, app }) => {
  await askWhileReading(page, app, 1);
});

test("updates a tab that was hidden and offline once it is visible and online", async ({ page, app }) => {
  await page.goto("/approvals?sort=newest");
  await lookBeforeTheNetwork(page, app, 1);
});

test("shows items that arrive during any of twenty page loads and refreshes", { tag: "@more" }, async ({
  page,
  app,
}) => {
  test.setTimeout(600_000);
  for (let round = 1; round <= 10; round++) await askWhileReading(page, app, round);
  for (let round = 1; round <= 10; round++) await pushWhileReading(page, app, round);
});

test("updates a hidden, offline tab each time it becomes visible and comes back online", { tag: "@more" }, async ({
  page,
  app,
}) => {
  test.setTimeout(600_000);
  await page.goto("/approvals?sort=newest");
  for (let round = 1; round <= 20; round++) await lookBeforeTheNetwork(page, app, round);
});

test("updates a second tab with changes made while the tab was loading", async ({ page, app, context }) => {
  await page.goto("/approvals");
  await live(page);
  const second = await context.newPage();
  // The server has read the page's rows, but the page's scripts have not subscribed yet.
  await second.route("**/approvals", async (route) => {
    const response = await route.fetch();
    await app.ask({ question: "Told to the first?" });
    await showsQuestion(page, "Told to the first?");
    await route.fulfill({ response });
  });
  await second.goto("/approvals");
  await showsQuestion(second, "Told to the first?");
});

test("shows missed changes once a hidden tab takes over the stream and is visible", async ({ page, app, context }) => {
  await page.goto("/approvals");
  await live(page);
  const second = await context.newPage();
  await second.goto("/approvals");
  await live(second);
  await setHidden(second, true);
  await app.ask({ question: "While hidden?" });
  await showsQuestion(page, "While hidden?");
  await expect(rowOf(second, "While hidden?")).toHaveCount(0);
  const taken = second.waitForRequest(/\/live\?after=/);
  await page.close();
  await taken;
  await app.ask({ question: "After it took over?" });
  await expect(second).toHaveTitle(/^\(2\)/);
  await setHidden(second, false);
  await showsQuestion(second, "While hidden?");
  await showsQuestion(second, "After it took over?");
});

test("refreshes the page at most twice after an answer", async ({ page, app }) => {
  for (const question of ["First?", "Second?"]) await app.ask({ question });
  await page.goto("/approvals");
  await live(page);
  await settle(page);
  await page.waitForLoadState("networkidle");
  const readings = countReadings(page);
  await page.keyboard.press("1");
  await expect(page).toHaveTitle(/^\(1\)/);
  await page.waitForTimeout(1500);
  expect([1, 2]).toContain(readings());
});

test("refreshes the page only once if page versions cannot be compared", async ({ page, owner }) => {
  await page.goto("/approvals");
  await live(page);
  await page.waitForLoadState("networkidle");
  const readings = countReadings(page);
  await page.evaluate((name) => {
    new BroadcastChannel(name).postMessage({ news: { pending: 0, version: "1-1-.0.0" } });
  }, `countersign-live-2-${owner.ownerId}`);
  await expect.poll(readings).toBe(1);
  await page.waitForTimeout(1500);
  expect(readings()).toBe(1);
});

test("shows recent changes on a page reached with the Back or Forward button", async ({ page, app }) => {
  await app.ask({ question: "The first?" });
  await page.goto("/approvals");
  await live(page);
  await page
    .getByRole("navigation")
    .first()
    .getByRole("link", { name: /^Notifications/ })
    .click();
  await expect(page).toHaveURL(/notifications/);
  await app.ask({ question: "Meanwhile?" });
  await expect(page).toHaveTitle(/^\(2\)/);
  await page.waitForLoadState("networkidle");
  await page.goBack();
  await showsQuestion(page, "Meanwhile?");
  await app.push({ title: "Pushed meanwhile" });
  await page.waitForTimeout(1000);
  await page.goForward();
  await expect(feedRowOf(page, "Pushed meanwhile")).toBeVisible();
});
