import type { Page } from "@playwright/test";
import { changeSettings } from "@/lib/owners/settings";
import { expectShownWell } from "./axe-checks";
import { go } from "./client-navigation";
import { type App, expect, type Owner, test } from "./fixtures";
import { settle } from "./inbox-locators";
import { anAccountAtCorp } from "./linked-accounts";

// Checks owners' pages in different display and input modes.
test.describe.configure({ timeout: 120_000 });

const long = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";

/** Every page with content. */
async function full(owner: Owner, app: App): Promise<string[]> {
  const id = await app.ask({
    question: `Ship ${long} build 418 to production today?`,
    recommendation: "yes",
    backgroundContext: `${long}\n\n| check | state |\n|---|---|\n| ${long} | pass |\n\n\`\`\`\n${long} ${long}\n\`\`\`\n\n${"x".repeat(400)}`,
  });
  const answered = await app.ask({ question: "Pay invoice 88?" });
  await app.call(`/api/approvals/${answered}/resolve`, { kind: "other", otherText: `${long} ${long}` });
  await app.push({ title: `Backup of ${long} finished`, body: "All volumes.\n".repeat(4), type: "ops.backup" });
  await changeSettings(owner, { quiet: { from: 1320, until: 420 } });
  const account = await anAccountAtCorp(owner, {
    email: `${long}@work.example`,
    accountName: long,
    buckets: ["identity", "mail"],
    status: "needs_reauth",
    scopes: ["mail:read", `https://corp.example/${long}`],
    asked: ["mail.read", "files.read"],
  });
  return [
    ...["/approvals", `/approvals/${id}`, "/approvals?status=resolved", "/notifications", "/integrations", "/apps"],
    ...[`/apps/${app.clientId}`, "/activity", "/phone", "/developer", `/developer/${app.clientId}`, "/device"],
    ...[
      "/settings",
      "/settings/security",
      "/settings/alerts",
      "/settings/answering",
      "/settings/look",
      "/settings/data",
    ],
    ...[`/integrations/${account}`, "/integrations/link", "/integrations/link/corp"],
  ];
}

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** A display or input mode. It is tested on an open page and then reset. */
type Way = (page: Page, path: string) => Promise<void>;
/** Tests the effect of settings on a page. The settings' own tests cover saving them. */
const choose = (page: Page, choice: { theme?: string; density?: string; motion?: string }) =>
  page.evaluate((to) => void Object.assign(document.documentElement.dataset, to), choice);

const zoomed: Way = async (page, path) => {
  // Zoom reduces the number of CSS pixels, and so does doubling the browser's text size.
  for (const [width, height] of [
    [640, 400],
    [320, 256],
  ] as const) {
    await page.setViewportSize({ width, height });
    expect([path, width, await sideways(page)]).toEqual([path, width, 0]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
};

const inForcedColors: Way = async (page, path) => {
  await page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
  const bare = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("button, a[href], [role=switch]")]
      .filter((it) => it.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((it) => {
        const style = getComputedStyle(it);
        const named = it.textContent.trim() !== "" || it.querySelector("svg") !== null;
        return !named && Number.parseFloat(style.borderTopWidth) === 0 && it.querySelector("[class*=border]") === null;
      })
      .map((it) => it.outerHTML.slice(0, 120)),
  );
  expect([path, bare]).toEqual([path, []]);
  if (path === "/settings/look") {
    const outline = (name: string) =>
      page
        .locator("#density label")
        .filter({ hasText: name })
        .evaluate((label) => getComputedStyle(label).outlineStyle);
    expect([await outline("Comfortable"), await outline("Compact")]).toEqual(["solid", "none"]);
  }
  await page.emulateMedia({ forcedColors: "none", colorScheme: "light" });
};

const withLessMotion: Way = async (page, path) => {
  const moving = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("*:not(.arming)")]
        .filter((it) => {
          const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(it);
          return /[1-9]/.test(transitionDuration) || animationName !== "none" || scrollBehavior === "smooth";
        })
        .map((it) => it.outerHTML.slice(0, 100)),
    );
  // A decision's options fade to their hover color.
  if (path.startsWith("/approvals/")) expect((await moving()).length).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect([path, "by the system", await moving()]).toEqual([path, "by the system", []]);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  // A change may re-render the page with the stored values before the new ones are saved.
  await expect(async () => {
    await choose(page, { motion: "reduced" });
    expect([path, "by choice", await moving()]).toEqual([path, "by choice", []]);
  }).toPass();
  await choose(page, { motion: "system" });
};

const compact: Way = async (page, path) => {
  await choose(page, { density: "compact" });
  await expectShownWell(page, `${path}, compact`);
  await choose(page, { density: "comfortable" });
};

