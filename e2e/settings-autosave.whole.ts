import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Locator, Page } from "@playwright/test";
import { db } from "@/lib/database/db";
import { changeSettings, defaults, readSettings } from "@/lib/owners/settings";
import { answersSent } from "./answers-sent";
import { anApp, expect, type Owner, serviceUrl, signIn, test } from "./fixtures";
import { settle } from "./inbox-locators";
import { signedInBefore } from "./stale-sign-in";

const row = (page: Page, setting: string) => page.locator(`form#${setting}`);
/** The label draws the radio button. */
const pick = (form: Locator, label: string) => form.getByText(label, { exact: true }).click();
const html = (page: Page) => page.locator("html");
const kept = (owner: Owner) => readSettings(owner);

test("saves every setting as soon as the setting changes", { tag: "@more" }, async ({ page, owner }) => {
  await page.goto("/settings/answering");
  await pick(row(page, "undoSeconds"), "10 s");
  await expect(row(page, "undoSeconds").getByRole("status")).toHaveText("Saved");
  await row(page, "alwaysConfirm").getByRole("switch").click();
  await row(page, "singleKeys").getByRole("switch").click();
  await expect(row(page, "singleKeys").getByRole("status")).toHaveText("Saved");
  await page.goto("/settings/alerts");
  await pick(row(page, "lockScreen"), "App name and text");
  await row(page, "quiet").getByRole("switch").click();
  await page.getByLabel("From", { exact: true }).fill("21:30");
  await expect(row(page, "quiet-times").getByRole("status")).toHaveText("Saved");
  await row(page, "quietDays").getByText("Su", { exact: true }).click();
  await row(page, "quietBreakthrough").getByRole("switch").click();
  await expect(row(page, "quietBreakthrough").getByRole("status")).toHaveText("Saved");
  await page.goto("/settings");
  await row(page, "timeZone").getByRole("combobox").selectOption("Europe/Berlin");
  await expect(row(page, "timeZone").getByRole("status")).toHaveText("Saved");
  await page.goto("/settings/look");
  await pick(row(page, "density"), "Compact");
  await pick(row(page, "motion"), "Reduced");
  await expect(row(page, "motion").getByRole("status")).toHaveText("Saved");
  expect(await kept(owner)).toEqual({
    ...defaults,
    zoneKnown: true,
    undoSeconds: 10,
    alwaysConfirm: true,
    singleKeys: false,
    lockScreen: "full",
    timeZone: "Europe/Berlin",
    quiet: { from: 21 * 60 + 30, until: 7 * 60 },
    quietDays: [1, 2, 3, 4, 5, 6],
    quietBreakthrough: false,
    density: "compact",
    motion: "reduced",
  });
  await page.goto("/settings/answering");
  await expect(row(page, "undoSeconds").getByRole("radio", { name: "10 s" })).toBeChecked();
  await expect(row(page, "singleKeys").getByRole("switch")).not.toBeChecked();
  await page.goto("/settings");
  await expect(row(page, "timeZone").getByRole("combobox")).toHaveValue("Europe/Berlin");
  await page.goto("/settings/alerts");
  await expect(page.getByLabel("From", { exact: true })).toHaveValue("21:30");
  await expect(row(page, "quietDays").getByRole("checkbox", { name: "Sunday" })).not.toBeChecked();
  await row(page, "quiet").getByRole("switch").click();
  await expect(row(page, "quiet-times")).toHaveCount(0);
  expect((await kept(owner)).quiet).toBeNull();
});

test("saves quiet hours even if the owner leaves the page immediately", {
  tag: "@more",
}, async ({ page, owner }) => {
  await changeSettings(owner, { quiet: { from: 22 * 60, until: 7 * 60 } });
  const go = async (name: string) => {
    await page.getByRole("link", { name, exact: true }).filter({ visible: true }).first().click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
    if (name === "Settings") await page.getByRole("link", { name: "Alerts", exact: true }).click();
    await settle(page);
  };
  await page.goto("/activity");
  await settle(page);
  await go("Settings");
  await page.getByLabel("From", { exact: true }).fill("21:30");
  await go("Activity");
  await expect.poll(async () => (await kept(owner)).quiet).toEqual({ from: 21 * 60 + 30, until: 7 * 60 });
  await go("Settings");
  // The focus stays in the field while the page unloads.
  await page.getByLabel("Until", { exact: true }).fill("06:30");
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Name and email" })).toBeVisible();
  await expect.poll(async () => (await kept(owner)).quiet).toEqual({ from: 21 * 60 + 30, until: 6 * 60 + 30 });

  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const open = new Set<unknown>();
  await page.route(/\/acts\/setting\./, async (route) => {
    open.add(route.request());
    await released;
    await route.continue();
  });
  page.on("requestfinished", (request) => open.delete(request));
  await go("Settings");
  await page.getByLabel("From", { exact: true }).fill("20:30");
  await row(page, "quiet").getByRole("switch").click();
  await expect.poll(() => open.size).toBeGreaterThan(0);
  await expect(row(page, "quiet").getByRole("switch")).not.toBeChecked();
  release();
  await expect(row(page, "quiet").getByRole("status")).toHaveText("Saved");
  await expect(row(page, "quiet-times")).toHaveCount(0);
  await expect.poll(() => open.size).toBe(0);
  await expect(row(page, "quiet").getByRole("switch")).not.toBeChecked();
  expect((await kept(owner)).quiet).toBeNull();
});

