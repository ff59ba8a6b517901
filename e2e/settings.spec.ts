import type { Page } from "@playwright/test";
import { pool } from "@/lib/database/db";
import { makeResetLink } from "@/lib/owners/sign-in-links";
import { expectAccessible } from "./axe-checks";
import { enter, expect, serviceUrl, signIn, test } from "./fixtures";
import { settle } from "./inbox-locators";
import { smallTargets } from "./small-targets";
import { signedInBefore } from "./stale-sign-in";

const next = "five other words in a row";

/** The page to which this browser is redirected, or undefined if it reaches the settings. */
const doorOf = async (page: Page) => {
  const reply = await page.request.get("/settings", { maxRedirects: 0 });
  expect([200, 307]).toContain(reply.status());
  return reply.headers().location;
};

test("changes the owner's password, name and email", { tag: "@more" }, async ({ page, browser, owner }) => {
  const other = await browser.newPage({ baseURL: serviceUrl() });
  await enter(other, owner);
  expect(await doorOf(other)).toBeUndefined();
  await page.goto("/settings/security");
  const menu = page.locator("aside summary");
  await menu.click();
  await expect(page.getByText(owner.email).filter({ visible: true }).first()).toBeVisible();
  await page.getByLabel("Current password").fill("not my password at all");
  await page.getByLabel("New password").fill(next);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.locator("[id$=-error]")).toHaveText("The current password is wrong");
  await page.getByLabel("Current password").fill(owner.password);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed.")).toBeVisible();
  await expect(page.getByLabel("Current password")).toHaveValue("");
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");
  expect(await doorOf(other)).toContain("/sign-in");
  await signIn(other, { ...owner, password: next });
  await expect(other).toHaveURL(/\/approvals/);
  expect(await doorOf(other)).toBeUndefined();

  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "You" }).click();
  const account = page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Name and email", exact: true }) });
  await account.getByLabel("Name").fill("Olive Umbra");
  await account.getByLabel("Email").fill(`new-${owner.email}`);
  await account.getByRole("button", { name: "Save" }).click();
  await expect(account.getByText("Changes saved")).toBeVisible();
  await expect(account.getByLabel("Name")).toHaveValue("Olive Umbra");
  await menu.click();
  await expect(page.getByText(`new-${owner.email}`).filter({ visible: true }).first()).toBeVisible();

  await page.goto("/settings/security");
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  expect(await doorOf(other)).toContain("/sign-in");
  await other.close();

  await page.goto(new URL(await makeResetLink(owner)).href.replace(/^https?:\/\/[^/]+/, ""));
  await expectAccessible(page, "a reset link");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Choose a new password");
  await page.getByLabel("New password").fill("four words nobody put together");
  await page.getByRole("button", { name: "Save the new password" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Approvals");
});

const places = ["", "/security", "/alerts", "/answering", "/look", "/data"].map((place) => `/settings${place}`);

test(
  "limits the height and the word count of each settings page",
  { tag: ["@phone", "@more"] },
  async ({ page, owner }, { project }) => {
    for (let device = 0; device < 5; device++) await enter(page, owner);
    await pool().query(
      `INSERT INTO passkey (id, owner_id, name, public_key, counter, transports)
       SELECT $1 || n, $1, 'Passkey ' || n, '\\x00', 0, '{}' FROM generate_series(1, 5) n`,
      [owner.ownerId],
    );
    const size = page.viewportSize() ?? { width: 1280, height: 800 };
    for (const path of places) {
      // The accessibility checks cover other sizes.
      await page.setViewportSize(size);
      await page.goto(path);
      await settle(page);
      const [height, words] = await page.evaluate(() => {
        const wordsOf = (it: HTMLElement) => it.innerText.split(/\s+/).filter(Boolean).length;
        const main = document.querySelector("main") as HTMLElement;
        // The test ignores a menu's options.
        const menus = [...main.querySelectorAll("select")].reduce((sum, menu) => sum + wordsOf(menu), 0);
        return [document.documentElement.scrollHeight, wordsOf(main) - menus];
      });
      expect([path, height <= (project.name === "phone" ? 2000 : 1400), height]).toEqual([path, true, height]);
      expect([path, words <= 200, words]).toEqual([path, true, words]);
      if (project.name === "phone") expect([path, await smallTargets(page.locator("body"))]).toEqual([path, []]);
      await expectAccessible(page, path);
    }
    await page.goto("/settings/security");
    const passkeys = page.getByRole("list", { name: "Your passkeys" }).getByRole("listitem");
    await expect(passkeys).toHaveCount(3);
    await page.locator("#passkeys summary").click();
    await expect(passkeys).toHaveCount(5);
    await expectAccessible(page, "a whole list");

    await signedInBefore(owner, 300);
    await page.setViewportSize(size);
    await page.reload();
    await expect(page.getByText("Confirm it’s you to make changes.")).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(
      project.name === "phone" ? 2000 : 1400,
    );
  },
);
