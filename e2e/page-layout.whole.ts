import type { Locator, Page } from "@playwright/test";
import { changeSettings } from "@/lib/owners/settings";
import { expectShownWell } from "./axe-checks";
import { go } from "./client-navigation";
import { anApp, expect, test } from "./fixtures";
import { settle } from "./inbox-locators";
import { anAccountAtCorp } from "./linked-accounts";
import { smallTargets } from "./small-targets";

const main = ["/approvals", "/notifications", "/integrations", "/apps", "/activity", "/developer", "/settings"];
/** The first element on pages that are lists. */
const firstRow: Record<string, string> = {
  "/approvals": "[data-list] a[data-row]",
  "/notifications": "[data-slot]",
  "/activity": "[data-event]",
};

test(
  "keeps headings in place and targets large enough on every page",
  { tag: "@phone" },
  async ({ page, owner, app }, { project }) => {
    await changeSettings(owner, { firstStepsDone: true });
    const other = await anApp(owner, `Ledger ${app.name.slice(-6)}`);
    const id = await app.ask({ question: "Ship it?" });
    await other.ask({ question: "Pay it?" });
    await app.push({ title: "Backup finished", type: "backup" });
    await other.push({ title: "Paid", type: "payment" });
    await app.call(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" });
    await anAccountAtCorp(owner, {});
    await page.goto("/approvals");
    await settle(page);
    const heads: Record<string, unknown> = {};
    const below = [
      `/apps/${app.clientId}`,
      `/developer/${app.clientId}`,
      "/developer/requests",
      "/approvals?status=resolved",
    ];
    for (const path of [...main, ...below]) {
      if (path !== "/approvals") await go(page, path);
      const title = page.getByRole("heading", { level: 1 });
      await expect(title).toHaveCount(1);
      heads[path] = await title.evaluate((it, hasBack) => {
        const { x, y } = it.getBoundingClientRect();
        return [x, hasBack ? "under the way back" : y, getComputedStyle(it).fontSize];
      }, path.split("/").length > 2);
      if (project.name === "phone") expect([path, await smallTargets(page.locator("body"))]).toEqual([path, []]);
      const rows = firstRow[path];
      if (!rows) continue;
      const top = await page
        .locator(rows)
        .first()
        .evaluate((row) => row.getBoundingClientRect().top);
      // Touch targets are taller, and some are stacked.
      expect([path, top <= (project.name === "phone" ? 240 : 160), top]).toEqual([path, true, top]);
    }
    const [x, y, size] = heads["/approvals"] as unknown[];
    for (const [path, its] of Object.entries(heads))
      expect([path, its]).toEqual([path, [x, path.split("/").length > 2 ? "under the way back" : y, size]]);
  },
);

/** The difference between two elements' borders. */
const edge = (it: Locator) =>
  it.evaluate((element) => {
    const { outlineStyle, outlineWidth, borderInlineStartColor } = getComputedStyle(element);
    return [outlineStyle, outlineWidth, borderInlineStartColor].join(" ");
  });

test("keeps pages readable in forced colors, high contrast and short windows", { tag: "@more" }, async ({
  page,
  owner,
  app,
}) => {
  const other = await anApp(owner, `Ledger ${app.name.slice(-6)}`);
  await app.ask({ question: "Ship it?" });
  await other.ask({ question: "Pay it?" });
  await app.push({ title: "Backup finished" });
  await page.goto("/approvals");
  await settle(page);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const rail = page.locator("aside nav");
  const list = page.locator("[data-list]");
  const muted = () =>
    list
      .locator(".text-muted")
      .first()
      .evaluate((it) => getComputedStyle(it).color);
  const usual = await muted();
  await page.emulateMedia({ contrast: "more" });
  expect(await muted()).not.toBe(usual);
  await expectShownWell(page, "/approvals, with more contrast");
  await page.emulateMedia({ contrast: null, forcedColors: "active" });
  expect(await edge(rail.getByRole("link", { name: "Approvals" }))).not.toBe(
    await edge(rail.getByRole("link", { name: "Activity" })),
  );
  expect(await edge(list.getByRole("link", { name: "Waiting" }))).not.toBe(
    await edge(list.getByRole("link", { name: "Snoozed" })),
  );
  expect(await edge(list.locator("a[data-row][aria-current]"))).not.toBe(
    await edge(list.locator("a[data-row]:not([aria-current])")),
  );
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectShownWell(page, `/approvals, forced colors, ${colorScheme}`);
  }
  await go(page, "/notifications");
  expect(await edge(page.getByRole("link", { name: "Inbox", exact: true }))).toContain("solid");
  await page.emulateMedia({ forcedColors: "none", colorScheme: "light" });

  for (const [width, height, bar, last] of [
    [640, 400, "aside:has(nav)", "Settings"],
    [320, 256, "nav.fixed", "Integrations"],
  ] as const) {
    await page.setViewportSize({ width, height });
    const it = page.locator(bar);
    expect([bar, await it.evaluate((element) => getComputedStyle(element).position === "fixed")]).toEqual([bar, false]);
    await it.getByRole("link", { name: last }).click({ trial: true });
  }
});

test("offers skip links to the content and the question", async ({ page, app }) => {
  await app.ask({ question: "Ship it?" });
  await page.goto("/approvals");
  await settle(page);
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the question" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#question")).toBeFocused();
});

/** An element's rendered fill as the color of one pixel. Runs in the page. */
const painted = (page: Page) =>
  page
    .locator("[data-list] .app-tile")
    .first()
    .evaluate((tile) => {
      const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
      if (!canvas) throw new Error("No canvas");
      const pixelOf = (part: string) => {
        canvas.fillStyle = getComputedStyle(tile.querySelector(part) as Element).fill;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
      };
      const light = (rgb: number[]) => {
        const [r = 0, g = 0, b = 0] = rgb.map((it) => (it <= 10 ? it / 3294 : ((it / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      return Array.from({ length: 12 }, (_, hue) => {
        tile.setAttribute("data-hue", String(hue));
        const [ground, letters] = [pixelOf("rect"), pixelOf("text")];
        const [low = 0, high = 0] = [light(ground), light(letters)].sort((a, b) => a - b);
        return { ground: ground.join(" "), contrast: (high + 0.05) / (low + 0.05) };
      });
    });

test("draws app icons in twelve distinct colors with readable letters", async ({ page, owner, app }) => {
  const other = await anApp(owner, `Ledger ${app.name.slice(-6)}`);
  await app.ask({ question: "Ship it?" });
  await other.ask({ question: "Pay it?" });
  await page.goto("/approvals");
  await settle(page);
  const hues = () => page.locator("main .app-tile").evaluateAll((all) => all.map((it) => it.getAttribute("data-hue")));
  const inbox = await hues();
  expect(new Set(inbox)).toEqual(new Set(["0", "1"]));
  await go(page, "/apps");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Apps");
  expect(new Set(await hues())).toEqual(new Set(["0", "1"]));
  await go(page, "/approvals");
  await settle(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const tiles = await painted(page);
    expect(new Set(tiles.map(({ ground }) => ground)).size).toBe(12);
    for (const [hue, { contrast }] of tiles.entries())
      expect([colorScheme, hue, contrast >= 4.5, contrast]).toEqual([colorScheme, hue, true, contrast]);
  }
});
