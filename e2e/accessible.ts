import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";

/** Less than half of what the package gives as `source`, which every page would have to be sent. */
const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** What sizes, colours and room can break; what a page says and how it is built they leave alone. */
const shown = ["color-contrast", "link-in-text-block", "target-size", "scrollable-region-focusable"];

/** axe finds nothing in how a page is shown, whose words and structure it finds good elsewhere. Without motion. */
export async function expectShownWell(page: Page, what: string) {
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await violations(page, shown), what).toEqual([]);
  await page.emulateMedia({ reducedMotion: "no-preference" });
}

const colours = ["color-contrast", "link-in-text-block"];

/** Looks that a page has: the system's themes, and the few colours that somebody chose for all they see. */
type Look = "light" | "dark" | "forced";

/**
 * axe finds nothing in any look, or in those that are named; what does not depend on colours is looked at in one. Without motion, since a colour on its
 * way to another one is no finding.
 */
export async function expectClean(page: Page, what: string, looks: readonly Look[] = ["light", "dark"]) {
  for (const look of looks) {
    const forced = look === "forced";
    const forcedColors = forced ? "active" : "none";
    await page.emulateMedia({ colorScheme: forced ? "dark" : look, forcedColors, reducedMotion: "reduce" });
    expect(await violations(page, look === "light" ? wcag : colours), `${what}, ${look}`).toEqual([]);
    if (forced) await page.emulateMedia({ forcedColors: "none" });
  }
}

/**
 * Only what is wrong leaves the page, and axe comes to a document once: with all it finds good, and half a megabyte of script for each look, this
 * took more of a small machine than the looking.
 * @param rules by name, or the tags of those that count
 * @param fresh rules for what was not in sight when the page was looked at last, and for that alone
 * @returns each rule that is broken, with where
 */
async function violations(page: Page, rules: string[], fresh: string[] = []): Promise<string[]> {
  expect(page.frames(), "frames, into which nobody looks here").toHaveLength(1);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  return page.evaluate(
    async ({ rules, fresh }) => {
      // In forced colours Chromium still tells the page's own colour for this one, which axe would take for the text's.
      if (matchMedia("(forced-colors: active)").matches) {
        const get = CSSStyleDeclaration.prototype.getPropertyValue;
        CSSStyleDeclaration.prototype.getPropertyValue = function (name) {
          return get.call(this, name === "-webkit-text-fill-color" ? "color" : name);
        };
      }
      const its = window as unknown as { axe: typeof axe; seen?: WeakSet<Element> };
      const inSight = [...document.body.querySelectorAll("*")].filter((it) =>
        it.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
      );
      const unseen = inSight.filter((it) => !its.seen?.has(it));
      its.seen = new WeakSet(inSight);
      const resultTypes = ["violations" as const];
      // Good practice, no rule of WCAG's: headings skip no rank.
      const more = { "heading-order": { enabled: true } };
      const found = [await its.axe.run(document, { runOnly: rules, rules: more, resultTypes })];
      if (fresh.length > 0 && unseen.length > 0) found.push(await its.axe.run(unseen, { runOnly: fresh, resultTypes }));
      return found
        .flatMap(({ violations }) => violations)
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
    },
    { rules, fresh },
  );
}

/** axe finds nothing in either size and any look, nothing sticks out, also at 320 px; every target can be hit. */
export async function expectAccessible(page: Page, what: string) {
  await page.setViewportSize({ width: 1280, height: 800 });
  // What is halfway under a bar that stays is no finding either.
  const toTop = () => page.evaluate(() => window.scrollTo(0, 0));
  await toTop();
  await expectClean(page, `${what}, wide`, ["light", "dark", "forced"]);
  await page.setViewportSize({ width: 390, height: 844 });
  await toTop();
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  // Less room moves all and shows some things of its own: words, names and colours of the others are the same at any width.
  expect(await violations(page, ["target-size", "scrollable-region-focusable"], wcag), `${what}, narrow`).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth), `${what} at 320 px`).toBeLessThanOrEqual(320);
  expect(
    await page.evaluate(() => document.querySelectorAll("[style]:not(next-route-announcer)").length),
    `${what}: inline styles`,
  ).toBe(0);
}
