import { changeSettings, readSettings } from "@/lib/owners/settings";
import { wallClock } from "@/lib/text/local-time";
import { expectClean } from "./axe-checks";
import { expect, test } from "./fixtures";
import { settle } from "./inbox-locators";

/** The hour and day shown by clocks in Tokyo. */
const inTokyo = (time: number) => new Date(wallClock(time, "Asia/Tokyo"));

test.describe(() => {
  test.use({ timezoneId: "Asia/Tokyo" });

  test("snoozes a question until evening in the browser's time zone", async ({ page, owner, app }) => {
    await changeSettings(owner, { timeZone: "Europe/Lisbon" });
    await page.goto(`/approvals/${await app.ask({ question: "Tonight?" })}`);
    await settle(page);
    await page.keyboard.press("h");
    const evening = page.getByRole("dialog").getByRole("button", { name: /(This|Tomorrow) evening/ });
    await expect(evening).toContainText("18:00");
    await expect(page.getByRole("dialog").getByRole("button", { name: /Tomorrow morning/ })).toContainText("08:00");
    const saved = page.waitForResponse(/\/acts\/approval\.snooze/);
    await evening.click();
    const { value } = (await (await saved).json()) as { value: number };
    expect(inTokyo(value).getUTCHours()).toBe(18);
    expect(inTokyo(value).getUTCMinutes()).toBe(0);
    expect(value - Date.now()).toBeLessThan(24 * 3_600_000);
  });

  test("suggests the browser's time zone once after each time zone change", { tag: ["@phone", "@more"] }, async ({
    page,
    owner,
  }) => {
    await changeSettings(owner, { timeZone: "Europe/Lisbon" });
    const question = page.getByRole("region", { name: "Time zone" });
    await page.goto("/approvals");
    await expect(question).toContainText("You’re in Tokyo. Use Tokyo time?");
    await expectClean(page, "the question about the time zone");
    await question.getByRole("button", { name: "Keep Lisbon time" }).click();
    await expect(question).toBeHidden();
    expect((await readSettings(owner)).timeZone).toBe("Europe/Lisbon");
    await page.goto("/notifications");
    await settle(page);
    // The zone is detected a moment after the page is interactive.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)));
    await expect(question).toBeHidden();
    // After another move, the prompt appears again.
    await page.evaluate((key) => localStorage.setItem(key, "Europe/Berlin"), `countersign.zone.${owner.ownerId}`);
    await page.reload();
    await question.getByRole("button", { name: /^Use .* time$/ }).click();
    await expect(question).toBeHidden();
    await expect.poll(async () => (await readSettings(owner)).timeZone).toBe("Asia/Tokyo");
  });
});

test("shows one age for all questions that were asked together", async ({ page, app }) => {
  await page.clock.install({ time: Date.now() + 45_000 });
  for (const question of ["First?", "Second?", "Third?"]) await app.ask({ question });
  await page.goto("/approvals");
  await settle(page);
  const ages = page.locator("[data-list] a[data-row] time, [data-decision] time");
  for (let at = 0; at < 12; at++) {
    await page.clock.runFor(5_000);
    // Renders some of the times again.
    await page.keyboard.press(at % 2 ? "k" : "j");
    await page.clock.runFor(500);
    const shown = (await ages.allTextContents()).map((age) => age.replace(" ago", ""));
    expect(new Set(shown).size, `${at}: ${shown}`).toBe(1);
  }
});
