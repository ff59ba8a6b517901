import type { Page } from "@playwright/test";
import { db } from "@/lib/database/db";
import { changeSettings } from "@/lib/owners/settings";
import { expectClean } from "./axe-checks";
import { type App, anApp, expect, test } from "./fixtures";
import { rowOf, settle, theQuestion } from "./inbox-locators";

const toast = (page: Page) => page.locator("section[aria-label='Last action']");
const ended = (page: Page) => page.getByRole("region", { name: "Answer", exact: true });

/**
 * Presses the first option, and presses again at the same place `gap` ms later. The page itself
 * runs and times both presses.
 */
const pressTwice = (page: Page, gap: number) =>
  page.evaluate(async (gap) => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const question = () => document.querySelector("#question")?.textContent;
    const button = () => document.querySelector<HTMLElement>("[data-decision] button[name=optionId]");
    const first = question();
    let changedAt = Number.POSITIVE_INFINITY;
    const watch = new MutationObserver(async () => {
      if (question() === first || changedAt < Number.POSITIVE_INFINITY) return;
      changedAt = Number.MAX_VALUE;
      await frame();
      changedAt = performance.now();
    });
    watch.observe(document.body, { subtree: true, childList: true, characterData: true });
    const press = () => {
      const [it, at] = [button(), { bubbles: true, pointerType: "touch", isPrimary: true }];
      it?.dispatchEvent(new PointerEvent("pointerdown", at));
      it?.dispatchEvent(new PointerEvent("pointerup", at));
      it?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
    };
    press();
    await frame();
    const told = button()?.checkVisibility() && button()?.innerText;
    await new Promise((done) => setTimeout(done, gap));
    const pressedAt = performance.now();
    press();
    await frame();
    watch.disconnect();
    return { told, early: pressedAt < changedAt + 700 };
  }, gap);

test("ignores a tap during the first 700 ms after the next question appears", {
  tag: ["@touch", "@more"],
}, async ({ page, app }) => {
  const gaps = [100, 450, 650, 900, 1200, 1500];
  const ids: string[] = [];
  for (const at of gaps.flatMap((gap) => [`${gap}, once`, `${gap}, twice`]))
    ids.push(await app.ask({ question: `${at}?` }));
  await page.goto("/approvals");
  await rowOf(page, "100, once?").tap();
  for (const [at, gap] of gaps.entries()) {
    const [once = "", twice = ""] = ids.slice(2 * at, 2 * at + 2);
    await expect(theQuestion(page)).toHaveText(`${gap}, once?`);
    await settle(page);
    const { told, early } = await pressTwice(page, gap);
    expect(told).toContain("Answered · Yes");
    await expect(theQuestion(page)).toHaveText(early ? `${gap}, twice?` : /\d+, (twice|once)\?/);
    await expect(async () => expect((await app.read(once)).status).toBe("resolved")).toPass();
    if (early) {
      expect((await app.read(twice)).status).toBe("pending");
      await settle(page);
      await page.getByRole("button", { name: "No", exact: true }).tap();
    }
    await expect(async () => expect((await app.read(twice)).status).toBe("resolved")).toPass();
  }
});

test("keeps an answer's toast from covering the next question", {
  tag: "@phone",
}, async ({ page, owner, app }) => {
  await changeSettings(owner, { undoSeconds: 30 });
  for (const question of ["First?", "Second?"]) await app.ask({ question });
  await page.goto("/approvals");
  await settle(page);
  // A press before the question was painted does not count, and the page shows a message.
  await rowOf(page, "First?").evaluate(async (row: HTMLElement) => {
    row.click();
    await new Promise(requestAnimationFrame);
    document.querySelector<HTMLElement>("[data-decision] button[name=optionId]")?.click();
  });
  const tooSoon = page.locator("[data-bar]").getByRole("alert");
  await expect(tooSoon).toHaveText("This question just opened. Press again to answer.");
  // Before scripts run, options that a click cannot reach look inactive.
  const looks = await page.locator("[data-bar] fieldset.arming").evaluate((bar) => {
    const look = () => {
      const { color, pointerEvents } = getComputedStyle(bar.querySelector("[name=optionId]") as Element);
      return { color, reached: pointerEvents !== "none" };
    };
    bar.classList.remove("arming");
    const later = look();
    bar.classList.add("arming");
    return { first: look(), later };
  });
  expect([looks.first.reached, looks.later.reached]).toEqual([false, true]);
  expect(looks.first.color).not.toBe(looks.later.color);
  await settle(page);
  await page.getByRole("button", { name: "No", exact: true }).click();
  await expect(theQuestion(page)).toHaveText("Second?");
  await expect(tooSoon).toHaveCount(0);
  const note = toast(page).locator("[data-toast]");
  await expect(note).toContainText("Answered · No");
  await expect(note).toContainText(`${app.name}: First?`);
  const over = () =>
    page.evaluate(() => {
      const box = (which: string) => document.querySelector(which)?.getBoundingClientRect();
      const [note, ...others] = ["[data-toast]", "[data-said]", "[data-bar]"].map(box);
      return others.filter((it) => note && it && it.top < note.bottom && it.bottom > note.top).length;
    });
  await expect.poll(over).toBe(0);
  // The same holds when the answers are at the bottom of the page.
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height: 660 });
  await expect.poll(over).toBe(0);
  // The observer follows changes, and requests no frames while nothing changes.
  const framesAskedFor = () =>
    page.evaluate(async () => {
      const ask = window.requestAnimationFrame;
      let times = 0;
      window.requestAnimationFrame = (callback) => {
        times++;
        return ask(callback);
      };
      for (let frame = 0; frame < 5; frame++) await new Promise(ask);
      window.requestAnimationFrame = ask;
      return times;
    });
  await expect.poll(framesAskedFor).toBe(0);
  await expect(note).toBeVisible();
});

