import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { Page } from "@playwright/test";
import { db } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { sendTest } from "@/lib/webhooks/deliveries";
import { addEndpoint } from "@/lib/webhooks/endpoints";
import { answersSent } from "./answers-sent";
import { worker } from "./browser-alerts";
import { expect, serviceUrl, test } from "./fixtures";
import { rowOf, settle } from "./inbox-locators";
import { alive } from "./wait-for-hydration";

test.use({ serviceWorkers: "allow" });

const pngSize = (bytes: Buffer) => `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
const kept = (page: Page) =>
  page.evaluate(async () => {
    const all = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) all.push(`${name} ${new URL(url).pathname}`);
    return all.filter((path) => !path.includes("/_next/static/")).sort();
  });
const shell = ["/icons/badge-96.png", "/icons/icon-192.png", "/mark.svg", "/offline.css", "/offline.html"].map(
  (path) => `shell-1 ${path}`,
);

test("shows the number of waiting questions in the title, icon and badge", async ({ page, app }) => {
  await page.addInitScript(() => {
    const window_ = window as typeof window & { badge?: number };
    Object.assign(navigator, {
      setAppBadge: async (count: number) => void (window_.badge = count),
      clearAppBadge: async () => void (window_.badge = 0),
    });
  });
  const agree = async (count: number) => {
    const shown = count > 99 ? "99+" : String(count);
    await expect(page).toHaveTitle(count > 0 ? new RegExp(`^\\(${shown.replace("+", "\\+")}\\) [A-Z]`) : /^[A-Z]/);
    await expect(page.locator('link[rel="icon"]')).toHaveAttribute(
      "href",
      `/favicon/${count > 9 ? "9-more" : count}.svg`,
    );
    await expect.poll(() => page.evaluate(() => (window as typeof window & { badge?: number }).badge)).toBe(count);
    const rail = page.locator("[data-waiting]:visible");
    if (count === 0) await expect(rail).toHaveCount(0);
    else await expect(rail.first()).toHaveText(`${shown} waiting`);
    expect(
      (await fetch(`${serviceUrl()}/favicon/${count > 9 ? "9-more" : count}.svg`)).headers.get("content-type"),
    ).toBe("image/svg+xml");
  };
  await page.goto("/settings");
  await mayInstall(page);
  await agree(0);
  const id = await app.ask({});
  await agree(1);
  await expect(page.getByRole("status").filter({ hasText: "1 new question, 1 waiting" })).toHaveCount(1);
  await app.push({});
  await expect(page.getByRole("link", { name: /Notifications.*1 new/ }).first()).toBeAttached();
  for (let n = 0; n < 9; n++) await app.ask({});
  await agree(10);
  await page.locator('a[href="/notifications"]:visible').first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Notifications");
  await agree(10);
  await app.call(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" });
  await agree(9);
  await alive(page);
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { get: () => true });
  });
  await app.ask({});
  await expect(page).toHaveTitle(/^\(10\) Notifications/);
});

/** The browser's requirements for an installable page. */
async function mayInstall(page: Page) {
  await worker(page);
  const devtools = await page.context().newCDPSession(page);
  const { data = "", errors } = await devtools.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  const manifest = JSON.parse(data);
  expect(manifest).toMatchObject({ id: "/", start_url: "/approvals", display: "standalone", scope: "/" });
  for (const { src, sizes, type } of [
    ...manifest.icons,
    ...manifest.shortcuts.flatMap(({ icons }: { icons: [] }) => icons),
  ]) {
    const reply = await fetch(`${serviceUrl()}${src}`);
    expect([src, reply.headers.get("content-type")]).toEqual([src, type]);
    expect([src, pngSize(Buffer.from(await reply.arrayBuffer()))]).toEqual([src, sizes]);
  }
  expect(manifest.icons.map(({ purpose }: { purpose: string }) => purpose)).toContain("maskable");
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  // Playwright's own contexts count as private windows.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
  const apple = await page.locator('link[rel="apple-touch-icon"]').getAttribute("href");
  expect(pngSize(Buffer.from(await (await fetch(`${serviceUrl()}${apple}`)).arrayBuffer()))).toBe("180x180");
  await devtools.detach();
}

test("shows the last loaded list and disables answers while offline", async ({ page, app, context }) => {
  const id = await app.ask({ question: "Ship while away?" });
  const yes = page.getByRole("button", { name: "Yes" });
  await page.goto(`/approvals/${id}`);
  await worker(page);
  await settle(page);
  await page.getByText("Write an answer").click();
  await page.getByRole("textbox").first().fill("Not today");
  await expect(yes).toHaveCSS("opacity", "1");
  await context.setOffline(true);
  await expect(page.getByText("You’re offline.")).toBeVisible();
  await expect(page.getByText("Offline", { exact: true })).toBeVisible();
  await expect(yes).toBeDisabled();
  await expect(yes).toHaveCSS("opacity", "0.55");
  await expect(yes).toHaveCSS("cursor", "not-allowed");
  await page.evaluate(() => {
    // Sets values as a script or password manager might.
    const form = document.querySelector<HTMLFormElement>("[data-decision] form[aria-label='Your answer']");
    form?.requestSubmit();
  });
  await context.setOffline(false);
  await expect(yes).toBeEnabled();
  await expect(page.getByRole("textbox").first()).toHaveValue("Not today");
  expect((await app.read(id)).status).toBe("pending");

  await page.goto("/approvals");
  await expect(rowOf(page, "Ship while away?")).toBeVisible();
  await expect.poll(() => kept(page)).toContain("pages /approvals");
  await context.setOffline(true);
  await page.reload();
  await expect(page.locator("[data-list]").getByText("Ship while away?").or(page.locator("#question"))).not.toHaveCount(
    0,
  );
  await page.goto(`/approvals/${id}`).catch(() => {});
  await expect(page.getByText("You’re offline.")).toBeVisible();
  await expect(yes).toBeDisabled();
  const sent = answersSent(page);
  await page.keyboard.press("1");
  expect(await sent()).toEqual([]);
  await page.goto("/settings");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You’re offline");
  await context.setOffline(false);
  expect((await app.read(id)).status).toBe("pending");
});

test("clears the owner's data from the browser when the owner signs out", { tag: "@more" }, async ({
  page,
  app,
  owner,
}) => {
  await app.ask({ question: "Only for my eyes?" });
  await page.goto("/approvals");
  await worker(page);
  await page.goto("/notifications");
  await page.goto("/approvals");
  await expect.poll(() => kept(page)).toEqual(["pages /approvals", "pages /notifications", "pages /whose", ...shell]);
  await page.locator("summary:visible", { hasText: /Your account|More/ }).click();
  await page.getByRole("button", { name: "Sign out", exact: true }).filter({ visible: true }).click();
  await page.waitForURL("**/sign-in**");
  await expect.poll(() => kept(page)).toEqual(shell);

  // The session ends elsewhere, so the open page redirects to sign-in.
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/approvals");
  const old = "/_next/static/chunks/of-an-older-build.js";
  const isKept = () => page.evaluate(async (file) => (await caches.match(file)) !== undefined, old);
  await page.evaluate(async (file) => (await caches.open("pages")).put(file, new Response("")), old);
  await page.goto("/approvals");
  await expect.poll(() => kept(page)).toContain("pages /approvals");
  await expect.poll(isKept).toBe(false);
  // A fresh sign-in returns to the same page.
  await page.goto("/sign-in/again");
  await page.goto("/settings");
  expect(await kept(page)).toContain("pages /approvals");
  await page.context().clearCookies();
  await page.goto("/approvals");
  await page.waitForURL("**/sign-in**");
  await expect.poll(() => kept(page)).toEqual(shell);
});

test("makes no third-party requests on any page", {
  tag: "@more",
}, async ({ page, owner, app, context }) => {
  const account = await db.integration.create({
    data: {
      id: newId("int"),
      ownerId: owner.ownerId,
      provider: "corp",
      issuer: "https://id.example",
      subject: "1",
      email: "https://evil.example/a.png",
      accountName: "![x](https://evil.example/b.png)",
      scopes: [],
      buckets: [],
    },
  });
  const hook = await addEndpoint(owner, app.clientId, { url: "https://evil.example/hooks" });
  const delivery = await sendTest(owner, hook.id);
  const id = await app.ask({
    question: "See https://evil.example/x.png",
    backgroundContext:
      "![pixel](https://evil.example/pixel.png) <img src=https://evil.example/a.png> [link](https://evil.example/)",
  });
  const root = join(import.meta.dirname, "../app/(owner)");
  const pages = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)page\.tsx$/.test(file))
    .map(
      (file) =>
        `/${relative(root, join(root, file, ".."))
          .replace("[clientId]", app.clientId)
          .replace("webhooks/[id]", `webhooks/${hook.id}`)
          .replace("[delivery]", delivery.id)
          .replace("/unexpected", `/unexpected?id=${id}`)
          .replace("approvals/[id]", `approvals/${id}`)
          .replace("[id]", account.id)
          .replace("[provider]", "corp")}`,
    );
  expect(pages.length).toBeGreaterThan(8);
  expect(pages.filter((path) => path.includes("["))).toEqual([]);
  await app.push({
    title: "![x](https://evil.example/n.png)",
    data: { inbox: { url: "https://evil.example/", format: "markdown" } },
  });
  const strangers: string[] = [];
  const refused: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(`${serviceUrl()}/`) && !/^(data|blob):/.test(request.url()))
      strangers.push(request.url());
  });
  page.on("console", (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) refused.push(`${page.url()}: ${message.text()}`);
  });
  await page.goto("/approvals");
  await worker(page);
  for (const path of [
    ...pages,
    `/approvals/${id}`,
    "/approvals?status=resolved",
    "/nothing",
    "/offline.html",
    "/alerts/stopped",
  ]) {
    await page.goto(path);
    // These pages have no scripts.
    if (["/nothing", "/offline.html", "/alerts/stopped"].includes(path))
      await expect(page.locator("script")).toHaveCount(0);
    else await alive(page);
  }
  await page.evaluate(() => fetch("/api/health"));
  expect(strangers).toEqual([]);
  expect(refused).toEqual([]);
  const lists = ["pages /approvals", "pages /notifications", "pages /whose"];
  expect((await kept(page)).filter((path) => !lists.includes(path))).toEqual(shell);
  await context.setOffline(true);
  for (const path of ["/developer", "/oauth/authorize?client_id=x", "/consent/con_x"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("You’re offline");
  }
  await context.setOffline(false);
});
