import type { Locator, Request } from "@playwright/test";
import { db } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { scopeNames } from "@/lib/scopes";
import { anOwner } from "@/lib/testing/factories";
import { answersSent } from "./answers-sent";
import { expectAccessible } from "./axe-checks";
import { test as base, enter, expect, serviceUrl } from "./fixtures";
import { aBrowserApp, aQuestion, type BrowserApp, randomLetters, statusOf } from "./oauth-app";
import { boxOf, openConsent } from "./oauth-owner";
import { sent } from "./page-html";
import { alive } from "./wait-for-hydration";

const test = base.extend<{ pilot: BrowserApp }>({
  /** An app registered by another owner. */
  pilot: async ({ owner: _ }, use) => {
    const pilot = await aBrowserApp(await anOwner());
    await use(pilot);
    pilot.close();
  },
});
const every = scopeNames.join(" ");

test("grants only the selected scopes", async ({ page, owner: _, pilot }) => {
  const headers = (await page.goto(pilot.authorizeUrl(every)))?.headers() ?? {};
  expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(headers["content-security-policy"]).not.toContain("form-action");
  expect(headers["x-frame-options"]).toBe("DENY");
  expect(headers["referrer-policy"]).toBe("no-referrer");
  expect(headers["cache-control"]).toContain("no-store");
  await expect(page).toHaveURL(/\/consent\/con_/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Connect ${pilot.name}?`);
  await expect(page.getByText(/^127\.0\.0\.1:\d+$/)).toBeVisible();
  await expect(page.getByText("Continue only if you just started this app.")).toBeVisible();
  await expect(page.getByText(/^Unverified · added by .* just now$/)).toBeVisible();
  for (const scope of scopeNames) await expect(boxOf(page, scope)).not.toBeChecked();
  // Technical names are collapsed, and do not run into adjacent text.
  for (const scope of scopeNames) await expect(page.getByText(scope, { exact: true })).toBeHidden();
  await expect(page.getByRole("checkbox", { name: "Ask you questions", exact: true })).toBeVisible();

  const allow = page.getByRole("button", { name: /^Connect/ });
  await expect(page.getByRole("main").getByRole("button", { name: /connect/i })).toHaveText([
    "Connect Choose a permission",
    "Don’t connect",
  ]);
  await expect(allow).toHaveAttribute("aria-disabled", "true");
  await alive(page);
  await expect(page.getByRole("button", { name: "Don’t connect" })).not.toHaveAttribute("aria-disabled");
  await allow.click({ force: true });
  const lacking = page
    .getByRole("alert")
    .filter({ hasText: "Choose at least one permission, or select “Don’t connect”." });
  await expect(lacking).toBeVisible();
  await expect(boxOf(page, "approvals:write")).toBeFocused();
  expect(pilot.answers).toHaveLength(0);
  const unheard = page.getByText("Without the permission below, the app can’t see your answer.");
  await expect(unheard).toBeHidden();
  await page.keyboard.press("Space");
  await expect(lacking).toBeHidden();
  await expect(unheard).toBeVisible();

  // One tap on the heading selects both permissions, and another tap clears both.
  const both = page.getByRole("checkbox", { name: "Ask you questions and see your answers" });
  await expect(both).toHaveAttribute("aria-checked", "mixed");
  await both.click();
  await expect(both).toBeChecked();
  await expect(boxOf(page, "approvals:read")).toBeChecked();
  await expect(unheard).toBeHidden();
  await both.click();
  await expect(boxOf(page, "approvals:write")).not.toBeChecked();
  await both.click();
  for (const scope of ["notifications:write", "notifications:read"] as const) await boxOf(page, scope).check();
  await expect(boxOf(page, "approvals:resolve")).not.toBeChecked();
  await boxOf(page, "approvals:read").uncheck();
  await expect(unheard).toBeVisible();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("heading")).toHaveText("Back at the app");

  const [answer] = pilot.answers;
  expect(answer?.get("state")).toBe("st ate");
  expect(answer?.getAll("iss")).toHaveLength(1);
  const { status, access_token = "", scope } = await pilot.redeem();
  expect(status).toBe(200);
  expect(scope?.split(" ").sort()).toEqual(["approvals:write", "notifications:read", "notifications:write"]);
  expect(await statusOf(access_token, "/api/approvals", aQuestion)).toBeLessThan(300);
  expect(await statusOf(access_token, "/api/approvals")).toBe(403);
});

test("ignores clicks during the first half second after the consent page loads", async ({ page, owner: _, pilot }) => {
  const sentOf = answersSent(page);
  await page.goto(pilot.authorizeUrl("approvals:write"), { waitUntil: "commit" });
  // Runs in the page, once scripts have taken over the form.
  const clicked = await page.evaluate(async () => {
    const alive = () => [...document.querySelectorAll("button")].find((it) => it.value === "deny");
    const taken = (it: Element) => Object.keys(it).some((key) => key.startsWith("__reactProps"));
    for (;;) {
      const deny = alive();
      if (deny && taken(deny)) return deny.click() ?? true;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  expect(clicked).toBe(true);
  expect(await sentOf()).toEqual([]);
  await expect(page).toHaveURL(/\/consent\//);
  expect(pilot.answers).toHaveLength(0);
  // Repeats until one press counts.
  await expect(async () => {
    const deny = page.getByRole("button", { name: "Don’t connect" });
    // The previous press may have counted, and the next page may be loading.
    if (await deny.isVisible()) await deny.click({ timeout: 5000 }).catch(() => {});
    await expect(page.getByRole("heading")).toHaveText("Back at the app", { timeout: 3000 });
  }).toPass();
  expect(pilot.answers.map((answer) => [answer.get("error"), answer.get("code")])).toEqual([["access_denied", null]]);
  expect((await sent(page, "/apps")).html).toContain("No connected apps");
});

test("shows the consent page only after a sign-in and accepts only one decision", async ({ page, owner, pilot }) => {
  await page.context().clearCookies();
  await page.goto(pilot.authorizeUrl("approvals:write"));
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Connect ${pilot.name}?`);
  await boxOf(page, "approvals:write").check();
  await page.getByRole("button", { name: "Connect", exact: true }).dblclick();
  await expect(page.getByRole("heading")).toHaveText("Back at the app");
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You’ve already responded to this request");
  expect(pilot.answers).toHaveLength(1);
  expect((await pilot.redeem()).status).toBe(200);
});