const inTheOwnersTheme: Way = async (page, path) => {
  for (const [theme, system] of [
    ["dark", "light"],
    ["light", "dark"],
  ] as const) {
    await page.emulateMedia({ colorScheme: system });
    await choose(page, { theme });
    await expectShownWell(page, `${path}, ${theme} by choice`);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await choose(page, { theme: "system" });
};

/** Pages after the first start at the skip link's target, past the parts that every page shares. */
const byKeyboard: Way = async (page, path) => {
  await settle(page);
  // Steps back from a field that the page focuses, so that the walk includes the field.
  if (await page.locator("input:focus").count()) await page.keyboard.press("Shift+Tab");
  const seen = new Set<string>();
  for (let presses = 0; presses < 150; presses++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(whereIsTheFocus);
    // The browser's own controls come after the last element.
    if (!at) break;
    expect([path, at.what, at.shown]).toEqual([path, at.what, true]);
    expect([path, at.what, at.covered]).toEqual([path, at.what, false]);
    if (seen.has(at.id)) break;
    seen.add(at.id);
  }
  expect([path, seen.size > 1]).toEqual([path, true]);
};

const ways: [title: string, way: Way, on?: (path: string, at: number) => boolean][] = [
  ["fits at 200% zoom and at 320 px without sideways scrolling", zoomed],
  ["shows edges and selections in forced colors", inForcedColors],
  ["moves nothing with reduced motion", withLessMotion],
  ["passes axe at compact density", compact],
  ["applies the owner's theme instead of the system's theme", inTheOwnersTheme, (_, at) => at < 3],
  ["reaches every control by keyboard with a visible focus", byKeyboard],
];

test("keeps every page usable in every display and input mode", async ({ page, owner, app }) => {
  const paths = await full(owner, app);
  await page.goto(paths[0] ?? "");
  for (const [at, path] of paths.entries()) {
    if (at > 0) await go(page, path);
    for (const [title, way, on] of ways)
      if (on?.(path, at) ?? true) await test.step(`${title} on ${path}`, () => way(page, path));
  }
});

/** Whether the focused element is visibly focused and not covered by a bar. Runs in the page. */
function whereIsTheFocus() {
  const element = document.activeElement as HTMLElement | null;
  if (!element || element === document.body) return null;
  element.dataset.visited ??= String(document.querySelectorAll("[data-visited]").length);
  const outlined = (it: Element | null) => {
    if (!it) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(it);
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
  };
  // The visible label shows the focus of hidden inputs.
  const drawn =
    getComputedStyle(element).clipPath !== "none" || element.matches(".sr-only") ? element.closest("label") : element;
  const box = (drawn ?? element).getBoundingClientRect();
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height / 2, 20));
  const bar = top?.closest("[data-bar], nav.fixed");
  return {
    id: element.dataset.visited,
    what: element.outerHTML.slice(0, 120),
    shown: outlined(drawn) || outlined(element),
    covered: bar !== null && bar !== undefined && !bar.contains(element),
  };
}

test("keeps the focus in place after a change and after a dialog closes", async ({ page, owner, app }) => {
  await full(owner, app);
  const focused = () => page.evaluate(() => document.activeElement?.tagName);
  await page.goto("/settings/answering");
  await settle(page);
  await page.locator("#alwaysConfirm").getByRole("switch").focus();
  await page.keyboard.press("Space");
  await expect(page.locator("#alwaysConfirm").getByRole("status")).toHaveText("Saved");
  await expect(page.locator("#alwaysConfirm").getByRole("switch")).toBeFocused();
  await page.goto("/settings/alerts");
  await settle(page);
  await page.locator("#quiet").getByRole("switch").focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("#quiet-times")).toHaveCount(0);
  await expect(page.locator("#quiet").getByRole("switch")).toBeFocused();
  await page.goto("/settings/look");
  await settle(page);
  await page.locator("#theme").getByRole("radio", { name: "Same as system" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.locator("#theme").getByRole("radio", { name: "Light" })).toBeFocused();
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  // While a radio button has the focus, letters are not shortcuts.
  await expect(page).toHaveURL(/\/settings\/look$/);
  await page.goto("/settings/data");
  await settle(page);
  await page.getByRole("button", { name: "Delete my account" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Delete my account" })).toBeFocused();
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await expect(page).toHaveURL(/\/apps$/);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/apps/${app.clientId}`);
  await page.getByRole("switch", { name: "Ask you questions" }).focus();
  await page.keyboard.press("Space");
  await expect(page.getByText("can no longer ask you questions.")).toBeAttached();
  expect(await focused()).not.toBe("BODY");
});
