import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { type App, expect, test } from "./fixtures";
import { rowOf, settle, theQuestion, waitingRows } from "./inbox";

const options = [
  { id: "delete", label: "Delete 312 GB", style: "danger" as const },
  { id: "keep", label: "Keep them" },
];
const risky = { question: "Delete all backups?", options, risk: "high" as const };
/** The clock controls how long a press lasts, however busy the machine. */
async function stopClock(page: Page) {
  await settle(page);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000);
}
const answered = (app: App, id: string) => expect.poll(async () => (await app.read(id)).resolution?.optionId);

test("answers a marked question only by press-and-hold or in two steps", async ({ page, app }) => {
  await app.ask({ question: "Send the newsletter?" });
  const [held, keyed, stepped] = [await app.ask(risky), await app.ask(risky), await app.ask(risky)];
  await page.clock.install();
  await page.goto("/approvals");
  const sections = page.locator("[data-list]").getByRole("heading", { level: 2 });
  await expect(sections).toHaveText(["Take care", "Today"]);
  await expect(waitingRows(page)).toHaveCount(4);
  await expect(waitingRows(page).first()).toContainText("High risk");
  await expect(waitingRows(page).last()).toContainText("Send the newsletter?");
  await expect(rowOf(page, "Send the newsletter?")).not.toContainText("risk");
  await waitingRows(page).first().click();
  await expect(page.locator("[data-decision]").getByText("High risk")).toBeVisible();
  // A danger option is never first, whatever the app's order.
  const buttons = page.locator("[data-decision] button[name=optionId]");
  await expect(buttons).toHaveText([/^1Keep them/, /^2Delete 312 GBDanger/]);
  const remove = buttons.filter({ hasText: "Delete 312 GB" }).first();
  const confirm = page.getByRole("button", { name: "Confirm: Delete 312 GB" });

  await test.step("chooses with one press, and ignores a second one", async () => {
    await stopClock(page);
    await remove.dblclick();
    await expect(remove).toHaveAttribute("aria-pressed", "true");
    await expect(confirm).toBeVisible();
    await page.keyboard.press("1");
    await page.keyboard.press("1");
    await expect(page.getByRole("button", { name: "Confirm: Keep them" })).toBeVisible();
    await page.clock.runFor(2_000);
    for (const id of [held, keyed, stepped]) expect((await app.read(id)).status).toBe("pending");
  });

  await test.step("sends an option only when it is held to the end", async () => {
    await remove.hover();
    await page.mouse.down();
    await expect(remove).toHaveAttribute("data-holding", "");
    await page.clock.runFor(799);
    await page.mouse.up();
    await expect(confirm).toBeVisible();
    await page.mouse.down();
    await page.mouse.move(0, 0);
    await expect(remove).not.toHaveAttribute("data-holding");
    await page.clock.runFor(2_000);
    expect((await app.read(held)).status).toBe("pending");
    await page.mouse.up();
    await remove.hover();
    await page.mouse.down();
    await page.clock.runFor(800);
    await page.clock.resume();
    await answered(app, held).toBe("delete");
    await expect(remove).toHaveAttribute("aria-pressed", "false");
    await page.mouse.up();
    await expect(remove).toHaveAttribute("aria-pressed", "false");
  });

  await test.step("sends an option when its key is held", async () => {
    await settle(page);
    await page.keyboard.down("2");
    await answered(app, keyed).toBe("delete");
    await page.keyboard.up("2");
  });

  await test.step("chooses and confirms by the keyboard alone", async () => {
    await expect(remove).toHaveAttribute("aria-pressed", "false");
    await stopClock(page);
    await remove.focus();
    await page.keyboard.press("Enter");
    await expect(remove).toHaveAttribute("aria-pressed", "true");
    expect((await app.read(stepped)).status).toBe("pending");
    await page.clock.resume();
    await confirm.focus();
    await page.keyboard.press("Space");
    await answered(app, stepped).toBe("delete");
    await expect(theQuestion(page)).toHaveText("Send the newsletter?");
  });
});

test("passes axe with risks and dangers marked, in every color scheme", async ({ page, app }) => {
  await app.ask(risky);
  await page.clock.install();
  await page.goto("/approvals");
  await stopClock(page);
  await page.keyboard.press("2");
  await expect(page.getByRole("button", { name: "Confirm: Delete 312 GB" })).toBeVisible();
  await page.clock.resume();
  await expectAccessible(page, "high risk");
});

test("answers a high-risk question by a long press, not by a tap", { tag: "@touch" }, async ({ page, app }) => {
  const id = await app.ask(risky);
  await page.clock.install();
  await page.goto("/approvals");
  await expect(rowOf(page, risky.question)).toContainText("High risk");
  await rowOf(page, risky.question).tap();
  await stopClock(page);
  const remove = page.getByRole("button", { name: /^Delete 312 GB/ });
  await remove.tap();
  await expect(page.getByRole("button", { name: "Confirm: Delete 312 GB" })).toBeVisible();
  expect((await app.read(id)).status).toBe("pending");
  const box = await remove.boundingBox();
  const touchPoints = [{ x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + 20 }];
  const thumb = await page.context().newCDPSession(page);
  await thumb.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await expect(remove).toHaveAttribute("data-holding", "");
  await page.clock.resume();
  await answered(app, id).toBe("delete");
  await thumb.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
});
