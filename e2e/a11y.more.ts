import type { Page } from "@playwright/test";
import { db } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { makeRecoveryCodes } from "@/lib/owners/recovery-codes";
import { changeSettings } from "@/lib/owners/settings";
import { scopeNames } from "@/lib/scopes";
import { anOwner } from "@/lib/testing/factories";
import { expectAccessible } from "./axe-checks";
import { go } from "./client-navigation";
import { anApp, expect, test } from "./fixtures";
import { aBrowserApp } from "./oauth-app";
import { boxOf } from "./oauth-owner";
import { signedInBefore } from "./stale-sign-in";
import { plugInAuthenticator } from "./virtual-authenticator";

// Each test checks every size and theme.
test.describe.configure({ timeout: 120_000 });

/** Sign-in pages need no scrolling on a small phone. */
async function fits(page: Page, path: string) {
  await page.setViewportSize({ width: 360, height: 640 });
  const size = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
  expect(size, path).toEqual([360, 640]);
}

test("passes axe on the sign-in pages", async ({ page }) => {
  // Without an account, sign-in redirects to setup.
  await anOwner();
  for (const path of ["/sign-in", "/setup?token=wrong", "/no/such/page"]) {
    await page.goto(path);
    await expectAccessible(page, path);
    await fits(page, path);
  }
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill("nobody@example.com");
  await page.getByLabel("Password").fill("a wrong password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("The email or password is wrong")).toBeVisible();
  await expectAccessible(page, "a refused sign-in");
});

test("passes axe on owners' pages with and without data", async ({ page, owner }) => {
  await page.goto("/apps");
  for (const path of ["/apps", "/activity", "/developer", "/settings", "/settings/answering", "/settings/look"]) {
    await go(page, path);
    await expectAccessible(page, path);
  }

  await linkAnAccount(owner.ownerId);
  const app = await anApp(owner);
  await app.ask({});
  const id = await app.ask({ risk: "high", facts: [{ label: "Amount", value: "86.40 €" }] });
  await app.call(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" });
  for (const path of [
    "/apps",
    `/apps/${app.clientId}`,
    `/approvals/${id}/receipt`,
    "/developer",
    `/developer/${app.clientId}`,
  ]) {
    await go(page, path);
    await expectAccessible(page, path);
  }
  await boxOf(page, "approvals:write").check();
  await page.getByRole("button", { name: "Create token" }).click();
  await expect(page.getByText("Token created")).toBeVisible();
  await expectAccessible(page, "a token just made");
  await page.getByRole("button", { name: "Delete app" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page, "a question once more");

  await page.goto("/device");
  await expectAccessible(page, "/device");
});

test("passes axe on an app's first and second consent pages", async ({ page, owner }) => {
  await linkAnAccount(owner.ownerId);
  const pilot = await aBrowserApp(await anOwner());
  await page.goto(pilot.authorizeUrl(scopeNames.join(" ")));
  await expectAccessible(page, "a first consent");
  await page.setViewportSize({ width: 1280, height: 720 });
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  await page.getByRole("checkbox", { name: "Ask you questions and see your answers" }).click();
  for (const scope of ["notifications:write", "notifications:read"] as const) await boxOf(page, scope).check();
  expect(await height()).toBeLessThanOrEqual(720);
  await expect(page.getByRole("button", { name: "Don’t connect" })).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await height()).toBeLessThanOrEqual(844 * 1.5);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("heading")).toHaveText("Back at the app");
  await page.goto(pilot.authorizeUrl(scopeNames.join(" ")));
  await page.getByText("Already allowed: 4").click();
  await expectAccessible(page, "a second consent");
  pilot.close();
});

test("passes axe on the security, alert and account deletion settings", async ({ page, owner }) => {
  await changeSettings(owner, { quiet: { from: 1320, until: 420 } });
  await plugInAuthenticator(page);
  await page.goto("/settings/security");
  await page.locator("#passkeys").getByLabel("Name").fill("Laptop");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("Passkey added")).toBeVisible();
  await page.getByRole("button", { name: "Generate recovery codes" }).click();
  await expect(page.getByText("Your recovery codes")).toBeVisible();
  await expectAccessible(page, "security with a passkey and new codes");
  await page.goto("/settings/alerts");
  await expectAccessible(page, "alerts with quiet hours");
  await page.goto("/settings/data");
  await page.getByRole("button", { name: "Delete my account" }).click();
  await expectAccessible(page, "deleting the account");
  await signedInBefore(owner, 11);
  for (const path of ["/settings", "/settings/security", "/settings/alerts", "/settings/data"]) {
    await page.goto(path);
    await expectAccessible(page, `${path}, signed in long ago`);
  }
  await page.goto("/sign-in/again?next=/settings");
  await expect(page.getByRole("button", { name: "Use a passkey" })).toBeVisible();
  await expectAccessible(page, "sign in again");
  const { codes } = await makeRecoveryCodes(owner);
  await page.goto("/sign-in/recover");
  await expectAccessible(page, "recover");
  await fits(page, "recover");
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Recovery code").fill(codes[0] ?? "");
  await page.getByRole("button", { name: "Use this code" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Choose a new password");
  await expectAccessible(page, "a new password");
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await expect(page.getByRole("button", { name: "Use a passkey" })).toBeVisible();
  await expectAccessible(page, "sign in");
});

const linkAnAccount = (ownerId: string) =>
  db.integration.create({
    data: {
      id: newId("int"),
      ownerId,
      provider: "google",
      issuer: "google",
      subject: "1",
      label: "Work",
      email: "work@acme.example",
      buckets: ["identity"],
      scopes: [],
    },
  });
