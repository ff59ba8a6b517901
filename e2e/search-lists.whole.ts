import { readFile } from "node:fs/promises";
import { db } from "@/lib/database/db";
import { anApp, expect, test } from "./fixtures";
import { rowOf, settle, theQuestion, waitingRows } from "./inbox-locators";
import { live } from "./live-gaps";

const lists = (page: import("@playwright/test").Page) => page.getByRole("navigation", { name: "Lists" });

test("stores the list, search and sort order in the URL", { tag: "@more" }, async ({ page, owner, app }) => {
  const other = await anApp(owner, `Ledger ${app.name.slice(-6)}`);
  await app.ask({ question: "Ship build 418?" });
  await other.ask({ question: "Pay invoice 88?", options: [{ id: "pay", label: "Pay the baker" }] });
  await app.ask({ question: "Ship build 419?" });
  const later = await app.ask({ question: "Later?" });
  await db.approvalTriage.create({
    data: { approvalId: later, ownerId: owner.ownerId, snoozedUntil: new Date(Date.now() + 3_600_000) },
  });
  await page.goto("/approvals");
  await expect(waitingRows(page)).toHaveCount(3);
  await expect(lists(page).getByRole("link", { name: "Waiting" })).toHaveAttribute("aria-current", "page");
  await lists(page).getByRole("link", { name: "Snoozed 1" }).click();
  await expect(page).toHaveURL("/approvals?status=snoozed");
  await expect(rowOf(page, "Later?")).toBeVisible();
  await expect(waitingRows(page)).toHaveCount(1);
  await lists(page).getByRole("link", { name: "Answered" }).click();
  await expect(page).toHaveURL("/approvals?status=resolved");
  await expect(page.getByRole("heading", { name: "No answers yet" }).first()).toBeAttached();

  await lists(page).getByRole("link", { name: "Waiting" }).click();
  await expect(waitingRows(page)).toHaveText([/418/, /88/, /419/]);
  await page.locator("summary", { hasText: "Filter" }).click();
  await page.getByRole("link", { name: "Newest first" }).click();
  await expect(page).toHaveURL(/sort=newest/);
  await expect(waitingRows(page)).toHaveText([/419/, /88/, /418/]);
  await settle(page);
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Search questions" })).toBeFocused();
  await page.keyboard.type("BAKER 88");
  await page.keyboard.press("Enter");
  await expect(waitingRows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/sort=newest/);
  await expect(rowOf(page, "Pay invoice 88?")).toBeVisible();
  await page.getByRole("searchbox").fill("nothing like it");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Change or clear the filters.").filter({ visible: true })).toBeVisible();
  await page.getByRole("link", { name: "Clear filters", exact: true }).filter({ visible: true }).click();
  await expect(waitingRows(page)).toHaveCount(3);
  await expect(page.getByRole("searchbox", { includeHidden: true })).toHaveValue("");
});

