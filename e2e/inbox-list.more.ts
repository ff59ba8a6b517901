import type { Page } from "@playwright/test";
import { anApp, expect, test } from "./fixtures";
import { rowOf, settle, theQuestion, waitingRows } from "./inbox-locators";
import { holdReadings, live } from "./live-gaps";

const bar = (page: Page) => page.getByRole("region", { name: "Selection" });

/** The number of pending questions, from each place that shows it. */
const countsShown = (page: Page) =>
  page.evaluate(() => ({
    heading: document.querySelector("[data-list] h1")?.parentElement?.textContent?.match(/\d+/)?.[0],
    badge: document.querySelector("nav [data-waiting]")?.textContent?.match(/\d+/)?.[0],
    title: document.title.match(/^\((\d+)\)/)?.[1],
  }));

test("selects only the row under a long press", { tag: "@touch" }, async ({ page, app }) => {
  const questions = ["First?", "Second?", "Third?", "Fourth?"];
  for (const question of questions) await app.ask({ question });
  const session = await page.context().newCDPSession(page);
  const placesOf = () => waitingRows(page).evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top));
  for (const question of questions) {
    await page.goto("/approvals");
    await settle(page);
    const box = await rowOf(page, question).boundingBox();
    if (!box) throw new Error(`${question} is out of view`);
    const before = await placesOf();
    const touchPoints = [{ x: box.x + 60, y: box.y + 30 }];
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
    await expect(bar(page)).toContainText("1 selected");
    expect(await placesOf(), question).toEqual(before);
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    // The browser may send a click when the press ends.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
    await expect(page.getByRole("checkbox", { checked: true }), question).toHaveCount(1);
    await expect(page).toHaveURL("/approvals");
  }
});

test("shows the same count in the heading, badge and title after a batch answer", async ({ page, owner, app }) => {
  const other = await anApp(owner);
  for (let at = 0; at < 40; at++) await app.ask({ question: `Number ${at}?` });
  for (const question of ["Other?", "Another?"]) await other.ask({ question });
  await page.goto("/approvals");
  await live(page);
  await settle(page);
  expect(await countsShown(page)).toEqual({ heading: "42", badge: "42", title: "42" });
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/acts/approval.answer-together", async (route) => {
    await released;
    await route.continue();
  });
  const group = page.locator("summary").filter({ hasText: app.name });
  await expect(group).toContainText("39 more");
  await group.click();
  await page.getByRole("button", { name: `Answer all 39 together… from ${app.name}` }).click();
  const dialog = page.getByRole("dialog", { name: "One answer for 39 questions" });
  await dialog.getByRole("button", { name: "Yes", exact: true }).click();
  await dialog.getByRole("button", { name: "Answer 39 questions with “Yes”" }).click();
  const three = { heading: "3", badge: "3", title: "3" };
  await expect.poll(() => countsShown(page)).toEqual(three);
  await expect(
    page.getByRole("status").filter({ hasText: "Answered 39 questions with “Yes”. 3 waiting." }),
  ).toHaveCount(1);
  await expect(group).toHaveCount(0);
  const seen = page.evaluate(() => {
    const counts = new Set<string>();
    const look = () => counts.add(document.title);
    new MutationObserver(look).observe(document.head, { subtree: true, childList: true, characterData: true });
    return new Promise<string[]>((done) => setTimeout(() => done([...counts]), 3000));
  });
  release();
  expect((await seen).filter((title) => !title.startsWith("(3)"))).toEqual([]);
  expect(await countsShown(page)).toEqual(three);
  const icons = page.locator('link[rel="icon"]');
  for (const icon of await icons.all()) await expect(icon).toHaveAttribute("href", "/favicon/3.svg");
});

