import type { Page } from "@playwright/test";

/** Waits until a page is hydrated, so that keys and presses work. */
export async function alive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const taken = (it: Element) => Object.keys(it).some((key) => key.startsWith("__reactProps"));
    const all = [
      ...document.querySelectorAll("main, main :is(a, button, input:not([type=hidden]), select, summary, textarea)"),
    ];
    return document.readyState === "complete" && all.length > 0 && all.every(taken);
  });
  // Mount effects, such as key bindings, run right after hydration.
  await page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done))));
}
