import type { Page } from "@playwright/test";
import { expectClean } from "./axe-checks";
import { type App, expect, test } from "./fixtures";
import { rowOf, settle, theQuestion } from "./inbox-locators";

const bar = (page: Page) => page.locator("[data-bar]");
const heldBack = (page: Page) => bar(page).getByRole("alert");
const add = (app: App, id: string, text: string) => app.call(`/api/approvals/${id}/additions`, { text });
const paragraphs = (many: number) =>
  Array.from({ length: many }, (_, at) => `Paragraph ${at + 1} of what there is to know about the supplier.`).join(
    "\n\n",
  );

/** A question with many additions. The last addition states the amount to be paid. */
async function corrected(app: App, question: string, times: number) {
  const id = await app.ask({ question });
  for (let at = 1; at <= times; at++)
    await add(app, id, `The total is ${at}50 EUR now, after a correction by the supplier.`);
  return id;
}

test("ignores the first press while part of the question is unread", { tag: "@more" }, async ({ page, app }) => {
  const [first, second] = [await corrected(app, "Pay the first?", 20), await corrected(app, "Pay the second?", 14)];
  const third = await app.ask({ question: "Sign the contract?", backgroundContext: paragraphs(120) });
  const answered = async (id: string) => (await app.read(id)).resolution?.optionId;
  await page.goto("/approvals");
  await expect(theQuestion(page)).toHaveText("Pay the first?");
  await settle(page);
  const newest = page.getByRole("region", { name: "Addition 20 by" });
  await expect(newest).toContainText("Addition 20, the newest");
  await expect(newest).toBeInViewport();
  await expect(bar(page).getByRole("button", { name: /^1\d more additions ↓$/ })).toBeVisible();
  await expectClean(page, "with what was not seen");

  // Includes a second press right after the first.
  await page.evaluate(() => {
    const press = { key: "1", code: "Digit1", bubbles: true, cancelable: true };
    for (const _ of "12") document.body.dispatchEvent(new KeyboardEvent("keydown", press));
  });
  await expect(heldBack(page)).toHaveText(/^1\d additions unread\. Press again to answer anyway\.$/);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
  await expectClean(page, "held back");
  expect(await answered(first)).toBeUndefined();
  await settle(page);
  await page.keyboard.press("1");
  await expect(theQuestion(page)).toHaveText("Pay the second?");
  await expect.poll(() => answered(first)).toBe("yes");

  // The next question opens at its top. After it is scrolled to its end, a press answers it
  // immediately.
  await expect(theQuestion(page)).toBeInViewport();
  const notSeen = bar(page).getByRole("button", { name: "↓" });
  await expect(notSeen).toBeVisible();
  await page.mouse.move(900, 300);
  await expect(async () => {
    await page.mouse.wheel(0, 200);
    expect(await notSeen.count()).toBe(0);
  }).toPass({ intervals: [50] });
  // A new addition at the top has not been seen.
  await add(app, second, "The total is 9,950 EUR now.");
  await expect(notSeen).toHaveText("1 more addition ↓");
  await notSeen.click();
  await expect(page.getByText("9,950 EUR")).toBeInViewport();
  await expect(notSeen).toHaveCount(0);
  await settle(page);
  await page.keyboard.press("2");
  await expect(theQuestion(page)).toHaveText("Sign the contract?");
  await expect.poll(() => answered(second)).toBe("no");

  // Scrolls to the point where reading stopped.
  await expect(bar(page).getByText("Read the rest ↓")).toBeVisible();
  await settle(page);
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(heldBack(page)).toContainText("The rest of the background is unread.");
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
  expect(await answered(third)).toBeUndefined();
  await settle(page);
  await page.getByRole("button", { name: "Yes" }).click();
  await expect.poll(() => answered(third)).toBe("yes");
});

test("shows the number of options that are out of view", {
  tag: "@more",
}, async ({ page, app }) => {
  const counts = [1, 3, 8, 20];
  const asked: [question: string, count: number][] = [];
  let last = "";
  for (const notes of [false, true])
    for (const count of counts) {
      const options = Array.from({ length: count }, (_, at) => ({
        id: `way-${at}`,
        label: `Way ${at + 1}${notes ? ` of replacing the database instance, with deletion protection ${"off ".repeat(count % 6)}` : ""}`,
        ...(notes && { note: "It takes four minutes and cannot be undone. ".repeat(1 + (at % 4)) }),
      }));
      const question = `Grid: ${count} ways${notes ? " with notes" : ""}?`;
      last = await app.ask({ question, backgroundContext: paragraphs(115).padEnd(8000, "."), options });
      asked.push([question, count]);
    }
  // Search results are not grouped.
  await page.goto("/approvals?q=Grid");
  await settle(page);
  for (const [question, count] of asked) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await rowOf(page, question).first().click();
    await expect(theQuestion(page)).toHaveText(question);
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const scrolled of [0, 10_000]) {
        await page.locator("[data-options]").evaluate((box, to) => box.scrollTo(0, to), scrolled);
        await expect(async () => {
          const { shown, more, ...its } = await layout(page);
          expect([question, width, shown + more]).toEqual([question, width, count]);
          expect([question, width, shown > 0, its.cut]).toEqual([question, width, true, 0]);
          expect(its.top).toBeLessThan(height);
          expect(its.height).toBeLessThanOrEqual(height * 0.45 + 1);
        }).toPass();
      }
    }
  }
  // On a low or zoomed screen, the bar shrinks.
  await page.setViewportSize({ width: 320, height: 256 });
  await expect(bar(page)).toHaveCSS("position", "relative");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  await settle(page);
  // Shows the end of the text, so that only the option is unseen.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(bar(page).getByRole("button", { name: "↓" })).toHaveCount(0);
  await settle(page);
  const ninth = page.locator("[data-options] [value=way-8]");
  await expect(ninth).not.toBeInViewport();
  await page.keyboard.press("9");
  await expect(heldBack(page)).toContainText("This option was out of view.");
  await expect(ninth).toBeInViewport();
  await settle(page);
  await page.keyboard.press("9");
  await expect.poll(async () => (await app.read(last)).resolution?.optionId).toBe("way-8");
});

/**
 * The layout of the answers: top, height, and the options that are clipped, visible, or counted as
 * hidden.
 */
const layout = (page: Page) =>
  page.evaluate(() => {
    const box = document.querySelector("[data-options]")?.getBoundingClientRect() as DOMRect;
    const names = [...document.querySelectorAll("[data-options] [name=optionId] bdi")].map(
      (name) => name.getClientRects()[0] as DOMRect,
    );
    const options = [...document.querySelectorAll("[data-options] [name=optionId]")];
    const said = [...document.querySelectorAll("[data-bar] button")].find((it) =>
      / more options?$/.test(it.textContent),
    );
    return {
      top: options[0]?.getBoundingClientRect().top ?? Number.NaN,
      // Makes options shorter than their text.
      cut: options.filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight).length,
      height: document.querySelector("[data-bar]")?.getBoundingClientRect().height ?? Number.NaN,
      shown: names.filter(({ top, bottom }) => top >= box.top && bottom <= box.bottom).length,
      more: Number.parseInt(said?.textContent ?? "0", 10),
    };
  });