test("highlights the search words in found answers", { tag: "@more" }, async ({ page, app }) => {
  for (const question of ["Pay the baker?", "Ship build 417?"]) {
    const id = await app.ask({ question });
    await app.call(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" });
  }
  await page.goto("/approvals?status=resolved");
  await settle(page);
  await expect(waitingRows(page)).toHaveCount(2);
  await page.keyboard.press("/");
  await page.keyboard.type("BAKER");
  await expect(waitingRows(page)).toHaveCount(1);
  await expect(rowOf(page, "Pay the baker?").locator("mark")).toHaveText("baker");
  await expect(page).toHaveURL(/q=BAKER/);
  const box = page.getByRole("searchbox", { name: "Search answers" });
  await expect(box).toBeFocused();
  await page.keyboard.type(" pay");
  await expect(rowOf(page, "Pay the baker?").locator("mark")).toHaveText(["Pay", "baker"]);
  await page.getByRole("link", { name: "Clear the search" }).click();
  await expect(waitingRows(page)).toHaveCount(2);
  await expect(box).toHaveValue("");
  await expect(box).toBeFocused();
  await page.keyboard.type("417");
  await page.keyboard.press("Enter");
  await expect(waitingRows(page)).toHaveText([/Ship build 417/]);
});

test("loads the rest of the list even if the URL changes during loading", async ({ page, app }) => {
  for (let at = 0; at < 21; at++) await app.ask({ question: `Number ${at}?` });
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.goto("/approvals");
  await live(page);
  await settle(page);
  const { begun, go } = await holdReadings(page);
  await waitingRows(page).last().scrollIntoViewIfNeeded();
  await begun;
  await page.keyboard.press("j");
  await expect(page).toHaveURL(/\/approvals\/apr_/);
  go();
  // The key moved the list back to its start.
  await waitingRows(page).last().scrollIntoViewIfNeeded();
  await expect(waitingRows(page)).toHaveCount(21);
  await expect(waitingRows(page).nth(1)).toHaveAttribute("aria-current", "true");
});

test("loads rows that arrive after the owner scrolled to the list's end", async ({ page, app }) => {
  for (let at = 0; at < 15; at++) await app.ask({ question: `Number ${at}?` });
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.goto("/approvals");
  await live(page);
  await settle(page);
  await waitingRows(page).last().scrollIntoViewIfNeeded();
  for (let at = 15; at < 21; at++) await app.ask({ question: `Number ${at}?` });
  await expect(waitingRows(page)).toHaveCount(21);
});

test("opens the same app's next question after a batch answer", async ({ page, owner, app }) => {
  const other = await anApp(owner);
  for (const at of [1, 2, 3]) {
    await app.ask({ question: `Mine ${at}?` });
    await other.ask({ question: `Other ${at}?` });
  }
  await page.goto("/approvals");
  await settle(page);
  const answerBoth = async (...questions: string[]) => {
    for (const question of questions) {
      await rowOf(page, question).hover();
      await page.getByRole("checkbox", { name: `Select: ${question}` }).check();
    }
    await bar(page)
      .getByRole("button", { name: /^Answer/ })
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Yes", exact: true }).click();
    await dialog.getByRole("button", { name: /^Answer \d questions? with/ }).click();
    await expect(dialog).toHaveCount(0);
  };
  await answerBoth("Mine 1?", "Mine 2?");
  await expect(theQuestion(page)).toHaveText("Mine 3?");
  await expect(rowOf(page, "Mine 3?")).toBeFocused();
  // An open question that was not selected stays open.
  await answerBoth("Other 1?", "Other 2?");
  await expect(theQuestion(page)).toHaveText("Mine 3?");
  await expect(rowOf(page, "Mine 3?")).toBeFocused();
});

test("keeps the list open after a batch answer on a phone", { tag: "@touch" }, async ({ page, owner, app }) => {
  const other = await anApp(owner);
  for (const question of ["First?", "Second?"]) await app.ask({ question });
  await other.ask({ question: "Other?" });
  await app.ask({ question: "Third?" });
  await page.goto("/approvals");
  await settle(page);
  await page.locator("summary").filter({ hasText: "Filter" }).tap();
  await page.getByRole("button", { name: "Select questions" }).tap();
  await rowOf(page, "First?").tap();
  await rowOf(page, "Second?").tap();
  await bar(page).getByRole("button", { name: "Answer 2 questions…" }).tap();
  await page.getByRole("dialog").getByRole("button", { name: "Yes", exact: true }).tap();
  await page.getByRole("button", { name: "Answer 2 questions with “Yes”" }).tap();
  await expect(page.locator("[data-list]").getByText("2 waiting")).toBeVisible();
  await expect(rowOf(page, "Third?")).toBeFocused();
  await expect(page).toHaveURL("/approvals");
});
