import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { promisify } from "node:util";
import type { BrowserContextOptions, Page } from "@playwright/test";
import { expect, test } from "./fixtures";

const run = promisify(execFile);
const folder = "docs/screenshots";

const screens: Record<string, BrowserContextOptions> = {
  "390-light": { viewport: { width: 390, height: 844 }, colorScheme: "light", hasTouch: true },
  "390-dark": { viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true },
  "1280-light": { viewport: { width: 1280, height: 800 }, colorScheme: "light" },
  "1280-dark": { viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
};

test.use({ emptySettings: { GOOGLE_CLIENT_ID: "example", GOOGLE_CLIENT_SECRET: "example" } });

test("captures every seeded page in both sizes and themes", async ({ browser, emptyService }) => {
  mkdirSync(folder, { recursive: true });
  const { url, environment } = emptyService;
  const env = { ...process.env, SECRET: "", ...environment, PUBLIC_URL: url };
  const { stdout } = await run("npm", ["run", "-s", "seed"], { env });
  const said = (name: string) => new RegExp(`^${name} +(\\S+)`, "m").exec(stdout)?.[1] ?? "";
  const owner = { email: said("email"), password: said("password") };
  const created = await run(
    "npm",
    [
      "run",
      "-s",
      "countersign",
      "--",
      "app",
      "create",
      "--owner",
      owner.email,
      "--name",
      "Calendar agent",
      "--redirect-uri",
      "https://agent.example.com/callback",
      "--public",
      "--json",
    ],
    { env },
  );
  const { clientId } = JSON.parse(created.stdout) as { clientId: string };
  const asks = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: "https://agent.example.com/callback",
    scope: "approvals:write approvals:read notifications:write approvals:resolve",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  });

  for (const [screen, options] of Object.entries(screens)) {
    const page = await (await browser.newContext({ ...options, baseURL: url })).newPage();
    await shoot(page, "/sign-in", `sign-in-${screen}`);
    await signIn(page, owner);
    const decision = await firstDecision(page);
    await shoot(page, "/approvals", `inbox-${screen}`);
    await shoot(page, decision, `decision-${screen}`);
    await shoot(page, await decisionAbout(page, "Reply to Noor"), `deadline-${screen}`);
    await shootAskBack(page, "Delete 312 GB", `ask-back-${screen}`);
    await shoot(page, "/approvals?status=snoozed", `snoozed-${screen}`);
    await shoot(page, "/approvals?status=resolved", `answered-${screen}`);
    await shoot(page, "/approvals?q=the", `inbox-search-${screen}`);
    await shoot(page, "/phone", `phone-${screen}`);
    await shoot(page, "/notifications", `notifications-${screen}`);
    await page.locator("summary[data-row]").first().click();
    await page.screenshot({ path: `${folder}/notification-open-${screen}.png` });
    await shoot(page, "/notifications?tab=done", `notifications-done-${screen}`);
    await shoot(page, "/integrations", `integrations-${screen}`);
    const account = await firstAccount(page);
    await shoot(page, account, `account-${screen}`);
    await page.getByRole("button", { name: "Disconnect" }).click();
    await page.screenshot({ path: `${folder}/account-disconnect-${screen}.png` });
    await shoot(page, `${account}?linked=new`, `account-linked-${screen}`);
    await shoot(page, "/integrations/link", `link-account-${screen}`);
    await shoot(page, "/integrations/link/google", `link-kinds-${screen}`);
    await shoot(page, "/integrations/link/mail", `link-mail-${screen}`);
    await shoot(page, "/apps", `apps-${screen}`);
    await shoot(page, await firstApp(page), `app-${screen}`);
    await shoot(page, "/developer", `developer-${screen}`);
    await shoot(page, `/developer/${clientId}`, `developer-app-${screen}`);
    await shoot(page, `/developer/${clientId}/webhooks/new`, `webhook-${screen}`);
    await shoot(page, "/developer/requests", `requests-${screen}`);
    await shoot(page, "/docs", `docs-${screen}`);
    await shoot(page, "/activity", `activity-${screen}`);
    await shoot(page, "/device", `device-${screen}`);
    await shoot(page, "/settings", `settings-${screen}`);
    await page.goto("/settings#appearance");
    await page.waitForTimeout(600);
    await page.screenshot({ path: `${folder}/settings-appearance-${screen}.png` });
    await shootDialogs(page, screen);
    await shoot(page, `/oauth/authorize?${asks}`, `consent-${screen}`);
    await page.context().close();
  }
});

async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((to) => !to.pathname.startsWith("/sign-in"));
}

async function firstDecision(page: Page): Promise<string> {
  await page.goto("/approvals");
  const link = page.locator('a[href^="/approvals/apr_"]').first();
  return (await link.getAttribute("href")) ?? "";
}

async function decisionAbout(page: Page, question: string): Promise<string> {
  await page.goto(`/approvals?q=${encodeURIComponent(question)}`);
  const link = page.locator('a[href^="/approvals/apr_"]').filter({ hasText: question }).first();
  return (await link.getAttribute("href")) ?? "";
}

/** The owner's clarification form, not sent. */
async function shootAskBack(page: Page, question: string, name: string) {
  await page.goto(await decisionAbout(page, question));
  await page.locator("summary", { hasText: "first…" }).click();
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${folder}/${name}.png` });
}

async function firstApp(page: Page): Promise<string> {
  await page.goto("/apps");
  return (await page.locator('a[href^="/apps/app_"]').first().getAttribute("href")) ?? "";
}

/** The account that grants less than requested. */
async function firstAccount(page: Page): Promise<string> {
  await page.goto("/integrations");
  const row = page.locator("[data-account]").filter({ hasText: "not granted" }).first();
  return (await row.locator("a[data-row]").getAttribute("href")) ?? "";
}

async function shoot(page: Page, path: string, name: string) {
  await page.goto(path);
  await page.waitForLoadState("load");
  // Waits for controls to arm, and moves the mouse out of the picture.
  await page.waitForTimeout(1_200);
  await page.screenshot({ path: `${folder}/${name}.png` });
}

/** The palette and the list of keys, over the inbox. */
async function shootDialogs(page: Page, screen: string) {
  for (const [keys, name] of [
    ["Control+k", "palette"],
    ["?", "keys"],
  ] as const) {
    await page.goto("/approvals");
    await page.waitForTimeout(600);
    await page.keyboard.press(keys);
    await expect(page.locator("dialog[open] :is([role=option], kbd)").first()).toBeAttached();
    await page.waitForTimeout(300);
    await page.screenshot({ path: `${folder}/${name}-${screen}.png` });
  }
}
