import { db } from "@/lib/database/db";
import { changeSettings } from "@/lib/owners/settings";
import { expect, test } from "./fixtures";
import { rowOf, settle, theQuestion } from "./inbox-locators";

const toast = "section[aria-label='Last action']";
const answerOf = (page: import("@playwright/test").Page) => page.getByRole("region", { name: "Answer", exact: true });

test("holds an answer until the owner undoes or sends the answer", async ({ page, owner, app }) => {
  await changeSettings(owner, { undoSeconds: 30 });
  const first = await app.ask({ question: "First?" });
  const second = await app.ask({ question: "Second?" });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/approvals");
  await settle(page);
  await page.keyboard.press("1");
  await expect(theQuestion(page)).toHaveText("Second?");
  await expect(rowOf(page, "First?")).toContainText("Answered: Yes");
  await expect(
    page.getByRole("status").filter({ hasText: "Answered “Yes”. 1 waiting. To undo, press U within 30 seconds." }),
  ).toHaveCount(1);
  await expect(page).toHaveTitle("(1) Approvals · Countersign");
  expect((await app.read(first)).status).toBe("pending");
  await settle(page);
  await page.keyboard.press("u");
  await expect(theQuestion(page)).toHaveText("First?");
  await expect(rowOf(page, "First?")).toBeFocused();
  await expect(page).toHaveTitle("(2) Approvals · Countersign");
  await settle(page);
  await page.keyboard.press("2");
  await page.locator(toast).getByRole("button", { name: "Send now" }).click();
  await expect(async () =>
    expect((await app.read(first)).resolution).toMatchObject({ optionId: "no", resolvedBy: "owner" }),
  ).toPass();
  await page.keyboard.press("u");
  await expect(page.locator(toast)).toContainText(
    "Your answer was already sent. You can set a time to undo in Settings.",
  );
  expect((await app.read(first)).resolution?.optionId).toBe("no");

  await settle(page);
  await page.getByText("Add a note").click();
  await page.getByLabel(/Note to/).fill("A note");
  await page.getByText("Write an answer").click();
  await page.getByLabel("Your own answer").fill("In my own words");
  await page.getByRole("button", { name: "Send this answer" }).click();
  await expect(page).toHaveTitle("Approvals · Countersign");
  await page.locator(toast).getByRole("button", { name: "Undo" }).click();
  await expect(page.getByLabel("Your own answer")).toHaveValue("In my own words");
  await expect(page.getByLabel(/Note to/)).toHaveValue("A note");
  expect((await app.read(second)).status).toBe("pending");
});

test("shows a held answer's countdown without moving the toast", {
  tag: "@touch",
}, async ({ page, owner, app }) => {
  await changeSettings(owner, { undoSeconds: 10 });
  for (const question of ["First?", "Second?"]) await app.ask({ question });
  await page.goto("/approvals");
  await rowOf(page, "First?").click();
  await settle(page);
  // Records the places of the toast's words and buttons in each frame.
  await page.evaluate(() => {
    const places = new Set<string>();
    const seen = Object.assign(window, { places });
    const look = () => {
      const box = document.querySelector("[data-toast]");
      if (box?.textContent?.includes("Sends in") && box.checkVisibility())
        seen.places.add(
          [...box.querySelectorAll("p, button")].map((it) => Math.round(it.getBoundingClientRect().left)).join(" "),
        );
      requestAnimationFrame(look);
    };
    look();
  });
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(page.locator(toast)).toContainText(/Sends in (10|9|8) s/);
  await expect(page.locator(toast)).toContainText(/Sends in [1-7] s/);
  expect(await page.evaluate(() => (Reflect.get(window, "places") as Set<string>).size)).toBe(1);
});

test("completes actions during a slow refresh without reloading the page", async ({ page, owner, app }) => {
  await changeSettings(owner, { undoSeconds: 30 });
  for (const question of ["First?", "Second?", "Third?"]) await app.ask({ question });
  await page.setViewportSize({ width: 1280, height: 800 });
  // The page is updated only by its own actions.
  await page.route("**/live*", (route) => route.abort());
  await page.goto("/approvals");
  await settle(page);
  await page.evaluate(() => Object.assign(window, { same: true }));
  await page.route(/_rsc=/, async (route) => {
    await new Promise((done) => setTimeout(done, 1000));
    await route.continue();
  });
  const read = () => page.waitForRequest(/_rsc=/);
  const reading = read();
  await page.keyboard.press("1");
  await reading;
  await settle(page);
  await page.keyboard.press("u");
  await expect(theQuestion(page)).toHaveText("First?");
  await settle(page);
  await page.keyboard.press("1");
  await expect(page).toHaveTitle("(2) Approvals · Countersign");
  await expect(page).toHaveURL(/\/approvals\/apr_/);
  expect(await page.evaluate(() => Reflect.get(window, "same"))).toBe(true);
});

