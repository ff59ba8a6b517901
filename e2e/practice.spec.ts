import { db } from "@/lib/db";
import { changeSettings } from "@/lib/owners/settings";
import { expectAccessible } from "./accessible";
import { expect, test } from "./fixtures";
import { go } from "./go";
import { settle } from "./inbox";

const coach = (page: import("@playwright/test").Page) => page.locator("#practice").getByRole("status");

test(
  "somebody new practises: one key answers, another takes it back",
  { tag: "@phone" },
  async ({ page, owner }, { project }) => {
    const wide = project.name === "desktop";
    const asked: string[] = [];
    page.on("request", (request) => request.method() !== "GET" && asked.push(request.url()));
    await page.goto("/approvals");
    const steps = page.getByRole("region", { name: "First steps" }).filter({ visible: true });
    await expect(steps.getByRole("listitem")).toHaveCount(4);
    await steps.getByRole("link", { name: "Answer a practice question" }).click();
    await expect(page).toHaveURL("/approvals/practice");
    await expect(page.getByText("Practice", { exact: true }).first()).toBeVisible();

    await expect(coach(page)).toContainText(wide ? "Press 1" : "One touch sends it", { useInnerText: true });
    if (wide) await page.keyboard.press("1");
    else await page.getByRole("button", { name: "Order it" }).tap();
    await expect(coach(page)).toContainText(wide ? "Press u" : "Undo is right here", {
      useInnerText: true,
      ignoreCase: true,
    });
    await expect(page.locator("#practice")).toContainText("You: Order it");
    await expect(page.getByRole("heading", { name: /Ana asks/ })).toBeFocused();
    if (wide) await page.keyboard.press("u");
    else await page.getByRole("button", { name: "Undo" }).tap();
    await expect(page.getByRole("heading", { name: /out of bread/ })).toBeFocused();
    await expect(coach(page)).toContainText("Taken back");
    if (wide) await page.keyboard.press("2");
    else await page.getByRole("button", { name: "Order two" }).tap();
    await expect(page.locator("#practice")).toContainText("You: Order two");
    if (wide) await page.keyboard.press("1");
    else await page.getByRole("button", { name: "Thursday at ten" }).tap();
    await expect(page.getByRole("heading", { name: "That is all there is to it" })).toBeFocused();
    await expect(page.getByRole("link", { name: "Answer a practice question (done)" })).toBeVisible();

    // Nothing of it has left the browser.
    expect(asked).toEqual([]);
    const { ownerId } = owner;
    expect(await db.approval.count({ where: { ownerId } })).toBe(0);
    expect(await db.event.count({ where: { ownerId, type: { startsWith: "approval" } } })).toBe(0);
  },
);

test("a real question never takes the place of a practice one", async ({ page, app }) => {
  await page.goto("/approvals/practice");
  await expect(coach(page)).toBeVisible();
  const id = await app.ask({ question: "For real?" });
  await expect(page.getByText("A real question waits in")).toBeVisible();
  await page.keyboard.press("1");
  await expect(page.locator("#practice")).toContainText("You: Order it");
  expect((await app.read(id)).status).toBe("pending");
  await page.getByRole("link", { name: "your inbox" }).click();
  await expect(page.getByText("For real?").first()).toBeVisible();
  await expect(
    page.getByRole("link", { name: "Practise with made-up questions" }).filter({ visible: true }),
  ).toHaveCount(1);
});

test("getting told on this device is ticked once it does so, not when it merely may; the steps can be hidden, and the practice stays; where single keys are off, it says so by hand", async ({
  page,
  owner,
}) => {
  await page.addInitScript(() => Object.defineProperty(Notification, "permission", { get: () => "granted" }));
  await page.goto("/approvals");
  const step = page.getByRole("link", { name: "Get told on this device" }).filter({ visible: true });
  await expect(step).toBeVisible();
  await settle(page);
  await expect(step).not.toContainText("(done)");
  await page.evaluate((ownerId) => localStorage.setItem("countersign.alerts", ownerId), owner.ownerId);
  await page.reload();
  await expect(step).toContainText("(done)");
  await page.getByRole("button", { name: "Hide these steps" }).filter({ visible: true }).click();
  await expect(page.getByText("No questions yet").filter({ visible: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "First steps" })).toHaveCount(0);
  await changeSettings(owner, { singleKeys: false });
  await page.goto("/approvals/practice");
  await expect(coach(page)).toContainText("One touch sends it", { useInnerText: true });
  await page.keyboard.press("1");
  await expect(page.getByRole("heading", { name: /out of bread/ })).toBeVisible();
  await expect(page.getByRole("button", { name: "Order it" })).toBeVisible();
  await expect(page.getByRole("region", { name: "First steps" })).toHaveCount(0);
});

test("holds up to axe", async ({ page, owner: _ }) => {
  test.setTimeout(90_000);
  await page.goto("/approvals");
  await expectAccessible(page, "the inbox of somebody new");
  await go(page, "/approvals/practice");
  await page.getByRole("button", { name: "Order it" }).click();
  await expectAccessible(page, "practice");
});
