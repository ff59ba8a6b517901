import type { Page } from "@playwright/test";

/** Navigates between owners' pages by link without a full load, so that injected scripts stay. */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    const { next } = window as typeof window & { next: { router: { push(path: string): void } } };
    next.router.push(to);
  }, path);
  await page.waitForURL(path);
  // The title of the page that was left is gone before the next one's has come.
  await page.waitForFunction(() => document.title !== "");
}
