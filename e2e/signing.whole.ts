import type { Page } from "@playwright/test";
import { changeSettings } from "@/lib/owners/settings";
import { expectAccessible, expectClean } from "./axe-checks";
import { type App, expect, test } from "./fixtures";
import { rowOf, settle, theQuestion, waitingRows } from "./inbox-locators";

const options = [
  { id: "delete", label: "Delete 312 GB", style: "danger" as const, note: "Can’t be undone." },
  { id: "keep", label: "Keep them" },
];
const risky = { question: "Delete all backups?", options, risk: "high" as const };
const sheet = (page: Page) => page.getByRole("dialog");
const holdButton = (page: Page) => sheet(page).getByRole("button", { name: /Hold to sign|Keep holding|Press again/ });
const option = (page: Page, name: string) => page.locator("[data-decision] button[name=optionId]", { hasText: name });
const answered = (app: App, id: string) => expect.poll(async () => (await app.read(id)).resolution?.optionId);
const isPending = async (app: App, id: string) => expect((await app.read(id)).status).toBe("pending");

/** Opens a question and the sheet for one of its options. */
async function openSheet(page: Page, id: string, label = "Delete 312 GB") {
  await page.goto(`/approvals/${id}`);
  await settle(page);
  await option(page, label).click();
  await expect(holdButton(page)).toBeFocused();
}
/** A fake clock controls how long a press lasts, even on a busy machine. */
const stopClock = async (page: Page) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000);

test("signs a high-risk answer at the end of a hold", {
  tag: "@phone",
}, async ({ page, app }) => {
  const id = await app.ask(risky);
  await page.clock.install();
  await openSheet(page, id);
  await expect(sheet(page)).toHaveAccessibleName("Delete 312 GB");
  await expect(sheet(page)).toHaveAccessibleDescription(/Delete all backups\?.*Can’t be undone\./);
  await expect(sheet(page)).toContainText(`${app.name} will`);

  await test.step("sends nothing after an early release", async () => {
    await stopClock(page);
    await holdButton(page).hover();
    await page.mouse.down();
    await expect(holdButton(page)).toHaveText("Keep holding…");
    await page.clock.runFor(799);
    await page.mouse.up();
    await expect(sheet(page)).toContainText("Not sent yet. Hold longer, or press twice.");
    await page.mouse.down();
    await page.mouse.move(0, 0);
    await expect(holdButton(page)).toHaveText("Hold to sign");
    await page.clock.runFor(2_000);
    await page.mouse.up();
    await isPending(app, id);
  });

  await test.step("signs exactly once, at the end of a hold", async () => {
    let sent = 0;
    await page.route("**/acts/approval.answer", (route) => {
      sent++;
      return route.continue();
    });
    await holdButton(page).hover();
    await page.mouse.down();
    await page.clock.runFor(800);
    await expect(sheet(page)).toHaveAccessibleName("Signed");
    await page.mouse.up();
    const { contentHash } = await app.read(id);
    const short = `${contentHash.slice(7, 11)} ${contentHash.slice(11, 15)}`;
    await expect(sheet(page)).toContainText(short);
    await expect(sheet(page).getByRole("link", { name: `Receipt ${short}` })).toBeVisible();
    await page.clock.resume();
    await answered(app, id).toBe("delete");
    expect(sent).toBe(1);
    await sheet(page).getByRole("button", { name: "Done" }).click();
    await expect(page.getByRole("region", { name: "Answer", exact: true })).toContainText(short);
  });
});

test("sends no answer when the owner closes the signing sheet", async ({ page, app }) => {
  const id = await app.ask(risky);
  await openSheet(page, id);
  await page.keyboard.press("Escape");
  await expect(sheet(page)).toHaveCount(0);
  await expect(option(page, "Delete 312 GB")).toBeFocused();
  await page.keyboard.press("2");
  await sheet(page).getByRole("button", { name: "Cancel" }).click();
  await expect(sheet(page)).toHaveCount(0);
  await isPending(app, id);
});

