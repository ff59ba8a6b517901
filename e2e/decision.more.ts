import type { Locator, Page } from "@playwright/test";
import { changeSettings } from "@/lib/owners/settings";
import { expectClean } from "./axe-checks";
import { expect, test } from "./fixtures";
import { settle, theQuestion } from "./inbox-locators";
import { smallTargets } from "./small-targets";

const ended = (page: Page) => page.getByRole("region", { name: "Answer", exact: true });
const options = [
  { id: "keep", label: "Keep them", note: "They cost 7 EUR a month." },
  { id: "cold", label: "Move them to cold storage", note: "Restoring them takes twelve hours." },
  { id: "delete", label: "Delete them", note: "Cannot be undone.", style: "danger" as const },
];

/** The indexes of the options whose lower edge is clipped or covered. */
const cutOptions = (page: Page) =>
  page.locator("[data-options] [name=optionId]").evaluateAll((buttons) =>
    buttons.flatMap((button, place) => {
      const { left, width, bottom } = button.getBoundingClientRect();
      return button.contains(document.elementFromPoint(left + width / 2, bottom - 3)) ? [] : [place + 1];
    }),
  );

test("shows every option in full if the window has enough room", async ({ page, owner, app }) => {
  await changeSettings(owner, { alwaysConfirm: true });
  const asked = [
    await app.ask({ question: "Delete 312 GB of build artifacts?", options, risk: "high" }),
    await app.ask({ question: "Delete 312 GB of build artifacts?", options }),
  ];
  for (const [at, id] of asked.entries())
    for (const height of [800, 700]) {
      await page.setViewportSize({ width: 1280, height });
      await page.goto(`/approvals/${id}`);
      await settle(page);
      if (at === 1) {
        await page.keyboard.press("3");
        await expect(page.getByRole("button", { name: /^Delete them/, pressed: true })).toBeVisible();
      }
      await expect.poll(() => cutOptions(page), `question ${at + 1}, ${height} px`).toEqual([]);
    }
});

/** Records the maximum number of visible Undo buttons in any frame. */
const watchUndo = (page: Page) =>
  page.evaluate(() => {
    const seen = Object.assign(window, { undos: 0 });
    const look = () => {
      const named = [...document.querySelectorAll("button")].filter(
        (it) => it.textContent.startsWith("Undo") && it.checkVisibility({ visibilityProperty: true }),
      );
      seen.undos = Math.max(seen.undos, named.length);
      requestAnimationFrame(look);
    };
    look();
  });
const mostUndos = (page: Page) => page.evaluate(() => Reflect.get(window, "undos"));

