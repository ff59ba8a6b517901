import { getApp } from "@/lib/apps/apps";
import { db } from "@/lib/database/db";
import { changeSettings, readSettings } from "@/lib/owners/settings";
import { anOwner, anApp as aRegisteredApp } from "@/lib/testing/factories";
import { enter, expect, serviceUrl, signIn, test } from "./fixtures";
import { aBrowserApp, randomLetters, statusOf } from "./oauth-app";
import { boxOf } from "./oauth-owner";
import { sent } from "./page-html";
import { signedInBefore } from "./stale-sign-in";
import { plugInAuthenticator } from "./virtual-authenticator";
import { alive } from "./wait-for-hydration";

test("signs out another session and the current device", async ({ page, browser, owner }) => {
  const other = await browser.newPage({ baseURL: serviceUrl() });
  await enter(other, owner);
  await other.goto("/approvals");
  await page.goto("/settings/security");
  const sessions = page.getByRole("list", { name: "Active sessions" }).getByRole("listitem");
  await expect(sessions).toHaveCount(2);
  await expect(sessions.first()).toContainText("Chrome on Linux");
  await expect(sessions.first()).toContainText("This device");
  await expect(sessions.nth(1)).not.toContainText("This device");
  await expect(sessions.nth(1)).toContainText(/signed in \d\d:\d\d · used just now/);
  await sessions.nth(1).getByRole("button", { name: "Sign out" }).click();
  await expect(sessions).toHaveCount(1);
  await expect(page.getByRole("status").filter({ hasText: "Signed out Chrome on Linux" })).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
  await expect(other).toHaveURL(/\/sign-in/);
  expect((await other.request.get("/settings")).url()).toContain("/sign-in");
  await expect(page).toHaveURL(/\/settings\/security$/);
  await page.getByRole("button", { name: "Sign out this device" }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  await other.close();
});

test("signs in with a passkey until the owner removes the passkey", async ({ page, owner }) => {
  test.slow();
  const device = await plugInAuthenticator(page);
  await page.goto("/settings/security");
  await page.locator("#passkeys").getByLabel("Name").fill("Laptop");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("Passkey added")).toBeVisible();
  const passkeys = page.getByRole("list", { name: "Your passkeys" }).getByRole("listitem");
  await expect(passkeys).toHaveCount(1);
  await expect(passkeys).toContainText("Laptop");
  expect(await device.count()).toBe(1);

  await page.locator("#passkeys").getByLabel("Name").fill("Again");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(
    page.getByRole("alert").filter({ hasText: "This device already has a passkey for your account." }),
  ).toBeVisible();

  await signedInBefore(owner, 30);
  await page.goto("/settings");
  await page.getByLabel("Email", { exact: true }).fill("robin@new.example");
  await page.getByRole("link", { name: "Confirm it’s you" }).click();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page).toHaveURL(/\/settings$/);
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue("robin@new.example");
  await expect(page.getByRole("link", { name: "Confirm it’s you" })).toHaveCount(0);

  await device.verifies(false);
  await page.context().clearCookies();
  await page.goto("/settings/security");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "The passkey dialog closed or timed out." })).toBeVisible();
  await expect(page).toHaveURL(/\/sign-in\?/);
  await device.verifies(true);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page).toHaveURL(/\/settings\/security$/);
  await expect(passkeys).toContainText("used");
  await page.locator("aside summary").click();
  await expect(page.getByText(owner.email).filter({ visible: true }).first()).toBeVisible();

  await passkeys.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(passkeys).toHaveCount(0);
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(
    page.getByRole("alert").filter({ hasText: "This passkey isn’t registered on this service." }),
  ).toBeVisible();
  await signIn(page, owner);
});

