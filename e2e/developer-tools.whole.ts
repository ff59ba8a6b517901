import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { declareScopes } from "@/lib/apps/apps";
import { anOwner } from "@/lib/testing/factories";
import { expectAccessible, expectClean } from "./axe-checks";
import { go } from "./client-navigation";
import { expect, test } from "./fixtures";
import { settle } from "./inbox-locators";
import { aBrowserApp, randomLetters, statusOf } from "./oauth-app";
import { boxOf } from "./oauth-owner";
import { sent } from "./page-html";

const shown = async (page: Page, label: string) =>
  (await page.getByRole("figure", { name: label }).locator("pre").textContent()) ?? "";

test("updates the consent preview while the developer types", {
  tag: "@more",
}, async ({ page, owner }) => {
  await page.goto("/developer");
  const preview = page.locator("[data-preview]");
  await expect(preview).toHaveCount(0);
  await page.getByLabel("Redirect URIs").fill("https");
  await expect(preview).toContainText("Connect Your app?");
  await expect(preview).toContainText("(incomplete redirect URI)");
  await page.getByLabel("Name").fill("Night porter");
  await expect(preview).toContainText("Connect Night porter?");
  await page.getByLabel("Redirect URIs").fill("https://porter.example/back");
  await expect(preview).toContainText("porter.example");
  await page.getByLabel("Redirect URIs").fill("http://127.0.0.1/back");
  await expect(preview).toContainText("127.0.0.1, on this computer");
  await page.getByLabel("Reason for “Ask you questions”").fill("So that no door opens without you.");
  await expect(preview.locator("q")).toHaveText("So that no door opens without you.");
  await page.getByRole("checkbox", { name: "The app can’t work without this permission" }).first().check();
  await expect(preview).toContainText("required");
  await expect(preview.getByText("Answer this app’s own questions without you")).toHaveCount(0);
  await boxOf(page, "approvals:resolve").check();
  await expect(preview).toContainText("Answer this app’s own questions without you");
  await expect(page.getByText("This permission can’t be required. Owners can always deny it.")).toBeVisible();
  await expect(preview).toContainText(`by ${owner.name}`);
  // The preview is inert to mouse and keyboard.
  expect(await preview.evaluate((it) => it.matches("[inert]"))).toBe(true);
  await preview
    .locator("[name=scope]")
    .last()
    .click({ force: true, timeout: 1000 })
    .catch(() => {});
  await expect(preview.locator("[name=scope]").last()).not.toBeChecked();
  await expectClean(page, "the form with its preview");
  await page.getByLabel("Name").fill(`Porter ${randomLetters()}`);
  await page.getByLabel("Reason for “Ask you questions”").fill("Approved by Countersign.");
  await page.getByRole("button", { name: "Register app" }).click();
  await expect(page.locator("[id$=-error]")).toHaveText("Must not use the name of this service");
  await expect(page.getByLabel("Reason for “Ask you questions”")).toHaveValue("Approved by Countersign.");
  await expect(page.getByLabel("Reason for “Ask you questions”")).toHaveAttribute("aria-invalid", "true");
});

test("shows purposes and required scopes on the consent page", { tag: "@more" }, async ({ page, owner }) => {
  const maker = await anOwner();
  const pilot = await aBrowserApp(maker);
  await declareScopes(maker, pilot.clientId, {
    "approvals:write": { purpose: "So that nothing flies without you.", required: true },
    "approvals:read": { purpose: "To land where you said.", required: false },
  });
  await page.goto(pilot.authorizeUrl("approvals:write approvals:read approvals:resolve"));
  const required = boxOf(page, "approvals:write");
  await expect(required).toBeChecked();
  await expect(required).toBeDisabled();
  await expect(boxOf(page, "approvals:read")).not.toBeChecked();
  await expect(boxOf(page, "approvals:resolve")).not.toBeChecked();
  await expect(page.locator("q")).toHaveText(["So that nothing flies without you.", "To land where you said."]);
  await expectAccessible(page, "consent with purposes");
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("heading")).toHaveText("Back at the app");
  expect(await pilot.redeem()).toMatchObject({ status: 200, scope: "approvals:write" });
  await page.goto(`/apps/${pilot.clientId}`);
  await expect(page.getByText("The app requests more permissions")).toBeVisible();
  await expect(
    page.getByRole("listitem").filter({ hasText: "See this app’s questions and your answers" }),
  ).toBeVisible();
  expect(owner.ownerId).not.toBe(maker.ownerId);
  pilot.close();
});

