import type { Page } from "@playwright/test";
import { snoozeApprovals } from "@/lib/approvals/triage";
import { pool } from "@/lib/database/db";
import { updateAppPreferences } from "@/lib/grants/app-preferences";
import { changeSettings } from "@/lib/owners/settings";
import { answersSent } from "./answers-sent";
import { expectClean } from "./axe-checks";
import { anApp, expect, test } from "./fixtures";
import { rowOf, settle, theQuestion } from "./inbox-locators";
import { holdReadings } from "./live-gaps";

const toast = "section[aria-label='Last action']";
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) {
    await settle(page);
    await page.keyboard.press(key);
  }
};

test.describe(() => {
  test.use({ viewport: { width: 1280, height: 800 } });

  test("snoozes a question and undoes the snooze by keyboard", { tag: "@more" }, async ({ page, app }) => {
    const first = await app.ask({ question: "First?" });
    await app.ask({ question: "Second?" });
    let [asked, release] = [0, () => {}];
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.goto("/approvals");
    await settle(page);
    const sent = answersSent(page);
    // The menu loads on first use, and this test delays it.
    await page.route("**/_next/static/**", async (route) => {
      asked++;
      await released;
      await route.continue();
    });
    await page.keyboard.press("h");
    await page.keyboard.press("1");
    await expect.poll(() => asked).toBeGreaterThan(0);
    expect(await sent()).toEqual([]);
    expect((await app.read(first)).status).toBe("pending");
    release();
    const menu = page.getByRole("dialog", { name: /Snooze this question/ });
    await expect(menu).toBeVisible();
    await expectClean(page, "the snooze menu");
    await page.keyboard.press("Escape");
    await expect(menu).toBeHidden();
    await page.keyboard.press("h");
    await expect(menu).toBeVisible();
    await page.keyboard.press("1");
    await expect(theQuestion(page)).toHaveText("Second?");
    await expect(rowOf(page, "First?")).toHaveCount(0);
    await expect(page.locator(toast)).toContainText("Snoozed until");
    await expect(page).toHaveTitle("(1) Approvals · Countersign");
    expect((await app.read(first)).status).toBe("pending");
    await page.keyboard.press("u");
    await expect(rowOf(page, "First?")).toBeVisible();
    await expect(page).toHaveTitle("(2) Approvals · Countersign");
    await expect(page.locator(toast)).toContainText("Back in the inbox");
    await rowOf(page, "First?").click();
    await page.keyboard.press("h");
    await expect(menu).toBeVisible();
    await page.keyboard.press("2");
    await expect(rowOf(page, "First?")).toHaveCount(0);
    await expect(page).toHaveTitle("(1) Approvals · Countersign");
    // The list and its counts may still be those of the first snooze, but the toast is current.
    await expect(page.locator(toast)).toContainText("Snoozed until");
    await expect(page.getByRole("navigation", { name: "Lists" }).getByRole("link", { name: "Snoozed" })).toHaveText(
      "Snoozed1",
    );
    await pool().query("UPDATE approval_triage SET snoozed_until = now() WHERE approval_id = $1", [first]);
    await expect(rowOf(page, "First?")).toBeVisible();
    await expect(page).toHaveTitle("(2) Approvals · Countersign");
    expect((await app.read(first)).status).toBe("pending");
    await rowOf(page, "First?").click();
    await press(page, "1");
    await expect(async () => expect((await app.read(first)).resolution?.optionId).toBe("yes")).toPass();
  });

  test("excludes snoozed questions from the count of waiting questions", async ({ page, owner, app }) => {
    const id = await app.ask({ question: "Later?" });
    await snoozeApprovals(owner, [id], { choice: "hour", timeZone: "UTC" });
    await page.goto("/approvals?status=snoozed");
    await settle(page);
    await expect(page).toHaveTitle("Snoozed · Countersign");
    await expect(page.locator("[data-waiting]")).toHaveCount(0);
  });

  test("shows a snoozed question again if the snooze ends before the list refreshes", async ({ page, app }) => {
    const first = await app.ask({ question: "First?" });
    await app.ask({ question: "Second?" });
    await page.goto("/approvals");
    await settle(page);
    const refresh = await holdReadings(page);
    await page.keyboard.press("h");
    await expect(page.getByRole("dialog", { name: /Snooze this question/ })).toBeVisible();
    await page.keyboard.press("1");
    await expect(rowOf(page, "First?")).toHaveCount(0);
    await expect(page.locator(toast)).toContainText("Snoozed until");
    const due = "UPDATE approval_triage SET snoozed_until = now() WHERE approval_id = $1 AND snoozed_until IS NOT NULL";
    expect((await pool().query(due, [first])).rowCount).toBe(1);
    refresh.go();
    await expect(rowOf(page, "First?")).toBeVisible();
  });

  test("mutes an app with the m key and unmutes the app with a button", async ({ page, owner, app }) => {
    const loud = await anApp(owner);
    await loud.ask({ question: "Loud?" });
    await app.ask({ question: "Quiet?" });
    await page.goto("/approvals");
    await settle(page);
    await page.keyboard.press("m");
    await expect(theQuestion(page)).toHaveText("Quiet?");
    const fold = page.locator("details[data-fold=muted]");
    await expect(fold.locator("summary")).toContainText("Muted apps");
    await expect(rowOf(page, "Loud?")).toBeHidden();
    await expect(page).toHaveTitle("(1) Approvals · Countersign");
    await expect(page.getByRole("region", { name: "Approvals" }).getByText("1 waiting")).toBeVisible();
    await fold.locator("summary").click();
    await rowOf(page, "Loud?").click();
    await expect(theQuestion(page)).toHaveText("Loud?");
    await expectClean(page, "a muted app");
    await page.getByRole("button", { name: `Unmute ${loud.name}` }).click();
    await expect(fold).toHaveCount(0);
    await expect(page).toHaveTitle("(2) Approvals · Countersign");
  });

  test("answers all selected questions with one answer", async ({ page, owner, app }) => {
    await changeSettings(owner, { undoSeconds: 30 });
    const ids: string[] = [];
    const long = `${"Line.\n\n".repeat(200)}It deletes the backups too.`;
    for (const question of ["First?", "Second?", "Third?"])
      ids.push(await app.ask({ question, ...(question === "Second?" && { backgroundContext: long }) }));
    await (await anApp(owner)).ask({ question: "Stranger?" });
    // This page learns of changes elsewhere only through its own action.
    await page.route("**/live*", (route) => route.abort());
    await page.goto("/approvals");
    await settle(page);
    await press(page, "x", "Shift+J", "Shift+J");
    const bar = page.getByRole("region", { name: "Selection" });
    await expect(bar).toContainText("3 selected");
    await press(page, "Shift+J");
    await expect(bar).toContainText("4 selected");
    await expect(bar.getByRole("button", { name: /^Answer/ })).toHaveCount(0);
    await expect(bar).toContainText("Select only one app’s questions");
    await press(page, "x");
    await bar.getByRole("button", { name: "Answer 3 questions…" }).click();
    const preview = page.getByRole("dialog", { name: /One answer for 3 questions/ });
    await expect(preview.getByRole("listitem")).toHaveText([/^First\?$/, /^Second\?Unread: /, /^Third\?$/]);
    await expectClean(page, "the preview of one answer for several");
    await preview.getByRole("button", { name: "Yes" }).click();
    await app.call(`/api/approvals/${ids[1]}/resolve`, { kind: "option", optionId: "no" });
    // A question with unread texts is never answered without a warning.
    const all = preview.getByRole("button", { name: "Answer 3 questions with “Yes”" });
    await all.dblclick();
    await expect(preview.getByRole("alert")).toHaveText(
      "Not sent. 1 of 3 questions has unread text. To send anyway, press the Answer button again.",
    );
    await preview.getByText("Unread: the background").click();
    await expect(preview.getByText("It deletes the backups too.")).toBeVisible();
    await expect(preview.getByText("Read: the background", { exact: true })).toBeVisible();
    await expect(preview.getByRole("alert")).toHaveCount(0);
    await all.click();
    await expect(page.locator(toast)).toContainText("Answered 3 questions · Yes");
    await expect(page.getByText(`${app.name} already answered “No”`).filter({ visible: true }).first()).toBeVisible();
    expect((await app.read(ids[0] ?? "")).status).toBe("pending");
    await press(page, "u");
    await expect(theQuestion(page)).toHaveText("First?");
    await expect(page).toHaveTitle("(3) Approvals · Countersign");
    await press(page, "x");
    await rowOf(page, "Third?").click();
    await press(page, "x");
    await bar.getByRole("button", { name: "Answer 2 questions…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "No", exact: true }).click();
    await page.getByRole("button", { name: "Answer 2 questions with “No”" }).click();
    await page.locator(toast).getByRole("button", { name: "Send now" }).click();
    for (const id of [ids[0], ids[2]])
      await expect(async () =>
        expect((await app.read(id ?? "")).resolution).toMatchObject({ optionId: "no", resolvedBy: "owner" }),
      ).toPass();
    expect((await app.read(ids[1] ?? "")).resolution?.resolvedBy).toBe("api");
  });

  test("sends an option only after the owner submits a note or confirms the option", async ({ page, owner, app }) => {
    const noted = await app.ask({ question: "Noted?" });
    const grave = await anApp(owner);
    await updateAppPreferences(owner, grave.clientId, { alwaysConfirm: true });
    const id = await grave.ask({ question: "First?" });
    const second = await grave.ask({ question: "Second?" });
    await page.goto("/approvals");
    await settle(page);
    await page.keyboard.press("Shift+Digit2");
    await expect(page.getByLabel(/Note to/)).toBeFocused();
    await expect(page.getByText("Answer “No”?")).toBeVisible();
    await page.keyboard.type("Not on a Friday");
    expect((await app.read(noted)).status).toBe("pending");
    await page.keyboard.press("Control+Enter");
    await expect(async () =>
      expect((await app.read(noted)).resolution).toMatchObject({ optionId: "no", note: "Not on a Friday" }),
    ).toPass();
    await expect(theQuestion(page)).toHaveText("First?");

    await expect(page.locator("[data-decision] [aria-pressed=true]")).toHaveCount(0);
    await press(page, "1");
    await expect(page.getByRole("button", { name: "Yes", pressed: true })).toBeVisible();
    await press(page, "2");
    await expect(page.getByRole("button", { name: "No", pressed: true })).toBeVisible();
    await expectClean(page, "a chosen option");
    expect((await grave.read(id)).status).toBe("pending");
    await press(page, "Enter");
    await expect(async () => expect((await grave.read(id)).resolution?.optionId).toBe("no")).toPass();
    await expect(rowOf(page, "Second?")).toBeFocused();
    await press(page, "1", "Enter");
    await expect(async () => expect((await grave.read(second)).resolution?.optionId).toBe("yes")).toPass();
  });

  test("filters a question's twenty options by text", { tag: "@more" }, async ({ page, app }) => {
    const options = Array.from({ length: 20 }, (_, n) => ({
      id: `o${n}`,
      label: `${["Red", "Green", "Blue"][n % 3]} van ${n + 10}`,
    }));
    const id = await app.ask({ question: "Which one?", options });
    await page.goto("/approvals");
    await settle(page);
    await page.keyboard.press("f");
    await page.keyboard.type("green van 17");
    await expect(page.locator("[data-decision] button[name=optionId]")).toHaveCount(1);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await expect(rowOf(page, "Which one?").getByText("Unread")).toHaveCount(0);
    const kept = page.waitForResponse((reply) => !!reply.request().postData()?.includes("seen=no"));
    await press(page, "Shift+U");
    await expect(rowOf(page, "Which one?").getByText("Unread")).toHaveCount(1);
    await kept;
    await page.reload();
    await expect(rowOf(page, "Which one?").getByText("Unread")).toHaveCount(1);
    await settle(page);
    expect((await app.read(id)).status).toBe("pending");
    await page.locator("[data-find]").fill("green van 17");
    await page.locator("h2#question").click();
    await press(page, "1");
    await expect(async () => expect((await app.read(id)).resolution?.optionId).toBe("o7")).toPass();
  });
});
