import type { Page } from "@playwright/test";

/** Navigates between owners' pages by link, without a full load, so that injected scripts stay. */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    const { next } = window as typeof window & { next: { router: { push(path: string): void } } };
    next.router.push(to);
  }, path);
  await page.waitForURL(path);
  // Waits until the previous page's title has disappeared and the next one has appeared.
  await page.waitForFunction(() => document.title !== "");
}