test("keeps a question opened from a link in view after the owner answers", async ({ page, owner, app }) => {
  await changeSettings(owner, { undoSeconds: 30 });
  await app.ask({ question: "First?" });
  const id = await app.ask({ question: "Second?" });
  await page.goto(`/approvals/${id}`);
  await settle(page);
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(ended(page)).toContainText("Sends in");
  await expect(theQuestion(page)).toHaveText("Second?");
  await page.getByRole("link", { name: "Next question: First?" }).click();
  await expect(theQuestion(page)).toHaveText("First?");
});

test("tells the owner when the app answered the open question first", {
  tag: "@touch",
}, async ({ page, app }) => {
  const wide = (page.viewportSize()?.width ?? 0) >= 1024;
  const [first, second, third] = [
    await app.ask({ question: "First?" }),
    await app.ask({ question: "Second?" }),
    await app.ask({ question: "Third?" }),
  ];
  const resolve = (id: string) => app.call(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "no" });
  await page.goto("/approvals");
  await rowOf(page, "First?").click();
  await settle(page);
  await resolve(first);
  await expect(ended(page)).toContainText(`${app.name} answered its own question at`);
  await expect(theQuestion(page)).toHaveText("First?");
  await ended(page).getByRole("button", { name: "Next" }).click();
  await expect(theQuestion(page)).toHaveText("Second?");
  await settle(page);

  // From now on this page receives no events, and answers are slow.
  await page.route("**/live*", (route) => route.abort());
  await page.goto("/approvals");
  await rowOf(page, "Second?").click();
  let release = () => {};
  let before: () => Promise<unknown> = () =>
    new Promise<void>((done) => {
      release = done;
    });
  await page.route("**/acts/approval.answer", async (route) => {
    await before();
    await route.continue();
  });
  await expect(theQuestion(page)).toHaveText("Second?");
  await settle(page);
  await resolve(second);
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(theQuestion(page)).toHaveText("Third?");
  release();
  const words = `${app.name} already answered “No”. The answer you just sent wasn’t used.`;
  // The undo button is in the list if the list is visible, and otherwise in a toast. It is never
  // above another question.
  const told = wide ? page.locator("[data-list]") : toast(page);
  await expect(told).toContainText(words);
  await expect(told).toContainText("Second?");
  await expect(page.locator("section[aria-label=Decision]")).not.toContainText("wasn’t used");
  if (wide) await page.locator("[data-list]").getByRole("button", { name: "OK" }).click();
  else {
    await told.getByRole("button", { name: "Open question" }).click();
    await expect(theQuestion(page)).toHaveText("Second?");
    await expect(ended(page)).toContainText(words);
    await ended(page).getByRole("button", { name: "OK" }).click();
  }
  await expect(told).not.toContainText(words);
  await expect(theQuestion(page)).toHaveText("Third?");

  await settle(page);
  // The answer is still in transit.
  before = () => resolve(third);
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(ended(page)).toContainText(words);
  await expect(page.getByText("all caught up").filter({ visible: true })).toHaveCount(0);
  await ended(page).getByRole("button", { name: "OK" }).click();
  await expect(page.getByRole("heading", { name: "You’re all caught up" })).toBeVisible();
});

/** Creates the given number of questions from each app, in alternation. */
async function askInTurns(counts: [App, number][]) {
  const max = Math.max(...counts.map(([, count]) => count));
  for (let at = 0; at < max; at += 20)
    await Promise.all(
      counts.flatMap(([app, count]) =>
        Array.from({ length: (20 * count) / max }, (_, n) => app.ask({ question: `Number ${at + n}?` })),
      ),
    );
}

