import type { Page } from "@playwright/test";
import { changeSettings } from "@/lib/owners/settings";
import { expect, test } from "./fixtures";
import { settle, theQuestion } from "./inbox";

const ended = (page: Page) => page.getByRole("region", { name: "Answer", exact: true });
const options = [
  { id: "keep", label: "Keep them", note: "They cost 7 EUR a month." },
  { id: "cold", label: "Move them to cold storage", note: "Restoring them takes twelve hours." },
  { id: "delete", label: "Delete them", note: "Cannot be undone.", style: "danger" as const },
];

/** The options whose lower edge is cut or covered, by their place. */
const cutOptions = (page: Page) =>
  page.locator("[data-options] [name=optionId]").evaluateAll((buttons) =>
    buttons.flatMap((button, place) => {
      const { left, width, bottom } = button.getBoundingClientRect();
      return button.contains(document.elementFromPoint(left + width / 2, bottom - 3)) ? [] : [place + 1];
    }),
  );

test("shows every option whole where there is room, with one chosen", async ({ page, owner, app }) => {
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

/** Records the largest number of visible buttons named Undo, in each frame. */
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

test("offers undo in one place, and leaves a linked question after five seconds", { tag: "@phone" }, async ({
  page,
  owner,
  app,
}) => {
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