test("signs answers by keyboard", async ({ page, app }) => {
  const [held, pressed] = [await app.ask(risky), await app.ask(risky)];
  await page.goto("/approvals");
  await settle(page);

  await test.step("ignores the press of the key that opened the sheet", async () => {
    await option(page, "Keep them").focus();
    await page.keyboard.down("Enter");
    await expect(holdButton(page)).toBeFocused();
    await page.keyboard.down("Enter");
    await expect(holdButton(page)).toHaveText("Hold to sign");
    await page.keyboard.up("Enter");
    await expect(holdButton(page)).toHaveText("Hold to sign");
    await expect(sheet(page)).toContainText(`Your answer to ${app.name}`);
  });

  await test.step("accepts a held key as a signature", async () => {
    await page.keyboard.down("Space");
    await answered(app, held).toBe("keep");
    await page.keyboard.up("Space");
    await expect(sheet(page).getByRole("link", { name: /^Next:/ })).toBeVisible();
    await sheet(page)
      .getByRole("link", { name: /^Next:/ })
      .click();
    await expect(sheet(page)).toHaveCount(0);
  });

  await test.step("accepts two presses with a pause as a signature", async () => {
    await page.clock.install();
    await page.reload();
    await settle(page);
    await page.keyboard.press("2");
    await expect(holdButton(page)).toBeFocused();
    await stopClock(page);
    await page.keyboard.press("Enter");
    await expect(holdButton(page)).toHaveText("Press again to sign");
    await page.keyboard.press("Enter");
    await expect(sheet(page)).toContainText("Not sent yet");
    await isPending(app, pressed);
    await page.clock.runFor(700);
    await page.keyboard.press("Enter");
    await page.clock.resume();
    await answered(app, pressed).toBe("delete");
  });
});

test("accepts two clicks from a screen reader as a signature", async ({ page, app }) => {
  const id = await app.ask(risky);
  await page.clock.install();
  await openSheet(page, id);
  await expect(holdButton(page)).toHaveAccessibleDescription("Or press twice");
  await stopClock(page);
  const click = () => holdButton(page).evaluate((button: HTMLElement) => button.click());
  await click();
  await expect(sheet(page).getByRole("status")).toHaveText("Not sent yet. Press again to sign.");
  await page.clock.runFor(700);
  await click();
  await page.clock.resume();
  await answered(app, id).toBe("delete");
});

test("signs after a long press but not after one tap", { tag: "@touch" }, async ({ page, app }) => {
  const id = await app.ask(risky);
  await page.clock.install();
  await page.goto("/approvals");
  await rowOf(page, risky.question).tap();
  await settle(page);
  await option(page, "Delete 312 GB").tap();
  await expect(holdButton(page)).toBeFocused();
  await stopClock(page);
  await holdButton(page).tap();
  await expect(holdButton(page)).toHaveText("Press again to sign");
  const box = await holdButton(page).boundingBox();
  const touchPoints = [{ x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + 40 }];
  const thumb = await page.context().newCDPSession(page);
  await thumb.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await expect(holdButton(page)).toHaveText("Keep holding…");
  await isPending(app, id);
  await page.clock.resume();
  await answered(app, id).toBe("delete");
  await thumb.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
});

test("undoes a signed answer", { tag: "@touch" }, async ({ page, owner, app }) => {
  await changeSettings(owner, { undoSeconds: 30 });
  const id = await app.ask(risky);
  await app.ask({ question: "Next one?" });
  await page.goto("/approvals");
  await rowOf(page, risky.question).click();
  await settle(page);
  await option(page, "Keep them").click();
  await expect(holdButton(page)).toBeFocused();
  await page.keyboard.down("Enter");
  await expect(sheet(page)).toHaveAccessibleName("Signed");
  await page.keyboard.up("Enter");
  const undo = page.getByRole("button", { name: /^Undo/ });
  await expect(undo).toHaveText(/^Undo\d+ s$/);
  // The rest of the page is inert but visible.
  await expect(page.locator("button:visible", { hasText: /^undo/i })).toHaveCount(1);
  await page.keyboard.press("u");
  await expect(sheet(page)).toHaveCount(0);
  await expect(theQuestion(page)).toHaveText(risky.question);
  await settle(page);
  await option(page, "Keep them").click();
  await expect(holdButton(page)).toBeFocused();
  await page.keyboard.down("Enter");
  await sheet(page).getByRole("link", { name: "Next: Next one?" }).click();
  await expect(theQuestion(page)).toHaveText("Next one?");
  await isPending(app, id);
});

