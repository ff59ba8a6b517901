import type { Page } from "@playwright/test";
import { registerApp } from "@/lib/apps/apps";
import { scopeNames } from "@/lib/scopes";
import { anOwner } from "@/lib/testing/factories";
import { expectClean } from "./axe-checks";
import { test as base, expect, serviceUrl } from "./fixtures";
import { randomLetters, statusOf } from "./oauth-app";
import { boxOf } from "./oauth-owner";
import { sent } from "./page-html";
import { alive } from "./wait-for-hydration";

type DeviceCode = {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
};
type Polled = { status: number; access_token?: string; scope?: string; error?: string };
type Television = { name: string; ask(scope?: string): Promise<DeviceCode>; poll(asked: DeviceCode): Promise<Polled> };

const test = base.extend<{ tv: Television }>({
  /** An app without a browser, registered by another owner. */
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures needed from the pattern.
  tv: async ({}, use) => {
    const name = `Television ${randomLetters()}`;
    const { clientId } = await registerApp(await anOwner(), { name, public: true });
    const send = (path: string, form: Record<string, string>) =>
      fetch(`${serviceUrl()}${path}`, {
        method: "POST",
        body: new URLSearchParams({ client_id: clientId, ...form }),
      });
    await use({
      name,
      ask: async (scope) => {
        const reply = await send("/oauth/device_authorization", scope ? { scope } : {});
        expect(reply.status).toBe(200);
        return (await reply.json()) as DeviceCode;
      },
      poll: async ({ device_code }) => {
        const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
        const reply = await send("/oauth/token", { grant_type, device_code });
        return { status: reply.status, ...((await reply.json()) as object) };
      },
    });
  },
});

/** Types the device's code into the field, as a person would. */
async function typeCode(page: Page, code: string) {
  await page.goto("/device");
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Continue" }).click();
}

const looksRight = async (page: Page) => {
  await expectClean(page, page.url());
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
};

