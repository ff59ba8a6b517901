import type { Page } from "@playwright/test";
import { changeSettings, readSettings } from "@/lib/owners/settings";
import { expectClean } from "./axe-checks";
import { go } from "./client-navigation";
import { anApp, expect, test } from "./fixtures";
import { settle, theQuestion } from "./inbox-locators";

const palette = (page: Page) => page.getByRole("dialog", { name: "Search and navigate" });
const input = (page: Page) => palette(page).getByRole("combobox");
const help = (page: Page) => page.getByRole("dialog", { name: "Keyboard shortcuts" });

/** Collects errors and violations of the content security policy. */
function troubles(page: Page): string[] {
  const all: string[] = [];
  page.on("console", (message) => message.type() === "error" && all.push(message.text()));
  page.on("pageerror", (error) => all.push(String(error)));
  return all;
}

test("opens the palette with Ctrl+K or ⌘K and jumps to settings and pages", async ({ page, owner: _ }) => {
  const wrong = troubles(page);
  const scripts: string[] = [];
  page.on("request", (request) => request.resourceType() === "script" && scripts.push(request.url()));
  await page.goto("/developer");
  await settle(page);
  const before = scripts.length;
  await page.getByLabel("Name").focus();
  await page.keyboard.press("Control+k");
  await expect(input(page)).toBeFocused();
  expect(scripts.length, "it came when it was asked for").toBeGreaterThan(before);
  await page.keyboard.press("Escape");
  await expect(palette(page)).toHaveCount(0);
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.keyboard.press("Control+k");
  await expect(input(page)).toBeFocused();
  await page.keyboard.press("Control+k");
  await expect(palette(page)).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("dark");
  await expect(palette(page).getByRole("option").first()).toHaveText("Look");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/settings\/look$/);
  await expect(page.locator("#theme")).toBeInViewport();
  await page.keyboard.press("Meta+k");
  await page.keyboard.type("quiet hours");
  await page.keyboard.press("Enter");
  await expect(page.locator("#quiet")).toBeFocused();
  for (const [words, place] of [
    ["export my", "export"],
    ["delete my", "delete"],
    ["email alerts", "emailAlerts"],
  ] as const) {
    await page.keyboard.press("Control+k");
    await page.keyboard.type(words);
    await page.keyboard.press("Enter");
    await expect(page.locator(`#${place}`)).toBeFocused();
  }
  await page.keyboard.press("Control+k");
  await page.keyboard.type("activ");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/activity$/);
  await expect(page.getByRole("main")).toBeFocused();
  expect(wrong).toEqual([]);
});

test("finds apps, pending questions and page commands in the palette", async ({ page, owner, app }) => {
  const wrong = troubles(page);
  await app.ask({ question: "Ship build 418 to production?" });
  const id = await app.ask({ question: "Pay invoice 88 from Acme?" });
  const ledger = await anApp(owner, `Ledger ${app.name.split(" ")[1]}`);
  await page.goto("/approvals");
  await settle(page);
  await page.keyboard.press("Control+k");
  await expect(palette(page).getByRole("option", { name: "Next question" })).toContainText("j");
  await expect(palette(page).getByRole("option", { name: /^Apps/ })).toContainText("c");
  await page.keyboard.type("invoice pay");
  const found = palette(page).getByRole("option", { name: /Pay invoice 88/ });
  await expect(found).toContainText(app.name);
  await expect(palette(page).getByRole("option", { name: /Ship build/ })).toHaveCount(0);
  await found.click();
  await expect(page).toHaveURL(`/approvals/${id}`);
  await expect(theQuestion(page).filter({ visible: true })).toHaveText("Pay invoice 88 from Acme?");
  await page.goto("/approvals");
  await settle(page);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("own words");
  await page.keyboard.press("Enter");
  await expect(palette(page)).toHaveCount(0);
  if ((page.viewportSize()?.width ?? 0) > 1000) await expect(page.getByLabel("Your own answer")).toBeFocused();
  await page.keyboard.press("Control+k");
  await input(page).fill(ledger.name);
  await palette(page).getByRole("option", { name: ledger.name }).click();
  await expect(page).toHaveURL(`/apps/${ledger.clientId}`);
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Escape");
  // Two components on that page bind keys under one heading.
  await go(page, "/apps");
  await settle(page);
  await page.keyboard.press("Control+k");
  await expect(palette(page).getByRole("option", { name: "Revoke access" })).toBeVisible();
  await expect(
    palette(page)
      .locator("[cmdk-group-heading]")
      .filter({ hasText: /^Apps$/ }),
  ).toHaveCount(1);
  await page.keyboard.type("zzzz nothing is called that");
  await expect(palette(page).getByText("No results")).toBeVisible();
  expect(wrong).toEqual([]);
  await input(page).fill("sign out");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/sign-in/);
});

