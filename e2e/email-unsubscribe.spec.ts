import { emailOffPath } from "@/lib/alerts/email-unsubscribe";
import { readSettings } from "@/lib/owners/settings";
import { expectAccessible } from "./axe-checks";
import { expect, serviceUrl, test } from "./fixtures";

test("unsubscribes from email alerts only after a button press on the link's page", {
  tag: "@more",
}, async ({ owner, browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: serviceUrl() });
  const page = await context.newPage();
  await page.goto(await emailOffPath(owner.ownerId));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Stop email alerts?");
  expect((await readSettings(owner)).emailAlerts).toBe(true);
  await page.getByRole("button", { name: "Stop email alerts" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Email alerts stopped");
  expect((await readSettings(owner)).emailAlerts).toBe(false);
  await page.goto((await emailOffPath(owner.ownerId)).replace(/key=../, "key=xx"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link doesn’t work");
  await context.close();
});

test("unsubscribes from email alerts through the mail program's one-click request", { tag: "@more" }, async ({
  owner,
  page,
}) => {
  const oneClick = (path: string) =>
    fetch(`${serviceUrl()}${path}`, { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) });
  const path = await emailOffPath(owner.ownerId);
  expect((await oneClick(path.replace(/key=../, "key=xx"))).status).toBe(400);
  expect((await readSettings(owner)).emailAlerts).toBe(true);
  expect((await oneClick(path)).status).toBe(200);
  expect((await readSettings(owner)).emailAlerts).toBe(false);
  await page.goto(path);
  await expectAccessible(page, "stopping emails");
});
