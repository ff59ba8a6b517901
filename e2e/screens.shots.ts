import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { promisify } from "node:util";
import type { BrowserContextOptions, Page } from "@playwright/test";
import { pictureFolder, shownPictures } from "@/lib/testing/screenshots-in-docs";
import { expect, test } from "./fixtures";

const run = promisify(execFile);

const screens: Record<string, BrowserContextOptions> = {
  "390-light": { viewport: { width: 390, height: 844 }, colorScheme: "light", hasTouch: true },
  "390-dark": { viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true },
  "1280-light": { viewport: { width: 1280, height: 800 }, colorScheme: "light" },
  "1280-dark": { viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
};

/** A page of the seeded owner, and an app that can request consent. */
type Stage = { page: Page; clientId: string };

/** How to open each page that the documentation shows. */
const subjects: Record<string, (stage: Stage) => Promise<unknown>> = {
  inbox: ({ page }) => page.goto("/approvals"),
  decision: async ({ page }) => page.goto(await hrefOf(page, "/approvals", 'a[href^="/approvals/apr_"]')),
  deadline: ({ page }) => openQuestion(page, "Reply to Noor"),
  "ask-back": async ({ page }) => {
    await openQuestion(page, "Delete 312 GB");
    await page.getByText("Ask a question", { exact: true }).first().click();
  },
  answered: ({ page }) => page.goto("/approvals?status=resolved"),
  notifications: ({ page }) => page.goto("/notifications"),
  "notification-open": async ({ page }) => {
    await page.goto("/notifications");
    await page.locator("summary[data-row]").first().click();
  },
  integrations: ({ page }) => page.goto("/integrations"),
  "link-kinds": ({ page }) => page.goto("/integrations/link/google"),
  apps: ({ page }) => page.goto("/apps"),
  app: async ({ page }) => page.goto(await hrefOf(page, "/apps", 'a[href^="/apps/app_"]')),
  activity: ({ page }) => page.goto("/activity"),
  settings: ({ page }) => page.goto("/settings"),
  phone: ({ page }) => page.goto("/phone"),
  palette: ({ page }) => openDialog(page, "Control+k"),
  keys: ({ page }) => openDialog(page, "?"),
  developer: ({ page }) => page.goto("/developer"),
  webhook: ({ page, clientId }) => page.goto(`/developer/${clientId}/webhooks/new`),
  consent: ({ page, clientId }) => page.goto(`/oauth/authorize?${asks(clientId)}`),
};

test.use({ emptySettings: { GOOGLE_CLIENT_ID: "example", GOOGLE_CLIENT_SECRET: "example" } });

test("captures exactly the screenshots that documentation pages show", async ({ browser, emptyService }) => {
  const pictures = shownPictures();
  const unknown = pictures.filter(({ subject, screen }) => !(subject in subjects && screen in screens));
  expect(unknown).toEqual([]);
  mkdirSync(pictureFolder, { recursive: true });
  for (const file of readdirSync(pictureFolder)) rmSync(`${pictureFolder}/${file}`);
  const { url, environment } = emptyService;
  const env = { ...process.env, SECRET: "", ...environment, PUBLIC_URL: url };
  const { stdout } = await run("npm", ["run", "-s", "seed"], { env });
  const said = (name: string) => new RegExp(`^${name} +(\\S+)`, "m").exec(stdout)?.[1] ?? "";
  const owner = { email: said("email"), password: said("password") };
  const clientId = await register(env, owner.email);

  for (const [screen, options] of Object.entries(screens)) {
    const page = await (await browser.newContext({ ...options, baseURL: url })).newPage();
    await signIn(page, owner);
    for (const { name, subject } of pictures.filter((it) => it.screen === screen)) {
      await subjects[subject]?.({ page, clientId });
      await page.waitForLoadState("load");
      // Waits until controls accept presses and dialogs have opened.
      await page.waitForTimeout(1_200);
      await page.screenshot({ path: `${pictureFolder}/${name}.png` });
    }
    await page.context().close();
  }
});

/** Registers an app of the owner's. @returns its ID */
async function register(env: NodeJS.ProcessEnv, email: string): Promise<string> {
  const words = ["--owner", email, "--name", "Calendar agent", "--redirect-uri", "https://agent.example.com/callback"];
  const create = ["run", "-s", "countersign", "--", "app", "create", ...words, "--public", "--json"];
  const { stdout } = await run("npm", create, { env });
  return (JSON.parse(stdout) as { clientId: string }).clientId;
}

const asks = (clientId: string) =>
  new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: "https://agent.example.com/callback",
    scope: "approvals:write approvals:read notifications:write approvals:resolve",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  });

async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((to) => !to.pathname.startsWith("/sign-in"));
}

/** The URL of the first matching link on a page. */
async function hrefOf(page: Page, path: string, links: string, hasText = ""): Promise<string> {
  await page.goto(path);
  return (await page.locator(links).filter({ hasText }).first().getAttribute("href")) ?? "";
}

const openQuestion = async (page: Page, question: string) =>
  page.goto(await hrefOf(page, `/approvals?q=${encodeURIComponent(question)}`, 'a[href^="/approvals/apr_"]', question));

/** The palette or the shortcut list, over the inbox. */
async function openDialog(page: Page, keys: string) {
  await page.goto("/approvals");
  await page.waitForTimeout(600);
  await page.keyboard.press(keys);
  await expect(page.locator("dialog[open] :is([role=option], kbd)").first()).toBeAttached();
}
