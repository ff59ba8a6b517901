import { changeSettings } from "@/lib/owners/settings";
import { expectAccessible, expectClean } from "./axe-checks";
import { go } from "./client-navigation";
import { anApp, test } from "./fixtures";

// Each test checks every size and theme.
test.describe.configure({ timeout: 120_000 });

test("passes axe on notifications in every state", async ({ page, owner, app }) => {
  await page.goto("/notifications");
  await expectAccessible(page, "nothing new");
  await app.push({
    title: "Deploy",
    body: "**Fine**\n\n|a|b|\n|-|-|\n|1|2|",
    data: { inbox: { format: "markdown", priority: "high" } },
  });
  await app.push({
    title: "Fire",
    body: "Words",
    data: { inbox: { url: "https://ci.example/1", priority: "urgent" } },
  });
  await app.push({ title: "Noise", type: "noise" });
  await changeSettings(owner, { quiet: { from: 0, until: 0 } });
  await page.reload();
  for (const summary of await page.locator("summary[data-row]").all()) await summary.click();
  await expectAccessible(page, "all open");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.locator("[data-menu=mute] summary").last().click();
  await expectClean(page, "a menu open");
  await page.keyboard.press("Escape");
  await page.keyboard.press("x");
  await expectAccessible(page, "one selected");
  for (const at of ["?tab=snoozed", "?tab=done", "?show=unread", "?show=muted", "?q=nothing"]) {
    await go(page, `/notifications${at}`);
    await expectAccessible(page, at);
  }
});

test("passes axe on question lists and filters", async ({ page, owner, app }) => {
  await anApp(owner, `Ledger ${app.name.slice(-6)}`);
  for (const question of ["Ship build 417?", "And a second one?"]) {
    const id = await app.ask({ question });
    await app.call(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" });
  }
  await app.ask({ question: "Waiting?" });
  await page.goto("/approvals");
  for (const path of [
    "/approvals?sort=newest",
    "/approvals?status=snoozed",
    "/approvals?status=resolved&by=api",
    "/approvals?q=nothing",
  ]) {
    await go(page, path);
    await expectAccessible(page, path);
  }
});
