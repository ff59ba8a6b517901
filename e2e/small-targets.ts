import type { Locator } from "@playwright/test";

/** Visible buttons and links that are smaller than a fingertip (40 px). */
export const smallTargets = (within: Locator) =>
  within.locator("a[href], button, summary").evaluateAll((all) =>
    all.flatMap((it) => {
      const { width, height } = it.getBoundingClientRect();
      // A link inside a sentence has the text's height.
      const isInText = getComputedStyle(it).display === "inline" && it.nodeName === "A";
      const isStretched = ["::before", "::after"].some((part) => getComputedStyle(it, part).position === "absolute");
      const isSmall = width > 1 && (width < 40 || height < 40) && !isInText && !isStretched;
      return isSmall && it.checkVisibility({ visibilityProperty: true, opacityProperty: true })
        ? [`${it.textContent} ${width}x${height}`]
        : [];
    }),
  );