test("applies a new theme, density or shortcut setting in every open tab", { tag: "@more" }, async ({
  page,
  context,
  owner,
  app,
}) => {
  const id = await app.ask({ question: `Ship build 418? ${"It is long. ".repeat(30)}` });
  const other = await context.newPage();
  await other.goto("/approvals");
  await settle(other);
  await page.goto("/settings/look");
  await expect(html(page)).toHaveAttribute("data-theme", "system");
  await pick(row(page, "theme"), "Dark");
  await expect(html(page)).toHaveAttribute("data-theme", "dark");
  await expect(html(other)).toHaveAttribute("data-theme", "dark");
  await expect(row(page, "theme").getByRole("status")).toHaveText("Saved");
  // The server's HTML already includes the theme, also on the sign-in pages.
  for (const path of ["/approvals", "/no/such/page"]) {
    expect(await (await page.request.get(path)).text()).toMatch(/<html[^>]*data-theme="dark"/);
  }
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(await background()).toBe("rgb(16, 18, 17)");
  await pick(row(page, "theme"), "Light");
  expect(await background()).toBe("rgb(255, 255, 255)");
  await expect(row(page, "theme").getByRole("status")).toHaveText("Saved");
  // The owner selects the theme on another device. This browser is notified, and stores the theme
  // for its next first paint.
  await changeSettings(owner, { theme: "dark" });
  await page.reload();
  await expect(html(page)).toHaveAttribute("data-theme", "dark");
  await expect
    .poll(async () => /<html[^>]*data-theme="dark"/.test(await (await page.request.get("/settings")).text()))
    .toBe(true);

  const height = async () => Math.round((await other.locator("a[data-row]").first().boundingBox())?.height ?? 0);
  expect(await height()).toBeGreaterThanOrEqual(64);
  await changeSettings(owner, { density: "compact" });
  await expect(html(other)).toHaveAttribute("data-density", "compact");
  expect(await height()).toBe(42);

  await page.goto("/settings/answering");
  const singleKeys = async (becomes: "on" | "off") => {
    await page.bringToFront();
    await row(page, "singleKeys").getByRole("switch").click();
    await expect(row(page, "singleKeys").getByRole("status")).toHaveText("Saved");
    await other.bringToFront();
    await expect(other.locator("[data-keys]")).toHaveAttribute("data-keys", becomes);
  };
  await singleKeys("off");
  const sent = answersSent(other);
  await other.keyboard.press("1");
  await other.keyboard.press("?");
  expect(await sent()).toEqual([]);
  expect((await app.read(id)).status).toBe("pending");
  await expect(other.getByRole("dialog")).toHaveCount(0);
  await other.keyboard.press("Control+k");
  await expect(other.getByRole("dialog")).toBeVisible();
  await other.keyboard.press("Escape");
  await singleKeys("on");
  await other.keyboard.press("1");
  await expect(async () => expect((await app.read(id)).status).toBe("resolved")).toPass();
});

test("applies the owner's theme in another browser", { tag: "@more" }, async ({ browser, owner }) => {
  await changeSettings(owner, { theme: "dark", density: "compact", motion: "reduced" });
  const elsewhere = await (await browser.newContext({ baseURL: serviceUrl() })).newPage();
  await signIn(elsewhere, owner);
  const first = await (await elsewhere.request.get("/approvals")).text();
  expect(first).toMatch(/data-theme="dark" data-density="compact" data-motion="reduced"/);
  await elsewhere.goto("/settings/security");
  await elsewhere.getByRole("button", { name: "Sign out this device" }).click();
  await expect(elsewhere).toHaveURL(/\/sign-in/);
  await expect(html(elsewhere)).toHaveAttribute("data-theme", "dark");
  await elsewhere.context().close();
});