test("sets a new password with a recovery code", { tag: "@more" }, async ({ page, browser, owner }) => {
  await page.goto("/settings/security");
  await page.getByRole("button", { name: "Generate recovery codes" }).click();
  const shown = await page.getByRole("figure", { name: "Codes" }).locator("pre").textContent();
  const [code = "", ...others] = (shown ?? "").split("\n");
  expect(others).toHaveLength(9);
  await page.reload();
  await expect(page.getByText("10 of 10 codes left")).toBeVisible();
  expect(await page.content()).not.toContain(code);

  const lost = await browser.newPage({ baseURL: serviceUrl() });
  await lost.goto("/sign-in?next=/notifications");
  await alive(lost);
  await lost.getByLabel("Email").fill(owner.email);
  await lost.getByRole("link", { name: "Lost your password?" }).click();
  await expect(lost.getByRole("heading", { level: 1 })).toHaveText("Lost your password?");
  // The form does not ask again for the email that was typed before.
  await expect(lost.getByLabel("Email")).toHaveValue(owner.email);
  expect(lost.url()).not.toContain(encodeURIComponent(owner.email));
  await lost.getByLabel("Recovery code").fill("0000 0000 0000");
  await lost.getByRole("button", { name: "Use this code" }).click();
  await expect(lost.getByRole("alert").filter({ hasText: "The email or recovery code is wrong" })).toBeVisible();
  await lost.getByLabel("Recovery code").fill(code.toUpperCase());
  await lost.getByRole("button", { name: "Use this code" }).click();
  await expect(lost.getByRole("heading", { level: 1 })).toHaveText("Choose a new password");
  const password = "seven new words in a long row";
  await lost.getByLabel("New password").fill(password);
  await lost.getByRole("button", { name: "Save the new password" }).click();
  await expect(lost).toHaveURL(/\/notifications$/);
  expect((await sent(lost, "/settings/security")).html).toContain("9 of 10 codes left");
  // The browser with the old password is signed out.
  expect((await page.request.get("/settings")).url()).toContain("/sign-in");
  await signIn(page, { email: owner.email, password });
  await lost.close();
});

test("preserves the scopes selected for consent across a fresh sign-in", async ({ page, owner }) => {
  const pilot = await aBrowserApp(await anOwner());
  await signedInBefore(owner, 11);
  await page.goto(pilot.authorizeUrl("approvals:write approvals:resolve approvals:read"));
  const consent = page.url();
  await expect(page.getByText("We’ll ask you to sign in again.")).toBeVisible();
  await boxOf(page, "approvals:write").check();
  await boxOf(page, "approvals:resolve").check();
  await page.getByRole("combobox").selectOption("In 30 days");
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Confirm it’s you");
  expect(pilot.answers).toHaveLength(0);
  await page.getByLabel("Password", { exact: true }).fill("not my password at all");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "The email or password is wrong" })).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(consent);
  await expect(boxOf(page, "approvals:resolve")).toBeChecked();
  await expect(boxOf(page, "approvals:read")).not.toBeChecked();
  await expect(page.getByRole("combobox")).toHaveValue("30");
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("heading")).toHaveText("Back at the app");
  const { access_token = "", scope } = await pilot.redeem();
  expect(scope?.split(" ").sort()).toEqual(["approvals:resolve", "approvals:write"]);
  expect(await statusOf(access_token, "/api/approvals")).toBe(403);
  // The requesting session has ended. The fresh session continues with the same start time.
  expect(await db.ownerSession.count({ where: { ownerId: owner.ownerId, endedAt: null } })).toBe(1);
  pilot.close();
});