test("rejects consent requests that were decided, expired or opened by another owner", async ({
  page,
  browser,
  owner: _,
  pilot,
}) => {
  await page.goto(pilot.authorizeUrl("approvals:write"));
  const url = page.url();
  const id = url.split("/").at(-1) as string;

  const stranger = await browser.newPage({ baseURL: new URL(url).origin });
  await enter(stranger, await anOwner());
  expect((await stranger.goto(url))?.status()).toBe(404);
  await expect(stranger.getByRole("heading", { level: 1 })).toHaveText("Request not found");
  await stranger.close();

  await db.consentRequest.update({ where: { id }, data: { expiresAt: new Date(0) } });
  expect((await sent(page, url)).html).toMatch(/<h1[^>]*>This request has expired</);
  await db.consentRequest.update({ where: { id }, data: { expiresAt: new Date(Date.now() + 60_000) } });

  await alive(page);
  await page.getByRole("button", { name: "Don’t connect" }).click();
  await expect(page.getByRole("heading")).toHaveText("Back at the app");
  expect((await sent(page, url)).html).toMatch(/<h1[^>]*>You’ve already responded to this request</);
});

test("rejects forged consent forms", async ({ page, owner: _, pilot }) => {
  const { page: url, csrf } = await openConsent(page.request, pilot.authorizeUrl("approvals:write"));
  const origin = serviceUrl();
  const form = { csrf, decision: "allow", scope: "approvals:write" };
  const post = (data: Record<string, string>, headers: Record<string, string>) =>
    page.request.post(`${url}/decide`, { form: data, headers, maxRedirects: 0 });
  const own = { origin, "sec-fetch-site": "same-origin" };
  expect((await post(form, { origin: "https://evil.example", "sec-fetch-site": "cross-site" })).status()).toBe(403);
  expect((await post(form, { origin: "null" })).status()).toBe(403);
  expect((await post(form, { origin, "sec-fetch-site": "cross-site" })).status()).toBe(403);
  expect((await post({ ...form, csrf: "" }, own)).status()).toBe(403);
  expect((await post({ ...form, csrf: `${csrf.slice(0, -1)}~` }, own)).status()).toBe(403);
  // A hidden scope is not granted. The response is a 303, so browsers don't repost the form.
  const decided = await post({ ...form, scope: "approvals:resolve" }, own);
  expect(decided.status()).toBe(303);
  expect(new URL(decided.headers().location as string).searchParams.get("error")).toBe("access_denied");
});

