import type { Page } from "@playwright/test";
import { alive } from "./wait-for-hydration";

/** A question's row, if the list is visible. */
export const rowOf = (page: Page, question: string) =>
  page.locator("[data-list] a[data-row]").filter({ hasText: question });
export const waitingRows = (page: Page) => page.locator("[data-list] a[data-row]");
export const theQuestion = (page: Page) => page.locator("#question");

/** Waits until answers are accepted. The page exposes that time. */
export async function settle(page: Page): Promise<void> {
  await alive(page);
  await page.waitForFunction(() => {
    const { armedAt } = document.documentElement.dataset;
    const answers = document.querySelector("[data-decision] button[name=optionId]");
    return performance.now() >= Number(armedAt ?? (answers ? Number.NaN : 0));
  });
}