test("opens the next question after a signed answer", async ({ page, app }) => {
  for (const question of ["First?", "Second?"]) await app.ask({ ...risky, question });
  await page.goto("/approvals");
  await settle(page);
  await page.keyboard.press("1");
  await expect(holdButton(page)).toBeFocused();
  await page.keyboard.down("Enter");
  await expect(sheet(page)).toHaveAccessibleName("Signed");
  await page.keyboard.up("Enter");
  await expect(theQuestion(page)).toHaveText("Second?");
  await expect(sheet(page)).toHaveCount(0);
});

test("closes the signing sheet when the question changes", async ({ page, app }) => {
  const id = await app.ask(risky);
  await openSheet(page, id);
  await app.call(`/api/approvals/${id}/additions`, { text: "One of them is the only copy." });
  await expect(sheet(page)).toHaveCount(0);
  await expect(page.locator("[data-said]")).toContainText("One of them is the only copy.");
  await isPending(app, id);
});

test("animates the signature unless the owner prefers reduced motion", { tag: "@more" }, async ({ page, app }) => {
  const id = await app.ask(risky);
  const strokes = sheet(page).locator("[data-stroke]");
  await page.clock.install();
  for (const reducedMotion of ["no-preference", "reduce"] as const) {
    await page.emulateMedia({ reducedMotion });
    await openSheet(page, id);
    await stopClock(page);
    await expect(strokes.last()).not.toHaveCSS("stroke-dashoffset", "0px");
    await holdButton(page).hover();
    await page.mouse.down();
    await expect(holdButton(page)).toHaveText("Keep holding…");
    await expect(strokes.last()).toHaveCSS("stroke-dashoffset", "0px");
    await expect(strokes).toHaveCount(2);
    for (const stroke of await strokes.all())
      await expect(stroke).toHaveCSS("visibility", reducedMotion === "reduce" ? "hidden" : "visible");
    if (reducedMotion === "reduce")
      expect(await sheet(page).evaluate((it) => it.getAnimations({ subtree: true }).length)).toBe(0);
    await page.mouse.move(0, 0);
    await page.mouse.up();
    await page.clock.resume();
  }
});

test("signs an answer after the owner picks the number that the app shows", { tag: "@phone" }, async ({
  page,
  app,
}) => {
  const facts = [{ label: "Amount", value: "86.40 €" }];
  const id = await app.ask({ ...risky, facts, match: "47" });
  await page.goto(`/approvals/${id}`);
  await settle(page);
  await option(page, "Delete 312 GB").click();
  await expect(sheet(page)).toContainText("Amount86.40 €");
  // A key that is still down must not pick a number.
  await expect(sheet(page).getByRole("heading", { name: "Delete 312 GB" })).toBeFocused();
  const numbers = sheet(page).getByRole("group", { name: `Which number does ${app.name} show?` });
  await expect(numbers.getByRole("button")).toHaveCount(3);
  await numbers
    .getByRole("button", { name: /^(?!47)/ })
    .first()
    .click();
  await expect(holdButton(page)).toBeFocused();
  await expect(sheet(page)).toContainText(/Number (?!47)\d\d/);
  await sheet(page).getByRole("button", { name: "Change" }).click();
  await expect(sheet(page).getByRole("heading", { name: "Delete 312 GB" })).toBeFocused();
  await numbers.getByRole("button", { name: "47" }).click();
  await expect(sheet(page)).toContainText("Number 47");
  await expect(holdButton(page)).toBeFocused();
  await page.keyboard.down("Enter");
  await answered(app, id).toBe("delete");
  await page.keyboard.up("Enter");
  await expect(sheet(page)).toHaveAccessibleName("Signed");
  await expect(sheet(page).getByRole("heading", { name: "Signed" })).toBeFocused();
});