test("reopens the palette when its shortcut is pressed immediately after a choice", async ({ page, owner: _ }) => {
  await page.goto("/settings");
  await settle(page);
  await page.keyboard.press("Control+k");
  await input(page).fill("quiet hours");
  await expect(palette(page).getByRole("option").first()).toHaveText("Quiet hours");
  // The second key arrives once React has handled the first, but before the dialog's close event.
  await input(page).evaluate(async (box) => {
    const press = (from: Element, key: string, ctrlKey: boolean) =>
      from.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true, cancelable: true }));
    press(box, "Enter", false);
    await Promise.resolve();
    press(document.body, "k", true);
  });
  await expect(input(page)).toBeFocused();
  await expect(input(page)).toHaveValue("");
});

test("preserves keys typed before the palette has loaded", { tag: "@more" }, async ({ page, app }) => {
  const id = await app.ask({ question: "Ship build 418?" });
  await page.goto("/approvals");
  await settle(page);
  let [scripts, come] = [Promise.resolve(), () => {}];
  const hold = () => {
    scripts = new Promise((resolve) => {
      come = resolve;
    });
  };
  await page.route(/\.js(\?|$)/, async (route) => {
    await scripts;
    await route.continue();
  });
  hold();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("1 o ship", { delay: 20 });
  await expect(palette(page).getByRole("textbox")).toHaveValue("1 o ship");
  come();
  await expect(input(page)).toHaveValue("1 o ship");
  await expect(input(page)).toBeFocused();
  await page.keyboard.press("Control+k");
  hold();
  await page.keyboard.press("?");
  await page.keyboard.press("1");
  await expect(help(page)).toBeVisible();
  come();
  await page.waitForTimeout(800);
  expect((await app.read(id)).status).toBe("pending");
});

test("opens the palette from the menu on a phone", { tag: "@more" }, async ({ page, owner: _ }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/approvals");
  const more = page.locator("summary").filter({ hasText: "More" });
  await more.click();
  const menu = page.getByRole("navigation", { name: "Main" }).filter({ visible: true });
  await menu.getByRole("button", { name: "Search" }).click();
  await expect(input(page)).toBeFocused();
  await palette(page).getByRole("button", { name: "Close" }).click();
  await expect(more).toBeFocused();
  await more.click();
  await page.getByRole("button", { name: "Keyboard shortcuts" }).filter({ visible: true }).click();
  await expect(help(page)).toBeVisible();
  await help(page).getByRole("button", { name: "Close" }).click();
  await expect(help(page)).toHaveCount(0);
});

test("opens each main page with g followed by another key", { tag: "@more" }, async ({ page, owner: _, app }) => {
  await app.ask({});
  await page.goto("/settings");
  await settle(page);
  const places = {
    a: "/approvals",
    n: "/notifications",
    i: "/integrations",
    c: "/apps",
    l: "/activity",
    d: "/developer",
    s: "/settings",
  };
  for (const [key, path] of Object.entries(places)) {
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await expect(page.getByRole("main")).toBeFocused();
    await page.keyboard.press("?");
    await expect(help(page).getByText("Go to Apps")).toBeVisible();
    await expect(help(page).locator("kbd").first()).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(help(page)).toHaveCount(0);
  }
  await page.keyboard.press("g");
  await page.waitForTimeout(1100);
  await page.keyboard.press("a");
  await page.waitForTimeout(300);
  await expect(page).toHaveURL(/\/settings$/);
});

