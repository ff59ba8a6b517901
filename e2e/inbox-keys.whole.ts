import { answersSent } from "./answers-sent";
import { expect, test } from "./fixtures";
import { rowOf, settle, theQuestion } from "./inbox-locators";

test.use({ viewport: { width: 1280, height: 800 } });

test("answers the oldest question with one key", async ({ page, app }) => {
  const first = await app.ask({ question: "First?" });
  const second = await app.ask({ question: "Second?" });
  await page.goto("/approvals");
  await expect(theQuestion(page)).toHaveText("First?");
  await settle(page);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BODY");
  await page.keyboard.press("2");
  await page.keyboard.press("1");
  await expect(theQuestion(page)).toHaveText("Second?");
  await expect(rowOf(page, "First?")).toContainText("You: No");
  await expect(async () => expect((await app.read(first)).resolution?.optionId).toBe("no")).toPass();
  expect((await app.read(second)).status).toBe("pending");
  await settle(page);
  await page.keyboard.press("1");
  await expect(page.getByRole("heading", { name: "You’re all caught up" })).toBeFocused();
  await expect(async () => expect((await app.read(second)).resolution?.optionId).toBe("yes")).toPass();
});

test("ignores keys pressed in the first moments after a question appears", async ({ page, app }) => {
  await page.goto("/approvals");
  await settle(page);
  // Runs immediately after the question appears.
  await page.evaluate(() => {
    const press = () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true }));
    new MutationObserver((_, watch) => {
      if (!document.querySelector("[data-decision] button[name=optionId]")) return;
      watch.disconnect();
      press();
      setTimeout(press, 100);
    }).observe(document.body, { subtree: true, childList: true });
  });
  const id = await app.ask({ question: "First?" });
  await expect(theQuestion(page)).toHaveText("First?");
  await settle(page);
  await expect(rowOf(page, "First?")).not.toContainText("You:");
  expect((await app.read(id)).status).toBe("pending");
  await page.keyboard.press("1");
  await expect(async () => expect((await app.read(id)).resolution?.optionId).toBe("yes")).toPass();
});

test("moves between questions and writes an answer by keyboard", async ({ page, app }) => {
  const ids: string[] = [];
  const cells = Array.from({ length: 40 }, (_, n) => `Column ${n}`).join(" | ");
  const backgroundContext = `| ${cells} |\n${"|---".repeat(40)}|\n| ${cells} |`;
  const long = (first: string) => `${first} ${"Consider this carefully. ".repeat(60)}?`;
  for (const question of [long("First"), long("Second"), "Third?"])
    ids.push(await app.ask({ question, backgroundContext }));
  await page.goto("/approvals");
  await settle(page);
  // Arrow keys scroll a wide table.
  const table = page.getByRole("group", { name: "Table" });
  await table.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  await expect(table).toBeFocused();
  await page.getByRole("button", { name: "Show all of the question" }).click();
  await expect(page.getByRole("button", { name: "Show less of the question" })).toBeVisible();
  await page.keyboard.press("j");
  await expect(rowOf(page, "Second")).toBeFocused();
  await expect(theQuestion(page)).toContainText("Second");
  await expect(page.getByRole("button", { name: "Show all of the question" })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(theQuestion(page)).toHaveText("Third?");
  await page.keyboard.press("k");
  await expect(page).toHaveURL(`/approvals/${ids[1]}`);
  await settle(page);
  await page.keyboard.press("o");
  const box = page.getByLabel("Your own answer");
  await expect(box).toBeFocused();
  await page.keyboard.type("1 j 2 and o");
  await expect(box).toHaveValue("1 j 2 and o");
  await page.keyboard.press("Escape");
  await expect(theQuestion(page)).toBeFocused();
  await page.keyboard.press("n");
  await expect(page.getByLabel(/Note to/)).toBeFocused();
  await page.keyboard.press("Escape");
  const sent = answersSent(page);
  await page.keyboard.press("Control+1");
  await page.evaluate(() =>
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "1", repeat: true, bubbles: true })),
  );
  expect(await sent()).toEqual([]);
  for (const id of ids) expect((await app.read(id)).status).toBe("pending");
  await page.keyboard.press("o");
  await page.keyboard.press("Control+Enter");
  // The question is truncated, so the first press shows the rest.
  await expect(page.locator("[data-bar]").getByRole("alert")).toContainText("The rest of the question is unread.");
  await settle(page);
  await page.keyboard.press("Control+Enter");
  await expect(async () => expect((await app.read(ids[1] ?? "")).resolution?.otherText).toBe("1 j 2 and o")).toPass();
});

test("moves the focus from the empty list to a question that arrives", async ({ page, app }) => {
  await app.ask({ question: "First?" });
  await page.goto("/approvals");
  await settle(page);
  await page.keyboard.press("1");
  await expect(page.getByRole("heading", { name: "You’re all caught up" })).toBeFocused();
  await app.ask({ question: "Second?" });
  await expect(rowOf(page, "Second?")).toBeFocused();
});

test("selects questions with the space key", async ({ page, app }) => {
  for (const question of ["First?", "Second?"]) await app.ask({ question });
  await page.goto("/approvals");
  await settle(page);
  await page.getByTitle("Select and filter").press("Enter");
  await page.getByRole("button", { name: "Select questions" }).press("Enter");
  await expect(rowOf(page, "First?")).toBeFocused();
  const bar = page.getByRole("region", { name: "Selection" });
  await expect(bar.getByRole("status")).toHaveText("Select questions");
  await page.keyboard.press("Space");
  await expect(bar.getByRole("status")).toHaveText("1 selected");
});

test("moves the focus to the heading of the selected list", async ({ page, app }) => {
  const id = await app.ask({ question: "First?" });
  await app.ask({ question: "Second?" });
  await app.call(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" });
  await page.goto("/approvals");
  await settle(page);
  const lists = page.getByRole("navigation", { name: "Lists" });
  for (const [tab, name] of [
    ["Snoozed", "Snoozed"],
    ["Answered", "Answered"],
    ["Waiting", "Approvals"],
  ]) {
    await lists.getByRole("link", { name: tab }).press("Enter");
    await expect(page.getByRole("heading", { level: 1, name, exact: true })).toBeFocused();
  }
});
