import { expect, type Page } from "@playwright/test";
import axe from "axe-core";

const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** What sizes, colours and room can break; what a page says and how it is built they leave alone. */
const shown = ["color-contrast", "link-in-text-block", "target-size", "scrollable-region-focusable"];

/** axe finds nothing in how a page is shown, whose words and structure it finds good elsewhere. Without motion. */
export async function expectShownWell(page: Page, what: string) {
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await violations(page, shown), what).toEqual([]);
  await page.emulateMedia({ reducedMotion: "no-preference" });
}

/**
 * axe finds nothing in either theme, or in those that are named; what does not depend on colours is looked at in one. Without motion, since a colour on its
 * way to another one is no finding.
 */
export async function expectClean(page: Page, what: string, themes: readonly ("light" | "dark")[] = ["light", "dark"]) {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const found = await violations(page, colorScheme === "light" ? wcag : ["color-contrast", "link-in-text-block"]);
    expect(found, `${what}, ${colorScheme}`).toEqual([]);
  }
}

/**
 * Only what is wrong leaves the page, and axe comes to a document once: with all it finds good, and half a megabyte of script for each look, this
 * took more of a small machine than the looking.
 * @param rules by name, or the tags of those that count
 * @param narrower contrast, the dearest rule, counts only for what was not in sight when the page was looked at last
 * @returns each rule that is broken, with where
 */
async function violations(page: Page, rules: string[], narrower = false): Promise<string[]> {
  expect(page.frames(), "frames, into which nobody looks here").toHaveLength(1);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(
    async ({ rules, narrower }) => {
      const its = window as unknown as { axe: typeof axe; seen?: WeakSet<Element> };
      const inSight = [...document.body.querySelectorAll("*")].filter((it) =>
        it.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
      );
      const fresh = inSight.filter((it) => !its.seen?.has(it));
      its.seen = new WeakSet(inSight);
      const contrast = "color-contrast";
      const resultTypes = ["violations" as const];
      const found = [
        await its.axe.run(document, {
          runOnly: rules,
          // Good practice, no rule of WCAG's: headings skip no rank.
          rules: { [contrast]: { enabled: !narrower }, "heading-order": { enabled: true } },
          resultTypes,
        }),
      ];
      if (narrower && fresh.length > 0) found.push(await its.axe.run(fresh, { runOnly: [contrast], resultTypes }));
      return found
        .flatMap(({ violations }) => violations)
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
    },
    { rules, narrower },
  );
}

/** axe finds nothing in either size and theme, nothing sticks out, also at 320 px; every target can be hit. */
export async function expectAccessible(page: Page, what: string) {
  await page.setViewportSize({ width: 1280, height: 800 });
  // What is halfway under a bar that stays is no finding either.
  const toTop = () => page.evaluate(() => window.scrollTo(0, 0));
  await toTop();
  await expectClean(page, `${what}, wide`);
  await page.setViewportSize({ width: 390, height: 844 });
  await toTop();
  // Colours are the same at any width.
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  expect(await violations(page, wcag, true), `${what}, narrow`).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth), `${what} at 320 px`).toBeLessThanOrEqual(320);
  expect(
    await page.evaluate(() => document.querySelectorAll("[style]:not(next-route-announcer)").length),
    `${what}: inline styles`,
  ).toBe(0);
}