/** Presses the help dialog's key until the page listens to keys. */
const openHelp = (page: Page) =>
  expect(async () => {
    await page.keyboard.press("?");
    await expect(help(page)).toBeVisible({ timeout: 3000 });
  }).toPass();

test("lets the owner turn off single-key shortcuts in the help dialog", {
  tag: "@more",
}, async ({ page, context, owner, app }) => {
  const id = await app.ask({ question: "First?" });
  await page.goto("/approvals");
  await settle(page);
  await page.keyboard.press("?");
  await expect(help(page).getByText("Choose an option by its number")).toBeVisible();
  await page.keyboard.press("1");
  await help(page).getByRole("switch", { name: "Single-key shortcuts" }).click();
  await expect(help(page).getByRole("status")).toHaveText("Saved");
  await help(page).getByRole("button", { name: "Close" }).click();
  await page.keyboard.press("1");
  await page.reload();
  await settle(page);
  await page.keyboard.press("1");
  await page.keyboard.press("?");
  await page.waitForTimeout(300);
  await expect(help(page)).toHaveCount(0);
  expect((await app.read(id)).status).toBe("pending");
  await changeSettings(owner, { singleKeys: true });
  await openHelp(page);

  const single = help(page).getByRole("switch", { name: "Single-key shortcuts" });
  await expect(single).toBeChecked();
  await context.setOffline(true);
  await single.click();
  await expect(help(page).getByRole("status")).toHaveText(/^Couldn’t save/);
  await expect(single).toBeChecked();
  await help(page).getByRole("button", { name: "Close" }).click();
  await expect(help(page)).toBeHidden();
  await openHelp(page);
  await context.setOffline(false);
  expect((await readSettings(owner)).singleKeys).toBe(true);
});

test("moves between rows with j and k and opens a row with Enter", async ({ page, owner, app }) => {
  const second = await anApp(owner);
  for (const place of ["/apps", "/developer"]) {
    await page.goto(place);
    await settle(page);
    const rows = page.locator("main [data-row]");
    await page.keyboard.press("j");
    await expect(rows.first()).toBeFocused();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await expect(rows.nth(1)).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await expect(rows.first()).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${place}/${second.clientId}`);
  }
  expect(app.clientId).not.toBe(second.clientId);
  await go(page, "/settings/look");
  await settle(page);
  await page.keyboard.press("k");
  await expect(page.locator("#motion")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#motion").getByRole("radio", { name: "Same as system" })).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(page.locator("html")).toHaveAttribute("data-motion", "reduced");
});

test("keeps a found question in the palette's results while the owner types", {
  tag: "@more",
}, async ({ page, app }) => {
  await app.ask({ question: "Ship build 418?" });
  // The word is outside the excerpt that the palette shows, so only the server can find it.
  const id = await app.ask({ question: `Pay Acme? ${"It has waited. ".repeat(20)}See invoice 88.` });
  await page.goto("/approvals");
  await settle(page);
  await page.keyboard.press("Control+k");
  await expect(input(page)).toBeFocused();
  await expectClean(page, "the palette");
  await page.keyboard.type("ship");
  await expect(palette(page).getByRole("option", { name: /Ship build/ })).toBeVisible();
  await expectClean(page, "the palette with something found");
  await input(page).fill("zzzzzz");
  await expectClean(page, "the palette with nothing found");
  await page.keyboard.press("Escape");
  await expect(palette(page)).toBeHidden();
  // The focus leaves the palette's field a moment after the palette closes.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("INPUT");
  await page.keyboard.press("?");
  await expect(help(page)).toBeVisible();
  await expectClean(page, "the help");
  await page.keyboard.press("Escape");
  await expect(help(page)).toBeHidden();

  await page.keyboard.press("Control+k");
  await page.keyboard.type("inv");
  const found = palette(page).getByRole("option", { name: /Pay Acme/ });
  await expect(found).toBeVisible();
  await page.keyboard.type("oice");
  await expect(found).toBeVisible();
  await expect(palette(page).getByText("No results")).toHaveCount(0);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/approvals/${id}`);
});