test("searches, filters and downloads past answers", async ({ page, app }) => {
  const ids: string[] = [];
  for (const [question, answer] of [
    ["Ship build 417?", { kind: "option", optionId: "yes" }],
    ["Where shall Ana sit?", { kind: "other", otherText: "=By the window" }],
  ] as const) {
    const id = await app.ask({ question });
    ids.push(id);
    await app.call(`/api/approvals/${id}/resolve`, answer);
  }
  const mine = await app.ask({ question: "Ship build 418?" });
  await page.goto(`/approvals/${mine}`);
  await settle(page);
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(async () => expect((await app.read(mine)).status).toBe("resolved")).toPass();

  const take = async (name: string) => {
    await page.locator("summary", { hasText: "Filter answers" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name }).click();
    const file = await download;
    await page.locator("summary", { hasText: "Filter answers" }).click();
    return { name: file.suggestedFilename(), lines: (await readFile(await file.path(), "utf8")).trim().split(/\r?\n/) };
  };
  await page.goto("/approvals?status=resolved");
  await expect(page.getByRole("heading", { name: "Today" })).toBeVisible();
  await expect(waitingRows(page)).toHaveText([/418/, /Ana/, /417/]);
  await expect(waitingRows(page).first()).toContainText("You: Yes");
  await expect(waitingRows(page).nth(1)).toContainText("By the app: =By the window");
  const csv = await take("Download as CSV");
  expect(csv.name).toBe("countersign-answers.csv");
  expect(csv.lines).toHaveLength(4);
  expect(csv.lines[2]).toContain(",Where shall Ana sit?,'=By the window,other,");
  await page.getByRole("searchbox", { name: "Search answers" }).fill("window");
  await page.keyboard.press("Enter");
  await expect(waitingRows(page)).toHaveCount(1);
  const json = await take("Download as JSON Lines");
  expect(json.name).toBe("countersign-answers.jsonl");
  expect(json.lines).toHaveLength(1);
  expect(JSON.parse(json.lines[0] ?? "")).toMatchObject({ answer: "=By the window", by: "app", app: app.name });
  await rowOf(page, "Where shall Ana sit?").click();
  await expect(theQuestion(page)).toHaveText("Where shall Ana sit?");
  const answer = page.getByRole("region", { name: "Answer", exact: true });
  await expect(answer).toContainText("By the window");
  await expect(answer).toContainText(`${app.name} answered its own question`);
  await expect(answer).toContainText(/Asked \d\d:\d\d · answered \d\d:\d\d/);
  await page.locator("summary[aria-label=More]").click();
  await page.getByRole("link", { name: "Activity for this question" }).click();
  await expect(page).toHaveURL(`/activity?subject=${ids[1]}`);
  await expect(page.locator("[data-event]")).toHaveCount(2);

  await page.goto("/approvals?status=resolved");
  await page.locator("summary", { hasText: "Filter answers" }).click();
  await page.getByLabel("Answered by").selectOption("You");
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await expect(page).toHaveURL(/by=owner/);
  await expect(waitingRows(page)).toHaveText([/418/]);
  await expect(page.getByLabel("Answered by")).toHaveValue("owner");
  await page.getByLabel("Answered by").selectOption("Anyone");
  await page.getByRole("combobox", { name: "Answer", exact: true }).selectOption("Your own words");
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await expect(waitingRows(page)).toHaveText([/Ana/]);
});

test(
  "moves between past answers by key, or by tap on a phone",
  { tag: "@phone" },
  async ({ page, app }, { project }) => {
    for (const question of ["One?", "Two?"]) {
      const id = await app.ask({ question });
      await app.call(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" });
    }
    await page.goto("/approvals?status=resolved");
    await live(page);
    if (project.name === "desktop") {
      await expect(theQuestion(page)).toHaveText("Two?");
      await page.keyboard.press("j");
      await expect(theQuestion(page)).toHaveText("One?");
      await expect(rowOf(page, "One?")).toBeFocused();
      await page.keyboard.press("k");
      await expect(theQuestion(page)).toHaveText("Two?");
      await page.keyboard.press("1");
    } else {
      await rowOf(page, "One?").click();
      await expect(theQuestion(page)).toHaveText("One?");
      await expect(theQuestion(page)).toBeFocused();
      await page.getByRole("link", { name: "Answered" }).filter({ visible: true }).click();
      await expect(rowOf(page, "One?")).toBeFocused();
      await expect(page).toHaveURL("/approvals?status=resolved");
    }
  },
);

test.describe(() => {
  test.use({ javaScriptEnabled: false });

  test("sorts and searches questions and opens a past answer when scripts are off", async ({ page, app }) => {
    await app.ask({ question: "First?" });
    await app.ask({ question: "Second?" });
    const id = await app.ask({ question: "Third?" });
    await app.call(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" });
    await page.goto("/approvals");
    await page.locator("summary", { hasText: "Filter" }).click();
    await page.getByRole("link", { name: "Newest first" }).click();
    await expect(waitingRows(page)).toHaveText([/Second/, /First/]);
    await page.locator("summary", { hasText: "Search questions" }).click();
    await page.getByRole("searchbox").fill("first");
    await page.keyboard.press("Enter");
    await expect(waitingRows(page)).toHaveText([/First/]);
    await lists(page).getByRole("link", { name: "Answered" }).click();
    await rowOf(page, "Third?").click();
    await expect(page.getByRole("region", { name: "Answer", exact: true })).toContainText("answered its own question");
  });
});