test("preserves values typed into developer forms across a fresh sign-in", {
  tag: "@more",
}, async ({ page, owner, app }) => {
  test.slow();
  const callback = "https://courier.example/callback";
  const { clientId, name } = await aRegisteredApp(owner, { redirectUris: [callback] });
  const refusal = page.getByRole("alert").filter({ hasText: "Sign in again to continue." });
  const addresses = page.getByLabel("Redirect URIs");
  const confirm = async () => {
    await page.getByLabel("Password", { exact: true }).fill(owner.password);
    await page.getByRole("button", { name: "Continue" }).click();
  };
  await page.goto(`/developer/${clientId}`);
  await signedInBefore(owner, 11);
  await boxOf(page, "approvals:write").check();
  await page.getByRole("button", { name: "Create token" }).click();
  await expect(refusal).toBeVisible();
  await expect(boxOf(page, "approvals:write")).toBeChecked();
  await page.getByRole("link", { name: "Sign in again", exact: true }).click();
  await confirm();
  await expect(page).toHaveURL(new RegExp(`/developer/${clientId}$`));
  await expect(boxOf(page, "approvals:write")).toBeChecked();
  await page.getByRole("button", { name: "Create token" }).click();
  await expect(page.getByText("Token created")).toBeVisible();

  await signedInBefore(owner, 20);
  await page.getByRole("button", { name: "Replace secret" }).click();
  await expect(refusal).toBeVisible();
  await expect(page.getByRole("figure", { name: "Client secret" })).toHaveCount(0);
  await page.getByRole("button", { name: "Delete app" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete app" }).click();
  await expect(page.getByRole("dialog").getByRole("link", { name: "Sign in again" })).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await addresses.fill(`${callback}\nhttps://courier.example/second`);
  await page.getByRole("button", { name: "Save redirect URIs" }).click();
  await expect(refusal.last()).toBeVisible();
  expect((await getApp(owner, clientId)).redirectUris).toEqual([callback]);

  // The sign-in expires while a form is in use. Typing continues, and the values are kept.
  await app.ask({ question: "Ship?" });
  const again = page.getByRole("link", { name: "Confirm it’s you" });
  await expect(again).toBeVisible();
  await addresses.press("End");
  await addresses.pressSequentially("/in");
  await again.click();
  // Without a fresh sign-in, the forms are disabled.
  await page.getByRole("link", { name: "Go back" }).click();
  await expect(addresses).toBeDisabled();
  await expect(page.getByRole("button", { name: "Create token" })).toBeDisabled();
  await again.click();
  await confirm();
  await expect(again).toHaveCount(0);
  await expect(addresses).toHaveValue(`${callback}\nhttps://courier.example/second/in`);
  await page.getByRole("button", { name: "Save redirect URIs" }).click();
  await expect(page.getByText("Redirect URIs saved")).toBeVisible();
  expect((await getApp(owner, clientId)).redirectUris).toHaveLength(2);
  await page.getByRole("button", { name: "Delete app" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete app" }).click();
  await expect(page).toHaveURL(/\/developer$/);
  await expect(page.getByText(name)).toHaveCount(0);

  const another = `Courier ${randomLetters()}`;
  await signedInBefore(owner, 20);
  await page.getByLabel("Name").fill(another);
  await page.getByRole("radio", { name: "On a device" }).check();
  await page.getByRole("button", { name: "Register app" }).click();
  await page.getByRole("alert").getByRole("link", { name: "Sign in again" }).click();
  await confirm();
  await expect(page.getByLabel("Name")).toHaveValue(another);
  await expect(page.getByRole("radio", { name: "On a device" })).toBeChecked();
  await page.getByRole("button", { name: "Register app" }).click();
  await expect(page.getByText("Apps on a device don’t have a secret.")).toBeVisible();
});

test("requires a fresh sign-in to export data or shorten the undo period", {
  tag: "@more",
}, async ({ page, owner }) => {
  await changeSettings(owner, { undoSeconds: 10 });
  await signedInBefore(owner, 20);
  await page.goto("/settings/answering");
  const undo = page.locator("form#undoSeconds");
  await undo.getByText("Off", { exact: true }).click();
  await expect(undo.getByRole("status")).toContainText(/^Couldn’t save the setting\. .*Sign in again to continue/);
  await expect(undo.getByRole("radio", { name: "10 s" })).toBeChecked();
  await undo.getByText("30 s", { exact: true }).click();
  await expect(undo.getByRole("status")).toHaveText("Saved");
  expect((await readSettings(owner)).undoSeconds).toBe(30);
  await undo.getByText("5 s", { exact: true }).click();
  await undo.getByRole("link", { name: "Sign in again" }).click();
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/settings\/answering#undoSeconds$/);
  await undo.getByText("5 s", { exact: true }).click();
  await expect(undo.getByRole("status")).toHaveText("Saved");
  expect((await readSettings(owner)).undoSeconds).toBe(5);

  await signedInBefore(owner, 20);
  for (const path of [
    "/settings/export",
    "/activity/export?kind=tokens&format=csv",
    "/approvals/export",
    "/settings/archive",
  ]) {
    const reply = await page.request.get(path, { maxRedirects: 0 });
    expect([path, reply.status(), reply.headers()["content-disposition"]]).toEqual([path, 307, undefined]);
  }
  await page.goto("/settings/data");
  await page.getByRole("link", { name: "Export my data" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Confirm it’s you");
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/settings\/data#export$/);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export my data" }).click();
  expect((await download).suggestedFilename()).toBe("countersign-data.json");

  await signedInBefore(owner, 11);
  const { html } = await sent(page, `/sign-in/again?next=${encodeURIComponent("//evil.example")}`);
  expect([html.includes('name="next"'), html.includes("evil.example")]).toEqual([true, false]);
  await page.goto("/activity/export?kind=tokens&format=csv");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Confirm it’s you");
  await page.locator("[name=next]").evaluate((it: HTMLInputElement) => (it.value = "https://evil.example"));
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(`${serviceUrl()}/approvals`);
  await page.context().clearCookies();
  await page.goto("/sign-in/again?next=/settings");
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fsettings$/);
});

test.describe(() => {
  test.use({ javaScriptEnabled: false });

  test("requires a fresh sign-in for a sensitive consent when scripts are off", async ({ page, owner }) => {
    const pilot = await aBrowserApp(await anOwner());
    await signedInBefore(owner, 11);
    await page.goto(pilot.authorizeUrl("approvals:resolve"));
    const consent = page.url();
    await boxOf(page, "approvals:resolve").check();
    await page.getByRole("button", { name: /^Connect/ }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Confirm it’s you");
    await page.getByLabel("Password", { exact: true }).fill(owner.password);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page).toHaveURL(consent);
    await boxOf(page, "approvals:resolve").check();
    await page.getByRole("button", { name: /^Connect/ }).click();
    await expect(page.getByRole("heading")).toHaveText("Back at the app");
    expect((await pilot.redeem()).scope).toBe("approvals:resolve");
    pilot.close();
  });

  test("signs out sessions and uses a recovery code when scripts are off", { tag: "@more" }, async ({
    page,
    browser,
    owner,
  }) => {
    const other = await browser.newPage({ baseURL: serviceUrl() });
    await enter(other, owner);
    await page.goto("/settings/security");
    const sessions = page.getByRole("list", { name: "Active sessions" }).getByRole("listitem");
    await sessions.nth(1).getByRole("button", { name: "Sign out" }).click();
    await expect(sessions).toHaveCount(1);
    await page.getByRole("button", { name: "Generate recovery codes" }).click();
    const shown = await page.getByRole("figure", { name: "Codes" }).locator("pre").textContent();
    await page.getByRole("link", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Sign out this device" }).click();
    await page.getByRole("link", { name: "Lost your password?" }).click();
    await page.getByLabel("Email").fill(owner.email);
    await page.getByLabel("Recovery code").fill(shown?.split("\n")[0] ?? "");
    await page.getByRole("button", { name: "Use this code" }).click();
    await page.getByLabel("New password").fill("seven new words in a long row");
    await page.getByRole("button", { name: "Save the new password" }).click();
    await expect(page).toHaveURL(/\/approvals/);
    await other.close();
  });
});
