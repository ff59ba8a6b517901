import type { Page } from "@playwright/test";

/** From one of the owner's pages to another as links lead there, without loading anew: what was brought into the document stays. */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    const { next } = window as typeof window & { next: { router: { push(path: string): void } } };
    next.router.push(to);
  }, path);
  await page.waitForURL(path);
  // The title of the page that was left is gone before the next one's has come.
  await page.waitForFunction(() => document.title !== "");
}
