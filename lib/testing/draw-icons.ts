import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { findChromium } from "./find-chromium";

// Draws the icons that browsers and systems show, from public/mark.svg: node
// lib/cli/run-typescript.mjs lib/testing/draw-icons.ts
const folder = join(import.meta.dirname, "../../public");
const mark = readFileSync(join(folder, "mark.svg"), "utf8");
const strokes = mark.replace(/^[\s\S]*<rect[^>]*\/>|<\/svg>\s*$/g, "");
const green = "#0e5c40";

const svg = (inside: string, title = "Countersign") =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>${title}</title>${inside}</svg>`;
/**
 * An icon that fills its square, because the system rounds the corners. The mark is smaller, so
 * that no stroke is cut off.
 */
const full = svg(
  `<rect width="32" height="32" fill="${green}"/><g transform="translate(16 16) scale(.72) translate(-16 -16)">${strokes}</g>`,
);
/** The mark in a single color, for a phone's status bar. */
const badge = svg(strokes.replaceAll(/#[0-9a-f]{3,6}/g, "#fff"));

const pictures: [name: string, size: number, svg: string][] = [
  ["icon-192", 192, mark],
  ["icon-512", 512, mark],
  ["maskable-512", 512, full],
  ["apple-touch-icon", 180, full],
  ["badge-96", 96, badge],
];

/** Returns the mark with the pending count in its corner. */
const counted = (count: string) =>
  svg(
    `<rect width="32" height="32" rx="9" fill="${green}"/>${strokes}` +
      (count === "0"
        ? ""
        : `<rect x="${count.length > 1 ? 8 : 14}" y="12" width="${count.length > 1 ? 24 : 18}" height="20" rx="9" fill="#b3261e"/>` +
          `<text x="${count.length > 1 ? 20 : 23}" y="27.5" font-family="system-ui,sans-serif" font-size="16" font-weight="700" fill="#fff" text-anchor="middle">${count}</text>`),
    count === "0" ? "Countersign" : `Countersign, ${count} waiting`,
  );

for (const name of ["icons", "favicon"]) mkdirSync(join(folder, name), { recursive: true });
for (const count of [..."0123456789", "9+"]) {
  writeFileSync(join(folder, "favicon", `${count.replace("+", "-more")}.svg`), `${counted(count)}\n`);
}
const executablePath = findChromium();
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
for (const [name, size, picture] of pictures) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>*{margin:0}svg{display:block;width:100vw;height:100vh}</style>${picture}`);
  await page.screenshot({ path: join(folder, "icons", `${name}.png`), omitBackground: true });
}
await browser.close();
