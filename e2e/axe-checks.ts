import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";

/**
 * The minified build is less than half the size of the package's `source`. It is injected into
 * every page.
 */
const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Rules about size, color and space, not about content or structure. */
const shown = ["color-contrast", "link-in-text-block", "target-size", "scrollable-region-focusable"];

/**
 * Asserts that axe finds no visual problems. Other checks cover content and structure. Motion is
 * off.
 */
export async function expectShownWell(page: Page, what: string) {
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await violations(page, shown), what).toEqual([]);
  await page.emulateMedia({ reducedMotion: "no-preference" });
}

const colors = ["color-contrast", "link-in-text-block"];

/** A page's looks: the system's light and dark themes, and forced colors. */
type Look = "light" | "dark" | "forced";

/**
 * Asserts that axe finds no problems in the given looks. Rules independent of color run in one
 * look. Motion is off, because color transitions cause false findings.
 */
export async function expectClean(page: Page, what: string, looks: readonly Look[] = ["light", "dark"]) {
  // Next.js may set the title a moment after the content, and React moves it. axe would find no
  // title then.
  await expect(page).toHaveTitle(/./);
  for (const look of looks) {
    const forced = look === "forced";
    const forcedColors = forced ? "active" : "none";
    await page.emulateMedia({ colorScheme: forced ? "dark" : look, forcedColors, reducedMotion: "reduce" });
    expect(await violations(page, look === "light" ? wcag : colors), `${what}, ${look}`).toEqual([]);
    if (forced) await page.emulateMedia({ forcedColors: "none" });
  }
}

/**
 * Returns only violations and injects axe once per document, because full results and reinjection
 * cost more than the checks.
 * @param rules the names or tags of the rules to check
 * @param fresh rules that check only parts hidden at the last check
 * @returns each broken rule with its elements
 */
async function violations(page: Page, rules: string[], fresh: string[] = []): Promise<string[]> {
  expect(page.frames(), "frames, into which nobody looks here").toHaveLength(1);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  return page.evaluate(
    async ({ rules, fresh }) => {
      // In forced colors, Chromium still reports the page's own color here. axe would take it for
      // the text's color.
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
      // A best practice, not a WCAG rule: headings must not skip a rank. `expectClean` checks titles.
      const more = { "heading-order": { enabled: true }, "document-title": { enabled: false } };
      const found = [await its.axe.run(document, { runOnly: rules, rules: more, resultTypes })];
      if (fresh.length > 0 && unseen.length > 0) found.push(await its.axe.run(unseen, { runOnly: fresh, resultTypes }));
      return found
        .flatMap(({ violations }) => violations)
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
    },
    { rules, fresh },
  );
}

/**
 * Asserts that axe finds no problems in both sizes and all looks. Also checks overflow down to 320
 * px and touch targets.
 */
export async function expectAccessible(page: Page, what: string) {
  await page.setViewportSize({ width: 1280, height: 800 });
  // An element partly under a fixed bar is not a finding either.
  const toTop = () => page.evaluate(() => window.scrollTo(0, 0));
  await toTop();
  await expectClean(page, `${what}, wide`, ["light", "dark", "forced"]);
  await page.setViewportSize({ width: 390, height: 844 });
  // A window as high as the page, so that no fixed bar covers a part of a target.
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: 390, height });
  await toTop();
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  // Narrow screens rearrange elements and show a few more. The other elements keep their text,
  // names and colors.
  expect(await violations(page, ["target-size", "scrollable-region-focusable"], wcag), `${what}, narrow`).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth), `${what} at 320 px`).toBeLessThanOrEqual(320);
  expect(
    await page.evaluate(() => document.querySelectorAll("[style]:not(next-route-announcer)").length),
    `${what}: inline styles`,
  ).toBe(0);
}