test("submits an app's required permissions when scripts are off", async ({ browser, page, owner: _ }) => {
  const maker = await anOwner();
  const pilot = await aBrowserApp(maker);
  await declareScopes(maker, pilot.clientId, { "approvals:write": { required: true } });
  const state = await page.context().storageState();
  const plain = await (await browser.newContext({ javaScriptEnabled: false, storageState: state })).newPage();
  const base = new URL(page.url() === "about:blank" ? (process.env.E2E_URL as string) : page.url()).origin;
  await plain.goto(base + pilot.authorizeUrl("approvals:write approvals:read"));
  await plain.getByRole("button", { name: /^Connect/ }).click();
  await expect(plain.getByRole("heading")).toHaveText("Back at the app");
  expect(await pilot.redeem()).toMatchObject({ status: 200, scope: "approvals:write" });
  await plain.goto(base + pilot.authorizeUrl("approvals:write approvals:read"));
  await plain.getByRole("button", { name: "Don’t connect" }).click();
  await expect(plain.getByRole("heading")).toHaveText("Back at the app");
  expect(pilot.answers.at(-1)?.get("error")).toBe("access_denied");
  await plain.context().close();
  pilot.close();
});

test("sends a test question and a test notification", async ({ page, owner: _ }) => {
  await page.goto("/developer");
  await page.getByRole("button", { name: "Send a test question" }).click();
  await expect(page.getByRole("button", { name: /Yes, it did/ })).toBeVisible();
  await settle(page);
  await page.getByRole("button", { name: /Yes, it did/ }).click();
  await expect(page.getByText(/all caught up|answered/i).first()).toBeVisible();
  await expect
    .poll(async () => (await sent(page, "/approvals?status=resolved")).html)
    .toMatch(/Did this question reach you\?.*Yes, it did/s);
  await page.goto("/developer");
  await page.getByRole("button", { name: "Send a test notification" }).click();
  await page.getByRole("link", { name: "Go to Notifications" }).click();
  await expect(page.getByText("Test notification").first()).toBeVisible();
  expect((await sent(page, "/apps")).html).toMatch(/<a [^>]*href="\/apps\/[^>]*>.*Countersign/s);
});

test("requires at most eight clicks from registration to the first question", async ({ page, owner: _ }) => {
  let clicks = 0;
  await page.exposeFunction("countClick", () => void clicks++);
  await page.addInitScript(() =>
    addEventListener(
      "click",
      ({ isTrusted, detail }) =>
        isTrusted && detail > 0 && (globalThis as never as { countClick(): void }).countClick(),
      true,
    ),
  );
  await page.goto("/developer");
  await page.getByLabel("Name").click();
  await page.keyboard.type(`Porter ${randomLetters()}`);
  await page.getByRole("button", { name: "Register app" }).click();
  await page.getByRole("link", { name: "Go to the app’s page" }).click();
  await page.getByRole("button", { name: "Create token" }).click();
  const command = await shown(page, "Command");
  await page.getByRole("button", { name: "Copy command" }).click();
  await promisify(execFile)("sh", ["-c", command]);
  await page.getByRole("link", { name: "Approvals" }).first().click();
  await expect(page.getByText("Did this question reach you?").first()).toBeVisible();
  expect(clicks).toBeGreaterThan(3);
  expect(clicks).toBeLessThanOrEqual(8);
});

test("lists API requests without their contents", { tag: "@more" }, async ({ page, app }) => {
  await app.push({ title: "Told in confidence", data: { inbox: { priority: "huge" } } });
  await statusOf(app.token, "/api/approvals", { question: 1 });
  await app.call("/api/approvals?status=pending");
  const rows = page.getByRole("main").locator("ol > li");
  // Requests are logged with a short delay.
  const written = async () =>
    (await sent(page, "/developer/requests")).html.match(/\/api\/(approvals|notifications)</g);
  await expect.poll(async () => (await written())?.length).toBe(3);
  await page.goto("/developer/requests");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText("GET /api/approvals");
  await expect(rows.nth(1)).toContainText("400");
  await expect(rows.nth(2)).toContainText("Ignored field: data.inbox.priority");
  await expect(page.getByRole("main")).not.toContainText(/confidence|pending|csn_/);
  await expectAccessible(page, "requests");
  await page.getByRole("link", { name: "Rejected (4xx)" }).click();
  await expect(rows).toHaveCount(1);
  await go(page, `/developer/requests?app=${app.clientId}`);
  await expect(rows).toHaveCount(3);
  await go(page, `/developer/requests?app=app_${"0".repeat(32)}`);
  await expect(page.getByText("No requests")).toBeVisible();
  await expectAccessible(page, "no requests");
});
