import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

/**
 * axe finds nothing in either theme, or in those that are named; what does not depend on colours is looked at in one. Without motion, since a colour on its
 * way to another one is no finding.
 */
export async function expectClean(page: Page, what: string, themes: readonly ("light" | "dark")[] = ["light", "dark"]) {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // There are no frames to look into, for which it would open a page of its own each time.
    const axe = new AxeBuilder({ page }).setLegacyMode();
    const { violations } = await (colorScheme === "light"
      ? axe.withTags(wcag)
      : axe.withRules(["color-contrast", "link-in-text-block"])
    ).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
    expect(found, `${what}, ${colorScheme}`).toEqual([]);
  }
}

/** axe finds nothing in either size and theme, nothing sticks out, also at 320 px; every target can be hit. */
export async function expectAccessible(page: Page, what: string) {
  for (const [at, size] of sizes.entries()) {
    await page.setViewportSize(size);
    // What is halfway under a bar that stays is no finding either.
    await page.evaluate(() => window.scrollTo(0, 0));
    // Colours are the same at any width.
    await expectClean(page, `${what}, ${size.width} wide`, at === 0 ? ["light", "dark"] : ["light"]);
  }
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth), `${what} at 320 px`).toBeLessThanOrEqual(320);
  expect(
    await page.evaluate(() => document.querySelectorAll("[style]:not(next-route-announcer)").length),
    `${what}: inline styles`,
  ).toBe(0);
}