test("closes the question after the owner picks a wrong number", {
  tag: "@touch",
}, async ({ page, app }) => {
  const id = await app.ask({ ...risky, match: "47" });
  await page.goto(`/approvals/${id}`);
  await settle(page);
  await page.getByText("Write an answer").click();
  await page.getByLabel("Your own answer").fill("Only the oldest one");
  await page.getByRole("button", { name: "Send this answer" }).click();
  await expect(sheet(page)).toHaveAccessibleName("Only the oldest one");
  await sheet(page)
    .getByRole("button", { name: /^(?!47)\d\d$/ })
    .first()
    .click();
  await expect(holdButton(page)).toBeFocused();
  await page.keyboard.down("Enter");
  const wrong = page.getByRole("region", { name: "Wrong number" });
  await expect(wrong).toContainText("Your answer wasn’t sent, and the question is closed.");
  await page.keyboard.up("Enter");
  await expect(sheet(page)).toHaveCount(0);
  await expect(wrong.getByRole("alert")).toBeFocused();
  await expect(page.getByText("Couldn’t send your answer")).toHaveCount(0);
  // The page also shows random IDs, which may contain these digits.
  await expect(page.locator("[data-decision]")).not.toContainText(/\b47\b/);
  await expect(page.locator("[data-decision] button[name=optionId]")).toHaveCount(0);
  await isPending(app, id);
  await expectClean(page, "wrong number");
  await wrong.getByRole("button", { name: /^Revoke access/ }).click();
  await expect(wrong).toContainText(`${app.name} no longer has access.`);
});

test("lets the owner report a question whose number the app does not show", async ({ page, app }) => {
  const id = await app.ask({ ...risky, match: "47" });
  await page.goto(`/approvals/${id}`);
  await settle(page);
  await option(page, "Delete 312 GB").click();
  await expectAccessible(page, "number to pick");
  await sheet(page).getByRole("button", { name: "Report" }).click();
  await sheet(page)
    .getByRole("button", { name: /^Only record the question/ })
    .click();
  await expect(sheet(page)).toContainText("The question is recorded in Activity.");
  await isPending(app, id);
});

test("lists high-risk questions first", async ({ page, app }) => {
  await app.ask({ question: "Send the newsletter?" });
  for (let nth = 0; nth < 2; nth++) await app.ask(risky);
  await page.goto("/approvals");
  const sections = page.locator("[data-list]").getByRole("heading", { level: 2 });
  await expect(sections).toHaveText(["High risk", "Today"]);
  await expect(waitingRows(page)).toHaveCount(3);
  await expect(waitingRows(page).first()).toContainText("High risk");
  await expect(waitingRows(page).last()).toContainText("Send the newsletter?");
  await expect(rowOf(page, "Send the newsletter?")).not.toContainText("risk");
  await waitingRows(page).first().click();
  await expect(page.locator("[data-decision]").getByText("High risk")).toBeVisible();
  // A danger option is never first, regardless of the app's order.
  await expect(page.locator("[data-decision] button[name=optionId]")).toHaveText([/Keep them/, /Delete 312 GB/]);
});

test("passes axe on the signing sheet in every color scheme", { tag: "@more" }, async ({ page, owner, app }) => {
  await changeSettings(owner, { undoSeconds: 30 });
  await app.ask({ question: `Is ${"every long question ".repeat(5)} cut?` });
  await openSheet(page, await app.ask(risky));
  await expectAccessible(page, "signing sheet");
  await holdButton(page).focus();
  await page.keyboard.down("Enter");
  await expect(sheet(page)).toHaveAccessibleName("Signed");
  await page.keyboard.up("Enter");
  await expectAccessible(page, "signed answer");
  // The sheet scrolls separately, so the page's width does not show whether the sheet fits.
  expect(await sheet(page).evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
});
