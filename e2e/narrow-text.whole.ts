import type { Locator } from "@playwright/test";
import { changeSettings } from "@/lib/owners/settings";
import { answerApproval } from "@/lib/testing/answer-approval";
import { addEndpoint } from "@/lib/webhooks/endpoints";
import { anApp, expect, test } from "./fixtures";
import { rowOf, settle } from "./inbox-locators";

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

test("shows an activity entry's sentence in full on a phone", { tag: "@phone" }, async ({ page, app }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/activity");
  const sentence = page
    .locator("[data-event]")
    .filter({ hasText: `You registered ${app.name}` })
    .locator("p")
    .first();
  expect(await isCut(sentence.locator("> *").first())).toBe(false);
});

test("shows the question's full text in the toast on a phone", { tag: "@phone" }, async ({ page, owner, app }) => {
  await changeSettings(owner, { undoSeconds: 30 });
  await page.setViewportSize({ width: 390, height: 844 });
  for (const question of ["Ship build 418 today?", "Pay invoice 88?"]) await app.ask({ question });
  await page.goto("/approvals");
  await rowOf(page, "Ship build 418 today?").click();
  await settle(page);
  await page.getByRole("button", { name: "Yes" }).click();
  const question = page.locator("[data-toast]").getByText("Ship build 418 today?");
  await expect(question).toBeVisible();
  expect(await isCut(question.locator("xpath=ancestor::*[contains(@class, 'truncate')]").last())).toBe(false);
});

test("shows every filter of a webhook's deliveries in full", async ({ page, owner, app }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { id } = await addEndpoint(owner, app.clientId, { url: `${process.env.E2E_HOOKS}/x`, types: [] });
  await page.goto(`/developer/${app.clientId}/webhooks/${id}`);
  const filters = page.getByRole("list").filter({ has: page.getByRole("link", { name: "Not sent" }) });
  expect(await isCut(filters)).toBe(false);
});

test("shows a notification's time to the left of its Done button on a phone", { tag: "@phone" }, async ({
  page,
  app,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await app.push({ title: "Backup finished" });
  await page.goto("/notifications");
  await settle(page);
  const time = await boxOf(page.locator("[data-slot] time").first());
  const done = await boxOf(page.locator("[data-slot]").getByRole("button", { name: /^Done/ }).first());
  expect(time.x + time.width).toBeLessThanOrEqual(done.x);
});

test("shows the settings tabs on one line on a phone", async ({ page, owner: _ }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/settings/answering");
  const tabs = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
  expect(new Set(await tabs.evaluateAll((all) => all.map((it) => it.getBoundingClientRect().top))).size).toBe(1);
});
