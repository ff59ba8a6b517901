import type { Page } from "@playwright/test";
import { type App, expect, test } from "./fixtures";
import { duringReading, live, places, setHidden } from "./live-gaps";

type Place = (typeof places)[keyof typeof places];

/** Something arrives after the first load has read its rows, and something else after a later reading has. */
async function arriveWhileReading(page: Page, app: App, { path, send, row }: Place, round: number) {
  await duringReading(
    () => page.goto(path),
    () => send(app, `First load ${round}.`),
  );
  await expect(row(page, `First load ${round}.`)).toBeVisible();
  await live(page);
  await page.waitForLoadState("networkidle");
  let reading = () => {};
  const begun = new Promise<void>((resolve) => {
    reading = resolve;
  });
  let go = () => {};
  const mayGo = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route(/_rsc=/, async (route) => {
    reading();
    await mayGo;
    await route.continue();
  });
  await send(app, `Trigger ${round}.`);
  await begun;
  await duringReading(go, () => send(app, `Later reading ${round}.`));
  await expect(row(page, `Later reading ${round}.`)).toBeVisible();
  await page.unroute(/_rsc=/);
}

/** The owner looks at a hidden tab that has heard of a question, a moment before the network is back. */
async function lookBeforeTheNetwork(page: Page, app: App, round: number) {
  await live(page);
  await setHidden(page, true);
  await app.ask({ question: `While hidden ${round}?` });
  await expect(page).toHaveTitle(/^\(\d+\)/);
  await page.context().setOffline(true);
  await setHidden(page, false);
  await page.waitForTimeout(1500);
  await page.context().setOffline(false);
  await expect(places.approvals.row(page, `While hidden ${round}?`)).toBeVisible();
}

for (const [name, place] of Object.entries(places)) {
  test(`${name} show what arrives while the page is being read`, async ({ page, app }) => {
    await arriveWhileReading(page, app, place, 1);
  });

  test(`${name} show what arrives while the page is being read, ten times in a row`, { tag: "@more" }, async ({
    page,
    app,
  }) => {
    test.setTimeout(300_000);
    for (let round = 1; round <= 10; round++) await arriveWhileReading(page, app, place, round);
  });
}

test("a hidden tab that heard of a question shows it once it is looked at and the network is back", async ({
  page,
  app,
}) => {
  await page.goto("/approvals");
  await lookBeforeTheNetwork(page, app, 1);
});

test("a hidden tab shows what it heard of, twenty times in a row", { tag: "@more" }, async ({ page, app }) => {
  test.setTimeout(600_000);
  await page.goto("/approvals?sort=newest");
  for (let round = 1; round <= 20; round++) await lookBeforeTheNetwork(page, app, round);
});