test("moves the focus to the open question when the focused element disappears", async ({ page, owner, app }) => {
  await changeSettings(owner, { undoSeconds: 5 });
  const first = await app.ask({ question: "First?" });
  const second = await app.ask({ question: "Second?" });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/approvals");
  await settle(page);
  await page.keyboard.press("1");
  await page.locator(toast).getByRole("button", { name: "Undo" }).focus();
  // The undo period is over.
  await expect(rowOf(page, "Second?")).toBeFocused();
  await page.keyboard.press("x");
  await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Clear" }).press("Enter");
  await expect(rowOf(page, "Second?")).toBeFocused();
  await expect.poll(async () => (await app.read(first)).status).toBe("resolved");
  await page.keyboard.press("u");
  await page.locator(toast).getByRole("button", { name: "Close" }).press("Enter");
  await expect(rowOf(page, "Second?")).toBeFocused();
  const sendNow = page.locator(toast).getByRole("button", { name: "Send now" });
  // Keys do nothing right after the view changes.
  await expect(async () => {
    await page.keyboard.press("1");
    await expect(sendNow).toBeVisible({ timeout: 500 });
  }).toPass();
  await sendNow.press("Enter");
  await expect(page.getByRole("heading", { name: "You’re all caught up" })).toBeFocused();
  await expect(async () => expect((await app.read(second)).resolution?.optionId).toBe("yes")).toPass();
});

test("sends a held answer after the tab was closed", async ({ page, owner, app, context }) => {
  await changeSettings(owner, { undoSeconds: 30 });
  const id = await app.ask({ question: "First?" });
  await page.goto(`/approvals/${id}`);
  await settle(page);
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(page.locator(toast)).toContainText(`Answered · Yes`);
  await expect(page).toHaveTitle("Approvals · Countersign");
  const another = await context.newPage();
  await page.close();
  await another.goto(`/approvals/${id}`);
  await expect(answerOf(another)).toContainText("Sends in");
  expect((await app.read(id)).status).toBe("pending");
  await db.$executeRaw`UPDATE approval_triage SET commit_at = now() WHERE approval_id = ${id}`;
  await expect(answerOf(another)).toContainText("You answered");
  expect((await app.read(id)).resolution?.optionId).toBe("yes");
});

test.describe(() => {
  test.use({ javaScriptEnabled: false });

  test("undoes a held answer when scripts are off", async ({ page, owner, app }) => {
    await changeSettings(owner, { undoSeconds: 30 });
    const id = await app.ask({ question: "Ship it?" });
    await page.goto(`/approvals/${id}`);
    await page.getByRole("button", { name: "Yes" }).click();
    await expect(answerOf(page)).toContainText("Sends in");
    expect((await app.read(id)).status).toBe("pending");
    await answerOf(page).getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "No", exact: true }).click();
    await answerOf(page).getByRole("button", { name: "Send now" }).click();
    await expect(answerOf(page)).toContainText("You answered");
    expect((await app.read(id)).resolution?.optionId).toBe("no");
  });

  test("snoozes and reports a question and mutes its app when scripts are off", async ({ page, app }) => {
    const id = await app.ask({ question: "Ship it?" });
    await page.goto(`/approvals/${id}`);
    await page.locator("summary[aria-label=Snooze]").click();
    await page.getByRole("button", { name: /^In 1 hour/ }).click();
    await expect(page).toHaveURL(`/approvals/${id}`);
    await expect(page.getByText(/^Snoozed until/)).toBeVisible();
    await page.goto("/approvals");
    await expect(page.getByText("Ship it?")).toHaveCount(0);
    await page.goto(`/approvals/${id}`);
    await page.getByRole("button", { name: "End snooze" }).click();
    await page.locator("summary[aria-label=More]").click();
    await page.getByRole("button", { name: `Mute ${app.name}` }).click();
    await page.goto("/approvals");
    await page.locator("summary").filter({ hasText: "Muted apps" }).click();
    await page.getByRole("button", { name: `Unmute ${app.name}` }).click();
    await expect(page).toHaveURL(`/approvals/${id}`);
    await page.locator("summary[aria-label=More]").click();
    await page.getByRole("link", { name: "I didn’t expect this question" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Didn’t expect this question?");
    await page.getByRole("button", { name: `Mute ${app.name}` }).click();
    await expect(page.getByText(`${app.name} is muted.`)).toBeVisible();
    expect((await app.read(id)).status).toBe("pending");
  });

  test("requires a second button press to confirm an option when scripts are off", { tag: "@more" }, async ({
    page,
    owner,
    app,
  }) => {
    await changeSettings(owner, { alwaysConfirm: true });
    const id = await app.ask({ question: "Ship it?" });
    await page.goto(`/approvals/${id}`);
    await page.getByText("Add a note").click();
    await page.getByLabel(/Note to/).fill("Carefully");
    await page.getByRole("button", { name: "Yes" }).click();
    await expect(page.getByText("Answer “Yes”?")).toBeVisible();
    await expect(page.getByRole("button", { name: "Yes", pressed: true })).toBeVisible();
    await page.getByRole("button", { name: "No", exact: true }).click();
    await expect(page.getByRole("button", { name: "No", pressed: true })).toBeVisible();
    expect((await app.read(id)).status).toBe("pending");
    await page.getByRole("button", { name: "Yes" }).click();
    await expect(page.getByRole("button", { name: "Yes", pressed: true })).toBeVisible();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(answerOf(page)).toContainText("You answered");
    expect((await app.read(id)).resolution).toMatchObject({ optionId: "yes", note: "Carefully" });
  });
});
