import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { operations } from "@/lib/api/registry";
import { expectAccessible } from "./accessible";
import { expect, test } from "./fixtures";

test("anybody reads the documentation, without signing in and without scripts", async ({
  browser,
  baseURL,
  // Where nobody lives yet the doors lead elsewhere.
  owner: _,
}) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false, ...(baseURL && { baseURL }) })).newPage();
  await page.goto("/docs");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("API documentation");
  for (const { summary } of operations)
    await expect(page.getByRole("heading", { name: summary, exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Errors", exact: true }).click();
  await expect(page).toHaveURL(/#errors$/);
  // Developers' reading has no place where owners sign in.
  await page.goto("/sign-in");
  await expect(page.getByRole("link", { name: "API documentation" })).toHaveCount(0);
  await page.context().close();
});

test("no script of its own: it loads what a page that is not there loads, and no more; it is clean in every size and light; every command on it works as it stands, and the document can be taken along", {
  tag: "@more",
}, async ({ page, app }) => {
  test.setTimeout(120_000);
  const scripts = async (path: string) => {
    const loaded = new Set<string>();
    const note = (request: { resourceType(): string; url(): string }) =>
      void (request.resourceType() === "script" && loaded.add(request.url()));
    page.on("request", note);
    await page.goto(path, { waitUntil: "networkidle" });
    page.off("request", note);
    return loaded;
  };
  const bare = await scripts("/no/such/page");
  expect([...(await scripts("/docs"))].filter((url) => !bare.has(url))).toEqual([]);
  await expectAccessible(page, "the documentation");

  const ID = await app.ask({ options: [{ id: "wait", label: "Wait" }] });
  const note = await app.push({});
  const answered = await app.ask({});
  await app.call(`/api/approvals/${answered}/resolve`, { kind: "option", optionId: "yes" });
  const commands = await page.locator("article pre").allTextContents();
  expect(commands).toHaveLength(operations.length);
  const idFor = (command: string) =>
    command.includes("/notifications/") ? note : /\/(receipt|outcome)/.test(command) ? answered : ID;
  for (const command of commands) {
    const env = { ...process.env, TOKEN: app.token, ID: idFor(command) };
    const { stdout } = await promisify(execFile)("sh", ["-c", `${command} --silent --fail-with-body`], { env });
    expect(JSON.parse(stdout), command).not.toHaveProperty("error");
  }
  for (const [name, file] of [
    ["Download openapi.json", "countersign-openapi.json"],
    ["Collection for Postman, Bruno, Insomnia", "countersign.postman_collection.json"],
  ] as const) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);
    expect(download.suggestedFilename()).toBe(file);
    expect(JSON.parse(readFileSync(await download.path(), "utf8"))).toHaveProperty("info.description");
  }
});