test("shows only one undo button at a time", async ({ page, owner, app }) => {
  await changeSettings(owner, { undoSeconds: 30 });
  for (const question of ["First?", "Second?"]) await app.ask({ question });
  const id = await app.ask({ question: "Third?" });
  await page.goto(`/approvals/${id}`);
  await settle(page);
  await watchUndo(page);
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(ended(page).getByRole("button", { name: "Undo" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Next question: First?" })).toBeVisible();
  await expect(theQuestion(page)).toHaveText("Third?");
  await expect(theQuestion(page)).toHaveText("First?");
  const toast = page.locator("section[aria-label='Last action']");
  await expect(toast.getByRole("button", { name: "Undo" })).toBeVisible();
  expect(await mostUndos(page)).toBe(1);
  await settle(page);
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(theQuestion(page)).toHaveText("Second?");
  await expect(toast.getByRole("button", { name: "Undo" })).toBeVisible();
  expect(await mostUndos(page)).toBe(1);
});

/** The names of a decision's visible controls, other than its options. */
const controls = (page: Page) =>
  page
    .locator("[data-decision]")
    .locator("a, button:not([name=optionId]), summary, input:not([type=hidden]), textarea, select")
    .evaluateAll((all) =>
      all.flatMap((it) =>
        it.checkVisibility({ visibilityProperty: true }) && it.getClientRects().length > 0
          ? [it.getAttribute("aria-label") ?? (it as HTMLElement).innerText.trim()]
          : [],
      ),
    );

const paid = {
  question: "Pay invoice 2026-117 to Stadtwerke?",
  backgroundContext: "Matches the meter reading of 31 October.",
  facts: [
    { label: "Amount", value: "86.40 €" },
    { label: "From", value: "Joint account" },
  ],
  recommendation: "pay",
  options: [
    { id: "later", label: "Not yet" },
    { id: "pay", label: "Pay 86.40 €" },
  ],
};

test("shows at most six controls in addition to the options", { tag: "@phone" }, async ({ page, app }) => {
  const alone = (page.viewportSize()?.width ?? 0) < 640;
  const asked = { ...paid, expiresAt: Date.now() + 7_200_000, defaultOptionId: "later" };
  const id = await app.ask(asked);
  await page.goto(`/approvals/${id}`);
  await settle(page);
  const names = ["Snooze", "More", "Write an answer", "Add a note", "Ask a question"];
  await expect.poll(() => controls(page)).toEqual(alone ? ["Approvals", ...names] : names);
  if (alone) expect(await smallTargets(page.locator("[data-decision]"))).toEqual([]);
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible({ visible: !alone });
  await expect(page.getByRole("term")).toHaveText(["Amount", "From", "If unanswered"]);
  await expect(page.getByRole("definition")).toHaveText(["86.40 €", "Joint account", "Not yet"]);
  const boxes = await page
    .locator("[data-options] [name=optionId]")
    .evaluateAll((all) => all.map((it) => it.getBoundingClientRect().top));
  expect(boxes[0] === boxes[1]).toBe(alone);
  await expectClean(page, "a decision at rest", ["light", "dark", "forced"]);
  await page.locator("summary[aria-label=More]").click();
  if (alone) expect(await smallTargets(page.locator("[data-decision]"))).toEqual([]);
  await expectClean(page, "the menu of a decision");
});

test("shows every option at 200% zoom on a laptop", async ({ page, app }) => {
  const id = await app.ask({ ...paid, backgroundContext: "Read this first. ".repeat(400) });
  await page.setViewportSize({ width: 640, height: 400 });
  await page.goto(`/approvals/${id}`);
  await settle(page);
  await expect(theQuestion(page)).toBeInViewport();
  for (const option of await page.locator("[data-options] [name=optionId]").all())
    await expect(option).toBeInViewport({ ratio: 0.9 });
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  expect(await cutOptions(page)).toEqual([]);
});

test("mutes an app in one step: press the menu, slide to Mute and release", async ({ page, app }) => {
  await page.goto(`/approvals/${await app.ask({ question: "Ship it?" })}`);
  await settle(page);
  const menu = page.locator("summary[aria-label=More]");
  await menu.hover();
  await page.mouse.down();
  await page.getByRole("button", { name: `Mute ${app.name}` }).hover();
  await page.mouse.up();
  await expect(page.locator("summary").filter({ hasText: "Muted apps" })).toBeVisible();
});

test("mutes an app in one touch", { tag: "@touch" }, async ({ page, app }, { project }) => {
  test.skip(project.name !== "phone", "only phones have touch");
  await page.goto(`/approvals/${await app.ask({ question: "Ship it?" })}`);
  await settle(page);
  const middle = async (of: Locator) => {
    const { x, y, width, height } = (await of.boundingBox())!;
    return { x: x + width / 2, y: y + height / 2 };
  };
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...touchPoints: { x: number; y: number }[]) =>
    devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", await middle(page.locator("summary[aria-label=More]")));
  const mute = await middle(page.getByRole("button", { name: `Mute ${app.name}` }));
  await touch("touchMove", { ...mute, y: mute.y - 10 });
  await touch("touchMove", mute);
  await touch("touchEnd");
  await expect(page.locator("summary").filter({ hasText: "Muted apps" })).toBeVisible();
});

test("opens and closes a question's menu by keyboard", async ({ page, app }) => {
  const id = await app.ask({ question: "Ship it?" });
  await page.goto(`/approvals/${id}`);
  await settle(page);
  const cap = page.locator("[data-options] [name=optionId] [aria-hidden]").first();
  await expect(cap).toHaveCSS("opacity", "0");
  const menu = page.locator("summary[aria-label=More]");
  await menu.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: `Mute ${app.name}` })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(menu).toBeFocused();
  await expect(page.getByRole("link", { name: "Review access" })).toBeHidden();
  await page.keyboard.press("ArrowRight");
  await expect(cap).toHaveCSS("opacity", "1");
  for (const shown of [true, false, true]) {
    await menu.click();
    await expect(page.getByRole("link", { name: "Review access" })).toBeVisible({ visible: shown });
  }
  // A press outside closes the menu.
  await theQuestion(page).click();
  await expect(page.getByRole("link", { name: "Review access" })).toBeHidden();
  expect((await app.read(id)).status).toBe("pending");
});

test("clears the chosen option when the owner cancels the confirmation", async ({ page, owner, app }) => {
  await changeSettings(owner, { alwaysConfirm: true });
  const id = await app.ask({ question: "Ship it?" });
  await page.goto(`/approvals/${id}`);
  await settle(page);
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(page.getByText("Answer “Yes”?")).toBeVisible();
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByText("Answer “Yes”?")).toBeHidden();
  await expect(page.getByRole("button", { pressed: true })).toHaveCount(0);
  expect((await app.read(id)).status).toBe("pending");
});