test.describe(() => {
  test.use({ timezoneId: "America/New_York" });
  test("reverts a setting that failed to save", async ({ page, context, owner }) => {
    await changeSettings(owner, { timeZone: "UTC" });
    await page.goto("/settings/look");
    await settle(page);
    await context.setOffline(true);
    await pick(row(page, "theme"), "Dark");
    await expect(row(page, "theme").getByRole("status")).toHaveText(
      "Couldn’t save the setting. The server isn’t responding. Try again.",
    );
    await expect(html(page)).toHaveAttribute("data-theme", "system");
    await expect(row(page, "theme").getByRole("radio", { name: "Same as system" })).toBeChecked();
    await context.setOffline(false);
    // A server-side rejection shows the same text.
    await page.goto("/settings");
    await row(page, "timeZone")
      .getByRole("combobox")
      .evaluate((select: HTMLSelectElement) => select.add(new Option("Mars", "Mars/Olympus")));
    await row(page, "timeZone").getByRole("combobox").selectOption("Mars/Olympus");
    await expect(row(page, "timeZone").getByRole("status")).toHaveText(
      "Couldn’t save the setting. Must be a time zone, like Europe/Berlin",
    );
    await expect(row(page, "timeZone").getByRole("combobox")).toHaveValue("UTC");
    expect(await kept(owner)).toEqual({ ...defaults, zoneKnown: true });

    await page.getByRole("button", { name: "Use New York time" }).click();
    await expect(row(page, "timeZone").getByRole("combobox")).toHaveValue("America/New_York");
    await expect(page.getByRole("button", { name: /^Use .* time$/ })).toHaveCount(0);
    await expect.poll(async () => (await kept(owner)).timeZone).toBe("America/New_York");
  });
});

test.describe(() => {
  test.use({ timezoneId: "Asia/Tokyo", locale: "en-US" });
  test("uses the browser's time zone and region by default", {
    tag: "@more",
  }, async ({ browser, page, owner, app }) => {
    // React reports hydration mismatches on the console.
    const errors: string[] = [];
    const listen = (one: Page) => {
      one.on("pageerror", ({ message }) => errors.push(message));
      one.on("console", (it) => it.type() === "error" && errors.push(it.text()));
    };
    listen(page);
    const address = `/approvals/${await app.ask({ question: "Tonight?" })}`;
    await page.goto(address);
    await expect.poll(async () => (await kept(owner)).timeZone).toBe("Asia/Tokyo");
    await settle(page);
    await page.keyboard.press("h");
    const until = (name: RegExp) => page.getByRole("button", { name });
    // After 6 PM, "this evening" is on the next day.
    await expect(until(/^(This|Tomorrow) evening/)).toContainText("6:00\u00a0PM");
    await expect(until(/^Tomorrow morning/)).toContainText("8:00\u00a0AM");
    // Compares the server-rendered text with the text that scripts produce in the new time zone.
    const morning = await until(/^Tomorrow morning/)
      .locator("span")
      .last()
      .textContent();
    await expect(page.locator('form button[value="tomorrow"] span')).toHaveText(`${morning}`);
    await until(/^Tomorrow morning/).click();
    await expect(page.locator("[data-toast]")).toContainText(/until tomorrow 8:00\u00a0AM/);

    const storageState = await page.context().storageState();
    const german = await browser.newContext({ storageState, locale: "de-DE", timezoneId: "Asia/Tokyo" });
    const there = await german.newPage();
    listen(there);
    await there.goto(serviceUrl() + address);
    await settle(there);
    await expect(there.getByText("Snoozed until").locator("time")).toHaveText("tomorrow 08:00");
    await there.keyboard.press("h");
    await expect(there.locator('form button[value="tomorrow"] span')).toHaveText(/^\w{3} 08:00$/);
    await expect(there.getByRole("button", { name: /^Tomorrow morning/ })).toContainText(/\w{3} 08:00/);
    await german.close();
    expect(errors).toEqual([]);
  });
});

