import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import type { Response } from "@playwright/test";
import { operations } from "@/lib/api/operation-registry";
import { submitApproval } from "@/lib/approvals/operations";
import type { NewApproval } from "@/lib/approvals/schema";
import { answerApproval } from "@/lib/testing/answer-approval";
import { expectAccessible } from "./axe-checks";
import { expect, test } from "./fixtures";

test("serves the documentation without a sign-in or scripts", async ({
  browser,
  baseURL,
  // Without an account, sign-in pages redirect to setup.
  owner: _,
}) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false, ...(baseURL && { baseURL }) })).newPage();
  await page.goto("/docs");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your first approval in five minutes");
  // The page lists all languages, without inactive controls.
  const panels = page.getByRole("tabpanel", { includeHidden: true });
  expect(await panels.count()).toBeGreaterThan(5);
  await expect(panels.filter({ visible: true })).toHaveCount(await panels.count());
  await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
  for (const { id } of [{ id: "security" }, ...operations]) await expect(page.locator(`#${id}`)).toBeVisible();
  await expect(page.getByRole("link", { name: "Licenses" })).toHaveAttribute("href", "/licenses.txt");
  const pages = page.getByRole("navigation", { name: "Documentation" });
  await expect(pages.getByRole("link", { name: "Quick start" })).toHaveAttribute("aria-current", "page");
  await pages.getByRole("link", { name: "API reference" }).click();
  // The list highlights the open page at any page length.
  await expect(pages.getByRole("link", { name: "API reference" })).toBeInViewport();
  for (const { summary } of operations)
    await expect(page.getByRole("heading", { name: summary, exact: true })).toBeVisible();
  await pages.getByRole("link", { name: "Errors", exact: true }).click();
  await expect(page).toHaveURL(/\/docs\/reference#errors$/);
  await expect(page.locator('link[rel="alternate"][type="text/markdown"]')).toHaveAttribute("href", /\/reference\.md$/);
  await page.getByRole("searchbox").fill("webhook secret");
  await page.getByRole("searchbox").press("Enter");
  await expect(page.getByRole("main").getByRole("link", { name: /^Secrets/ })).toHaveAttribute(
    "href",
    "/docs/webhooks#secrets",
  );
  // Programs get each page as Markdown, by file name or Accept header, and an index.
  const read = async (path: string, accept = "*/*") => {
    const reply = await page.request.get(path, { headers: { accept } });
    return [reply.status(), reply.headers()["content-type"]?.split(";")[0], (await reply.text()).split("\n")[0]];
  };
  const asMarkdown = [200, "text/markdown", "# Webhooks"];
  expect(await read("/docs/webhooks.md")).toEqual(asMarkdown);
  expect(await read("/docs/webhooks", "text/markdown, text/html;q=0.8")).toEqual(asMarkdown);
  expect(await read("/docs", "text/markdown")).toEqual(await read("/docs.md"));
  expect((await read("/docs/webhooks", "text/html"))[1]).toBe("text/html");
  expect([(await read("/docs/none.md"))[0], (await read("/docs/none"))[0]]).toEqual([404, 404]);
  const moved = await page.request.get("/docs/quick-start", { maxRedirects: 0 });
  expect([moved.status(), new URL(moved.headers().location ?? "", moved.url()).pathname]).toEqual([308, "/docs"]);
  expect(await read("/llms.txt")).toEqual([200, "text/plain", "# Countersign"]);
  expect(await read("/llms-full.txt")).toEqual([200, "text/plain", "# Your first approval in five minutes"]);
  expect(await read("/licenses.txt")).toEqual([200, "text/plain", "Countersign"]);
  expect(await read("/robots.txt")).toEqual([200, "text/plain", "User-agent: *"]);
  // The documentation for developers has no sign-in form.
  await page.goto("/sign-in");
  await expect(page.getByRole("link", { name: "API documentation" })).toHaveCount(0);
  await page.context().close();
});

