import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { db } from "@/lib/db";
import { newId } from "@/lib/ids";
import { scopeNames } from "@/lib/scopes";
import { anOwner } from "@/lib/testing/factories";
import { expect, test } from "./fixtures";
import { aBrowserApp } from "./oauth-app";

const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

// Looked at in every size and theme by each test itself; tracing would slow axe down.
test.use({ trace: "off" });
// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures needed from the pattern.
test.beforeEach(({}, { project }) => {
  test.setTimeout(120_000);
  test.skip(project.name !== "desktop", "sizes and themes are the test's own");
});

/** axe finds nothing in either theme, nothing sticks out, also at 320 px; every target can be hit. */
async function expectAccessible(page: Page, what: string) {
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const { violations } = await new AxeBuilder({ page }).withTags(wcag).analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
      );
      expect(found, `${what}, ${size.width} wide, ${colorScheme}`).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth), `${what} at 320 px`).toBeLessThanOrEqual(320);
  expect(
    await page.evaluate(() => document.querySelectorAll("[style]:not(next-route-announcer)").length),
    `${what}: inline styles`,
  ).toBe(0);
}

test("the doors", async ({ page }) => {
  for (const path of ["/sign-in", "/setup?token=wrong", "/no/such/page"]) {
    await page.goto(path);
    await expectAccessible(page, path);
  }
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill("nobody@example.com");
  await page.getByLabel("Password").fill("a wrong password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("E-mail or password is wrong")).toBeVisible();
  await expectAccessible(page, "a refused sign-in");
});

test("the owner's pages, empty", async ({ page, owner: _ }) => {
  for (const path of ["/apps", "/activity", "/developer", "/settings", "/device"]) {
    await page.goto(path);
    await expectAccessible(page, path);
  }
});

test("the owner's pages, full", async ({ page, owner, app }) => {
  await linkAnAccount(owner.ownerId);
  await app.ask({});
  for (const path of ["/apps", `/apps/${app.clientId}`, "/developer", `/developer/${app.clientId}`]) {
    await page.goto(path);
    await expectAccessible(page, path);
  }
  await page.goto(`/developer/${app.clientId}`);
  await page.getByRole("checkbox", { name: "approvals:write" }).check();
  await page.getByRole("button", { name: "Create token" }).click();
  await expect(page.getByText("Token created")).toBeVisible();
  await expectAccessible(page, "a token just made");
  await page.getByRole("button", { name: "Delete app" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page, "a question once more");
});

test("consent, first and again", async ({ page, owner }) => {
  await linkAnAccount(owner.ownerId);
  const pilot = await aBrowserApp(await anOwner());
  await page.goto(pilot.authorizeUrl(scopeNames.join(" ")));
  await expectAccessible(page, "a first consent");
  await page.setViewportSize({ width: 1280, height: 720 });
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  await page.getByRole("button", { name: "Select all" }).click();
  expect(await height()).toBeLessThanOrEqual(720);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await height()).toBeLessThanOrEqual(844 * 1.5);
  await page.waitForTimeout(600);
  await page.getByRole("button", { name: "Allow 4 permissions" }).click();
  await expect(page.getByRole("heading")).toHaveText("Back at the app");
  await page.goto(pilot.authorizeUrl(scopeNames.join(" ")));
  await page.getByText("Already allowed: 4").click();
  await expectAccessible(page, "a second consent");
  pilot.close();
});

const linkAnAccount = (ownerId: string) =>
  db.integration.create({
    data: {
      ...{ id: newId("int"), ownerId, provider: "google", issuer: "google", subject: "1", label: "Work" },
      ...{ email: "work@acme.example", buckets: ["identity"], scopes: [] },
    },
  });