test.describe(() => {
  test.use({ javaScriptEnabled: false });

  test("saves settings with buttons and deletes the account when scripts are off", {
    tag: "@more",
  }, async ({ page, owner }) => {
    await page.goto("/settings/look");
    await pick(row(page, "theme"), "Dark");
    await row(page, "theme").getByRole("button", { name: "Save" }).click();
    await expect(row(page, "theme").getByRole("status")).toHaveText("Saved");
    await expect(html(page)).toHaveAttribute("data-theme", "dark");
    await page.goto("/settings/answering");
    await row(page, "alwaysConfirm").getByRole("switch").click();
    await page.goto("/settings/alerts");
    await row(page, "quiet").getByRole("switch").click();
    await page.getByLabel("Until", { exact: true }).fill("06:15");
    await row(page, "quiet-times").getByRole("button", { name: "Save" }).click();
    await row(page, "quietDays").getByText("Mo", { exact: true }).click();
    await row(page, "quietDays").getByRole("button", { name: "Save" }).click();
    await expect(row(page, "quietDays").getByRole("status")).toHaveText("Saved");
    expect(await kept(owner)).toMatchObject({
      theme: "dark",
      alwaysConfirm: true,
      quiet: { from: 22 * 60, until: 6 * 60 + 15 },
      quietDays: [0, 2, 3, 4, 5, 6],
    });
    await row(page, "quiet").getByRole("switch").click();
    await expect(row(page, "quiet").getByRole("switch")).not.toBeChecked();
    expect((await kept(owner)).quiet).toBeNull();
    await expect(page.getByRole("button", { name: "Search" })).toHaveCount(0);

    await page.getByRole("link", { name: "Data", exact: true }).click();
    await page.getByText("Delete my account").click();
    await page.getByLabel("Type your email to confirm").fill(owner.email);
    await page.getByRole("button", { name: "Delete permanently" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your account was deleted");
    expect(await db.owner.findUnique({ where: { id: owner.ownerId } })).toBeNull();
  });
});

test("exports the owner's data and archive", async ({ page, owner, app }) => {
  const id = await app.ask({ question: "Ship it?" });
  await page.goto("/settings/data");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export my data" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("countersign-data.json");
  const data = JSON.parse(readFileSync(await download.path(), "utf8"));
  expect(data.account).toMatchObject([{ email: owner.email }]);
  expect(data.approvalsWaiting).toMatchObject([{ id, question: "Ship it?" }]);
  expect(JSON.stringify(data)).not.toContain(app.token);

  // Answers removed by retention are in a separate archive.
  await expect(page.getByText(/Your archive/)).toHaveCount(0);
  await db.archivePart.create({
    data: {
      ...{ ownerId: owner.ownerId, kind: "answers", rows: 1, data: gzipSync('{"approval":{"id":"apr_1"}}\n') },
      ...{ firstAt: new Date("2026-01-02"), lastAt: new Date("2026-01-03") },
    },
  });
  await page.reload();
  await expect(page.getByText(/Your archive contains 1 answered question from Jan 2(, 2026)?, /)).toBeVisible();
  const [archive] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download archive" }).click(),
  ]);
  expect(archive.suggestedFilename()).toBe("countersign-archive.jsonl");
  expect(readFileSync(await archive.path(), "utf8")).toBe('{"approval":{"id":"apr_1"}}\n');
  await page.context().clearCookies();
  const nobody = await page.request.get("/settings/export", { maxRedirects: 0 });
  expect([nobody.status(), nobody.headers().location]).toEqual([307, "/sign-in?next=%2Fsettings%2Fdata%23export"]);
  // An owner who was signed out in the meantime is sent to sign-in, and no broken file is saved.
  const files: string[] = [];
  page.on("download", (file) => files.push(file.suggestedFilename()));
  await page.getByRole("link", { name: "Export my data" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  expect(files).toEqual([]);
});

test("deletes the account after the owner confirms the account's email", { tag: "@more" }, async ({
  page,
  context,
  owner,
}) => {
  const app = await anApp(owner);
  const other = await context.newPage();
  await other.goto("/approvals");
  await signedInBefore(owner, 11);
  await page.goto("/settings/data");
  const dialog = page.getByRole("dialog");
  const sure = async (email: string) => {
    await page.getByRole("button", { name: "Delete my account" }).click();
    await dialog.getByLabel("Type your email to confirm").fill(email);
    await dialog.getByRole("button", { name: "Delete permanently" }).click();
  };
  await sure(owner.email);
  await expect(dialog.getByText("Sign in again to continue.")).toBeVisible();
  await signedInBefore(owner, 0);
  await page.reload();
  await sure("somebody@example.com");
  await expect(dialog.getByText("This email doesn’t match your account").first()).toBeVisible();
  expect((await app.call("/api/approvals")).status).toBe(200);
  await page.evaluate(() => caches.open("pages"));
  await dialog.getByLabel("Type your email to confirm").fill(owner.email);
  await dialog.getByRole("button", { name: "Delete permanently" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your account was deleted");
  await expect.poll(() => page.evaluate(() => caches.has("pages"))).toBe(false);
  expect((await app.call("/api/approvals")).status).toBe(401);
  await expect(other).toHaveURL(/\/sign-in/);
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("The email or password is wrong")).toBeVisible();
});
