import type { Page } from "@playwright/test";

/** The row of a question, when the list is in view. */
export const rowOf = (page: Page, question: string) =>
  page.locator("[data-list] a[data-row]").filter({ hasText: question });
export const waitingRows = (page: Page) => page.locator("[data-list] a[data-row]");
export const theQuestion = (page: Page) => page.locator("#question");

/** Answers count only once the question has been in view for a moment; this is longer than any such moment. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => document.readyState === "complete");
  await page.waitForTimeout(1000);
}