test("provides search and language tabs in the documentation", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/docs/calls");
  const panels = page.getByRole("tabpanel");
  await expect(panels.first()).toContainText("export COUNTERSIGN_URL");
  await page.getByRole("tab", { name: "curl" }).first().focus();
  // Until scripts load, a key does nothing.
  await expect(async () => {
    await page.keyboard.press("End");
    await expect(page.getByRole("tab", { name: "Java" }).first()).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByRole("tab", { name: "Python", selected: true }).first()).toBeFocused();
  await expect(page.getByRole("tab", { selected: true })).toHaveText(Array(await panels.count()).fill("Python"));
  await page.getByRole("button", { name: "Copy" }).nth(1).click();
  await expect(page.getByRole("status").filter({ hasText: "Copied" })).toBeAttached();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^id = client\.approvals\.create\(\n/);

  await page.locator("body").press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("webhook del");
  const first = page.getByRole("link", { name: /^Delivery/ });
  await expect(first).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("search").getByRole("link").first()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(first).toBeHidden();
  await expect(page.getByRole("searchbox")).toBeFocused();

  const pages = page.getByRole("navigation", { name: "Documentation" });
  await expect(pages).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(pages).toBeHidden();
  // Content wider than a phone fades out at its edge, but not when scrolled to its end.
  const faded = await page
    .getByRole("tabpanel")
    .first()
    .locator("pre")
    .evaluate((pre) => {
      pre.scrollLeft = pre.scrollWidth;
      const end = document.createRange();
      end.selectNodeContents(pre.firstElementChild ?? pre);
      const fade = Number.parseFloat(getComputedStyle(pre, "::after").width);
      return { fade, room: pre.getBoundingClientRect().right - end.getBoundingClientRect().right, at: pre.scrollLeft };
    });
  expect(faded.at).toBeGreaterThan(0);
  expect(faded.fade).toBeGreaterThan(16);
  // Browsers round scroll positions to whole pixels.
  expect(Math.ceil(faded.room)).toBeGreaterThanOrEqual(faded.fade);
  const open = page.getByRole("button", { name: "Pages" });
  await open.click();
  await expect(pages.getByRole("link", { name: "Developer page" })).toHaveAttribute("href", "/developer");
  await pages.getByRole("button", { name: "Close" }).click();
  await expect(pages).toBeHidden();
  // The current page's section is below the visible part of the list.
  await open.click();
  await pages.getByRole("link", { name: "Notify" }).click();
  await expect(pages).toBeHidden();
  await open.click();
  await pages.getByRole("link", { name: "Deadlines and receipts" }).click();
  await expect(page.getByRole("tab", { name: "Python", selected: true }).first()).toBeVisible();
});

test("runs the reference's curl commands and passes axe on documentation pages", {
  tag: "@more",
}, async ({ page, owner, app }) => {
  const scripts = async (path: string) => {
    const loaded = new Map<string, number>();
    const note = async (response: Response) => {
      if (response.request().resourceType() !== "script") return;
      loaded.set(response.url(), 0);
      loaded.set(response.url(), (await response.body()).length);
    };
    page.on("response", note);
    await page.goto(path, { waitUntil: "networkidle" });
    page.off("response", note);
    return loaded;
  };
  // A page with only the scripts that every page loads.
  const bare = await scripts("/goodbye");
  expect(bare.size).toBeGreaterThan(0);
  const own = [...(await scripts("/docs/reference"))].filter(([url]) => !bare.has(url));
  expect(own.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(8_000);
  await expectAccessible(page, "the reference");

  const ID = await app.ask({ options: [{ id: "wait", label: "Wait" }] });
  const note = await app.push({});
  const answered = await app.ask({});
  await app.call(`/api/approvals/${answered}/resolve`, { kind: "option", optionId: "yes" });
  const usable = await app.ask(submitApproval.example.body as NewApproval);
  await answerApproval(owner, usable, { kind: "option", optionId: "wait" });
  const commands = await page.locator("article pre").filter({ hasText: /^curl/ }).allTextContents();
  expect(commands).toHaveLength(operations.length);
  const idFor = (command: string) => {
    if (command.includes("/notifications/")) return note;
    return command.includes("/use") ? usable : /\/(receipt|outcome)/.test(command) ? answered : ID;
  };
  // A frozen app gets 403, so it freezes itself at the end.
  const last = (command: string) => Number(command.includes("/freeze"));
  for (const command of commands.sort((a, b) => last(a) - last(b))) {
    const env = { ...process.env, COUNTERSIGN_TOKEN: app.token, ID: idFor(command) };
    const { stdout } = await promisify(execFile)("sh", ["-c", `${command} --silent --fail-with-body`], { env });
    expect(JSON.parse(stdout), command).not.toHaveProperty("error");
  }
  await page.goto("/docs/receipts");
  await page.getByRole("searchbox").fill("receipt");
  await expect(page.getByRole("search").getByRole("link").first()).toBeVisible();
  await expectAccessible(page, "a guide, while one searches");
  for (const [name, file] of [
    ["Download OpenAPI 3.1", "countersign-openapi.json"],
    ["OpenAPI 3.0", "countersign-openapi-3.0.json"],
    ["Download API collection (Postman, Bruno, Insomnia)", "countersign.postman_collection.json"],
  ] as const) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);
    expect(download.suggestedFilename()).toBe(file);
    expect(JSON.parse(readFileSync(await download.path(), "utf8"))).toHaveProperty("info.description");
  }
});