test("separates new permissions from earlier permissions on a later consent page", { tag: "@more" }, async ({
  page,
  owner,
  pilot,
}) => {
  const label = `Work ${randomLetters()}`;
  await db.integration.create({
    data: {
      id: newId("int"),
      ownerId: owner.ownerId,
      provider: "google",
      issuer: "google",
      subject: "1",
      label,
      email: owner.email,
      buckets: ["identity"],
      scopes: [],
    },
  });
  await page.goto(pilot.authorizeUrl("approvals:write notifications:write"));
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(0);
  await page.getByText("Accounts the app can see").first().click();
  await expect(page.getByRole("checkbox", { name: label, exact: true })).toBeVisible();
  await boxOf(page, "approvals:write").check();
  await boxOf(page, "notifications:write").check();
  await page.getByLabel("Ends").selectOption("In 30 days");
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("heading")).toHaveText("Back at the app");
  const seenBy = async (token = "") => {
    const reply = await fetch(`${serviceUrl()}/api/integrations`, { headers: { authorization: `Bearer ${token}` } });
    return ((await reply.json()) as { data: object[] }).data;
  };
  expect(await seenBy((await pilot.redeem()).access_token)).toEqual([]);

  await page.goto(pilot.authorizeUrl("approvals:write approvals:read"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Give ${pilot.name} more access?`);
  await expect(page.getByText("Currently ends in 29 d")).toBeVisible();
  await page.getByText("Already allowed: 2").click();
  await expect(boxOf(page, "approvals:write")).toBeChecked();
  // The app could ask but never read an answer. Selected scopes in the collapsed section also
  // count.
  await expect(page.getByText("The app can’t see your answer.")).toBeVisible();
  await boxOf(page, "approvals:read").check();
  await page.getByText("Accounts the app can see").first().click();
  await page.getByRole("checkbox", { name: label }).check();
  await expect(page.getByText("1 of 1")).toBeVisible();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("heading")).toHaveText("Back at the app");
  const { scope, access_token } = await pilot.redeem();
  expect(scope).toBe("approvals:write approvals:read");
  expect(await seenBy(access_token)).toHaveLength(1);
});

test("keeps the buttons of the consent page in view on a phone", { tag: "@phone" }, async ({
  page,
  owner: _,
  pilot,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(pilot.authorizeUrl("approvals:write approvals:read"));
  const bottom = async (it: Locator) => {
    const box = await it.boundingBox();
    return (box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0);
  };
  const order = [
    page.getByText("The app will send you back to"),
    boxOf(page, "approvals:write"),
    page.getByLabel("Ends"),
  ];
  const bottoms = await Promise.all([...order, page.getByText("Signed in as")].map(bottom));
  const bar = (await page.getByRole("button", { name: "Don’t connect" }).boundingBox())?.y ?? 0;
  expect([...bottoms]).toEqual(bottoms.toSorted((a, b) => a - b));
  expect(bottoms.at(-1)).toBeLessThan(bar);
  expect(await bottom(page.getByRole("button", { name: "Don’t connect" }))).toBeLessThan(844);
});

test("grants consent with the keyboard alone", async ({ page, owner: _, pilot }) => {
  await page.goto(pilot.authorizeUrl("approvals:write approvals:read"));
  await alive(page);
  await expect(page.getByRole("button", { name: "Don’t connect" })).not.toHaveAttribute("aria-disabled");
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BODY");
  const box = boxOf(page, "approvals:write");
  for (let presses = 0; presses < 12 && !(await box.evaluate((it) => it === document.activeElement)); presses++) {
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading")).toHaveText("Back at the app");
  expect((await pilot.redeem()).scope).toBe("approvals:write");
});

test("shows the consent page for two permissions in at most 90 words", { tag: "@more" }, async ({
  page,
  owner: _,
  pilot,
}) => {
  await page.goto(pilot.authorizeUrl("approvals:write approvals:read"));
  await expect(page.getByRole("checkbox", { name: "Ask you questions and see your answers" })).toBeVisible();
  const words = await page.getByRole("main").evaluate((main) => {
    // The test reads only the selected end.
    for (const option of main.querySelectorAll("option:not(:checked)")) option.remove();
    return (main as HTMLElement).innerText.split(/\s+/).filter(Boolean).length;
  });
  expect(words).toBeLessThanOrEqual(90);
});

test.describe(() => {
  test.use({ javaScriptEnabled: false });

  test("grants or denies consent when scripts are off", async ({ page, owner: _, pilot }) => {
    await page.goto(pilot.authorizeUrl(every));
    await expect(page.getByText("Choose a permission", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: /^Connect/ }).click();
    await expect(page.getByText("Choose at least one permission, or select “Don’t connect”.")).toBeVisible();
    expect(pilot.answers).toEqual([]);
    await boxOf(page, "approvals:write").check();
    await expect(page.getByText("Without the permission below, the app can’t see your answer.")).toBeVisible();
    await boxOf(page, "approvals:write").uncheck();
    await boxOf(page, "notifications:write").check();
    await expect(page.getByText("Choose a permission", { exact: true })).toBeHidden();
    await page.getByRole("button", { name: /^Connect/ }).click();
    await expect(page.getByRole("heading")).toHaveText("Back at the app");
    expect((await pilot.redeem()).scope).toBe("notifications:write");
    await page.goto(pilot.authorizeUrl(every));
    await page.getByRole("button", { name: "Don’t connect" }).click();
    expect(pilot.answers.at(-1)?.get("error")).toBe("access_denied");
  });
});

test("loads no scripts on pages without controls", { tag: "@more" }, async ({ page, owner: _, pilot }) => {
  await page.goto(pilot.authorizeUrl("approvals:write"));
  const closed = page.url();
  await db.consentRequest.update({ where: { id: closed.split("/").at(-1) ?? "" }, data: { expiresAt: new Date(0) } });
  for (const [path, status, title] of [
    [closed, 410, "This request has expired"],
    ["/consent/con_nope", 404, "Request not found"],
    ["/device/dev_nope", 404, "This code has expired"],
    ["/approvals/apr_nope", 404, "Page not found"],
    ["/nothing/here", 404, "Page not found"],
    ["/alerts/stopped", 404, "This link doesn’t work"],
    ["/alerts/stopped?done=1", 200, "Email alerts stopped"],
    ["/confirm-email?token=x", 404, "This link doesn’t work"],
    ["/confirm-email?done=1", 200, "Email confirmed"],
  ] as const) {
    const loaded: string[] = [];
    const listen = (request: Request) => request.resourceType() === "script" && loaded.push(request.url());
    page.on("request", listen);
    const reply = await page.goto(path, { waitUntil: "networkidle" });
    page.off("request", listen);
    expect([path, reply?.status(), loaded]).toEqual([path, status, []]);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await expectAccessible(page, path);
  }
});
