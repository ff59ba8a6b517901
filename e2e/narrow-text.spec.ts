import type { Locator } from "@playwright/test";
import { answerApproval } from "@/lib/testing/answer-approval";
import { anApp, expect, test } from "./fixtures";
import { settle } from "./inbox-locators";

const boxOf = async (it: Locator) => (await it.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
const isCut = (it: Locator) => it.evaluate((element) => element.scrollWidth > element.clientWidth);

test("shows a signed answer and a suggestion in full", { tag: "@phone" }, async ({ page, owner, app }) => {
  const options = [
    { id: "keep", label: "Keep them" },
    { id: "delete", label: "Delete 312 GB" },
    { id: "move", label: "Move them" },
  ];
  const signed = await app.ask({ question: "Delete them?", risk: "high", options });
  await answerApproval({ kind: "owner", ownerId: owner.ownerId }, signed, { kind: "option", optionId: "delete" });
  await page.goto("/approvals?status=resolved");
  const row = page.locator("[data-list] [data-row]");
  await expect(row).toContainText("Delete 312 GB");
  expect(await isCut(row.locator("bdi").last())).toBe(false);

  const long = await anApp(owner, "Travel plans and long distance connections agent");
  const suggested = await long.ask({ question: "Delete them?", options, recommendation: "move" });
  await page.goto(`/approvals/${suggested}`);
  const line = page.locator("[data-decision] button[name=optionId] > span").filter({ hasText: "suggests" });
  expect(await isCut(line)).toBe(false);
});

test("shows a notification's time beside its button", { tag: "@phone" }, async ({ page, app }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await app.push({ title: "Backup finished" });
  await page.goto("/notifications");
  await settle(page);
  const time = await boxOf(page.locator("[data-slot] time").first());
  const done = await boxOf(page.locator("[data-slot]").getByRole("button", { name: /^Done/ }).first());
  expect(time.x + time.width).toBeLessThanOrEqual(done.x);
});

test("shows the settings tabs on one line", async ({ page, owner: _ }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/settings/answering");
  const tabs = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
  expect(new Set(await tabs.evaluateAll((all) => all.map((it) => it.getBoundingClientRect().top))).size).toBe(1);
});