test("grants a device only the selected scopes", async ({ page, owner: _, tv }) => {
  const asked = await tv.ask(scopeNames.join(" "));
  await page.goto("/device");
  await expect(page.getByLabel("Code")).toBeFocused();
  await looksRight(page);
  await page.getByLabel("Code").fill(asked.user_code.toLowerCase().replace("-", " "));
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/device\/dev_/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Connect ${tv.name}?`);
  await expect(page.getByRole("heading", { name: "Does your device show this code?" })).toBeVisible();
  await expect(page.getByText(asked.user_code, { exact: true })).toBeVisible();
  for (const scope of scopeNames) await expect(boxOf(page, scope)).not.toBeChecked();
  // The buttons cover nothing.
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
  await looksRight(page);
  expect(await tv.poll(asked)).toMatchObject({ status: 400, error: "authorization_pending" });

  await page.getByRole("checkbox", { name: "Ask you questions and see your answers" }).click();
  for (const scope of ["notifications:write", "notifications:read"] as const) await boxOf(page, scope).check();
  await expect(boxOf(page, "approvals:resolve")).not.toBeChecked();
  await boxOf(page, "approvals:read").uncheck();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You can go back to your device");
  await looksRight(page);

  const { status, access_token = "", scope } = await tv.poll(asked);
  expect(status).toBe(200);
  expect(scope?.split(" ").sort()).toEqual(["approvals:write", "notifications:read", "notifications:write"]);
  expect(await statusOf(access_token, "/api/notifications")).toBe(200);
  expect(await statusOf(access_token, "/api/approvals")).toBe(403);
  expect(await tv.poll(asked)).toMatchObject({ status: 400, error: "invalid_grant" });
  // Repeats the test after a reload, and after typing the code again.
  await page.reload();
  await expect(page.getByText(`You connected ${tv.name}`)).toBeVisible();
  await typeCode(page, asked.user_code);
  await expect(page.getByText(`You connected ${tv.name}`)).toBeVisible();
  expect((await sent(page, "/activity")).html).toContain(`You allowed ${tv.name} on another device to`);
});

test("prefills the device code from the device's link", {
  tag: "@more",
}, async ({ page, browser, owner, tv }) => {
  test.slow();
  const asked = await tv.ask("approvals:read");
  await page.goto(asked.verification_uri_complete);
  await expect(page.getByLabel("Code")).toHaveValue(asked.user_code);
  await expect(page.getByText("Is this the code on your device?")).toBeVisible();
  expect(await tv.poll(asked)).toMatchObject({ error: "authorization_pending" });
  // A signed-out visitor signs in first and then returns.
  const fresh = await browser.newPage({ baseURL: serviceUrl() });
  await fresh.goto(asked.verification_uri_complete);
  await fresh.getByLabel("Email").fill(owner.email);
  await fresh.getByLabel("Password").fill(owner.password);
  await fresh.getByRole("button", { name: "Sign in" }).click();
  await expect(fresh.getByLabel("Code")).toHaveValue(asked.user_code);
  await fresh.getByRole("button", { name: "Continue" }).click();
  await expect(fresh.getByText(asked.user_code, { exact: true })).toBeVisible();
  await fresh.close();

  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/device\/dev_/);
  await alive(page);
  await page.getByRole("button", { name: "Don’t connect" }).click();
  await expect(page.getByText(`You denied ${tv.name} access`)).toBeVisible();
  expect(await tv.poll(asked)).toMatchObject({ status: 400, error: "access_denied" });
  expect((await sent(page, "/apps")).html).toContain("No connected apps");
});

test("rejects even the correct code with 429 after five wrong codes", { tag: "@more" }, async ({
  page,
  owner: _,
  tv,
}) => {
  const asked = await tv.ask();
  await page.goto("/device");
  const wrong = page.getByText(/^The code is wrong or has expired/).first();
  const answers: number[] = [];
  page.on("response", (reply) => void (reply.url().endsWith("/device/enter") && answers.push(reply.status())));
  for (let guess = 0; guess < 5; guess++) {
    await page.getByLabel("Code").fill(`BBBB-BBB${"CDFGH"[guess]}`);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect.poll(() => answers.length).toBe(guess + 1);
    await expect(wrong).toBeVisible();
  }
  await looksRight(page);
  await page.getByLabel("Code").fill(asked.user_code);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText(/^Too many wrong codes/).first()).toBeVisible();
  expect(answers).toEqual([404, 404, 404, 404, 404, 429]);
  await expect(page).toHaveURL(/\/device$/);
});

test("rejects a forged or repeated decision about a device", async ({ page, owner: _, tv }) => {
  const asked = await tv.ask("approvals:read");
  const origin = serviceUrl();
  const entered = await page.request.post("/device/enter", {
    form: { user_code: asked.user_code },
    headers: { origin },
    maxRedirects: 0,
  });
  const path = entered.headers().location ?? "";
  expect(path).toMatch(/^\/device\/dev_/);
  const csrf = /name="csrf" value="([\w-]+)"/.exec((await sent(page, path)).html)?.[1] ?? "";
  const post = (to: string, form: Record<string, string>, headers: Record<string, string>) =>
    page.request.post(to, { form, headers, maxRedirects: 0 });
  const form = { csrf, decision: "allow", scope: "approvals:read" };
  expect((await post(`${path}/decide`, form, { origin: "https://evil.example" })).status()).toBe(403);
  expect((await post(`${path}/decide`, form, { origin, "sec-fetch-site": "cross-site" })).status()).toBe(403);
  expect((await post(`${path}/decide`, { ...form, csrf: "" }, { origin })).status()).toBe(403);
  expect((await post("/device/enter", { user_code: "x" }, { origin: "https://evil.example" })).status()).toBe(403);
  expect(await tv.poll(asked)).toMatchObject({ error: "authorization_pending" });
  const decided = await post(`${path}/decide`, form, { origin });
  expect([decided.status(), decided.headers().location]).toEqual([303, path]);
  expect((await post(`${path}/decide`, form, { origin })).status()).toBe(409);
});

test.describe(() => {
  test.use({ javaScriptEnabled: false });

  test("connects a device when scripts are off", { tag: "@more" }, async ({ page, owner: _, tv }) => {
    const asked = await tv.ask(scopeNames.join(" "));
    await typeCode(page, "BBBB-BBBB");
    await expect(page.getByText(/^The code is wrong or has expired/).first()).toBeVisible();
    await expect(page.getByLabel("Code")).toHaveValue("BBBB-BBBB");
    await typeCode(page, asked.user_code);
    await expect(page.getByText(asked.user_code, { exact: true })).toBeVisible();
    await boxOf(page, "notifications:write").check();
    await page.getByRole("button", { name: /^Connect/ }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("You can go back to your device");
    expect(await tv.poll(asked)).toMatchObject({ status: 200, scope: "notifications:write" });
    const again = await tv.ask();
    await typeCode(page, again.user_code);
    await page.getByRole("button", { name: "Don’t connect" }).click();
    expect(await tv.poll(again)).toMatchObject({ error: "access_denied" });
  });
});