test("answers all 400 questions of one app with one batch answer", { tag: "@more" }, async ({
  page,
  owner,
  app: noisy,
}) => {
  const quiet = await anApp(owner);
  await askInTurns([
    [noisy, 400],
    [quiet, 100],
  ]);
  await page.goto("/approvals");
  const heading = page.getByRole("region", { name: "Approvals" }).locator("header");
  await expect(heading).toContainText("500 waiting");
  await expect(page.locator("summary").filter({ hasText: noisy.name })).toContainText("399 more");
  await settle(page);
  await rowOf(page, noisy.name).first().click();
  await page.keyboard.press("x");
  await page.getByRole("button", { name: `Select all 400 from ${noisy.name}` }).click();
  await expect(page.getByText("400 selected")).toBeVisible();
  await expectClean(page, "all of an app selected");
  await page.keyboard.press("2");
  const dialog = page.getByRole("dialog", { name: /^One answer for 400 questions/ });
  await expect(dialog.getByRole("button", { name: "Answer 400 questions with “No”" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(toast(page)).toContainText("Answered 400 questions · No");
  await expect(heading).toContainText("100 waiting");
  const pending = ({ clientId }: App) => db.approval.count({ where: { appId: clientId, status: "pending" } });
  await expect.poll(() => pending(noisy)).toBe(0);
  expect(await pending(quiet)).toBe(100);
});

test("answers selected questions together only if the questions are from one app", { tag: "@more" }, async ({
  page,
  owner,
  app,
}) => {
  const ids: string[] = [];
  for (let at = 1; at <= 12; at++) ids.push(await app.ask({ question: `Number ${at}?` }));
  await page.goto("/approvals");
  await rowOf(page, "Number 1?").click();
  await settle(page);
  const other = await anApp(owner);
  const stranger = await other.ask({ question: "Stranger?" });
  await expect(rowOf(page, "Stranger?")).toBeVisible();
  await page.keyboard.press("x");
  for (let at = 0; at < 9; at++) await page.keyboard.press("Shift+J");
  const bar = page.getByRole("region", { name: "Selection" });
  await expect(bar).toContainText("10 selected");
  await settle(page);
  for (const key of ["m", "o", "n", "q"]) await page.keyboard.press(key);
  await expect(page.getByLabel("Your own answer")).toBeHidden();
  const unread = () => page.locator("[data-list]").getByText("Unread").count();
  const before = await unread();
  await page.keyboard.press("Shift+U");
  await expect.poll(unread).toBeGreaterThan(Math.max(before, 9));

  await page.keyboard.press("1");
  await expect(page.getByRole("dialog").getByRole("button", { name: "Answer 10 questions with “Yes”" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(bar).toHaveCount(0);
  for (const id of ids.slice(0, 10))
    await expect(async () => expect((await app.read(id)).resolution?.optionId).toBe("yes")).toPass();
  for (const id of ids.slice(10)) expect((await app.read(id)).status).toBe("pending");

  // Different questions cannot be answered together by a key or a press.
  await rowOf(page, "Number 11?").click();
  await page.keyboard.press("x");
  await rowOf(page, "Stranger?").click();
  await page.keyboard.press("x");
  await settle(page);
  await page.keyboard.press("1");
  await expect(toast(page)).toContainText("Select only one app’s questions with the same options");
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect((await other.read(stranger)).status).toBe("pending");
  expect((await app.read(ids[10] ?? "")).status).toBe("pending");
});

test("selects rows with a long press and taps on a phone", {
  tag: "@touch",
}, async ({ page, app }) => {
  for (const question of ["First?", "Second?"]) await app.ask({ question });
  await page.goto("/approvals");
  await settle(page);
  const session = await page.context().newCDPSession(page);
  const touch = async (type: "touchStart" | "touchEnd") => {
    const box = await rowOf(page, "First?").boundingBox();
    const touchPoints = type === "touchEnd" || !box ? [] : [{ x: box.x + 60, y: box.y + 30 }];
    await session.send("Input.dispatchTouchEvent", { type, touchPoints });
  };
  const bar = page.getByRole("region", { name: "Selection" });
  await touch("touchStart");
  await expect(bar).toContainText("1 selected");
  await touch("touchEnd");
  await expect(page).toHaveURL("/approvals");
  await rowOf(page, "Second?").tap();
  await expect(bar).toContainText("2 selected");
  await expectClean(page, "questions selected on a phone");
  await bar.getByRole("button", { name: "Clear" }).tap();
  await expect(bar).toHaveCount(0);
  await page.getByTitle("Select and filter").tap();
  await page.getByRole("button", { name: "Select questions" }).tap();
  await rowOf(page, "First?").tap();
  await expect(bar).toContainText("1 selected");
  await bar.getByRole("button", { name: "Clear" }).tap();
  await rowOf(page, "First?").tap();
  await expect(theQuestion(page)).toHaveText("First?");
});
