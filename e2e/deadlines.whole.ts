import type { Page } from "@playwright/test";
import { pool } from "@/lib/database/db";
import { expectAccessible, expectClean } from "./axe-checks";
import { expect, test } from "./fixtures";
import { rowOf, settle, theQuestion } from "./inbox-locators";
import { sent } from "./page-html";

const hour = 3_600_000;
const decision = (page: Page) => page.locator("[data-decision]");

/** Moves an approval's times into the past. */
async function pass(id: string, ms: number) {
  const client = await pool().connect();
  const back = `- make_interval(secs => ${ms / 1000})`;
  await client.query("BEGIN; SET LOCAL session_replication_role = replica");
  await client.query(
    `UPDATE approval SET created_at = created_at ${back}, expires_at = expires_at ${back} WHERE id = $1`,
    [id],
  );
  await client.query("UPDATE approval a SET content_hash = approval_current_hash(a) WHERE id = $1", [id]);
  await client.query("COMMIT");
  client.release();
}

/** Simulates someone who changes the database directly. */
async function tamper(id: string, question: string) {
  const client = await pool().connect();
  await client.query("BEGIN; SET LOCAL session_replication_role = replica");
  await client.query("UPDATE approval SET question = $2 WHERE id = $1", [id, question]);
  await client.query("COMMIT");
  client.release();
}

test("shows on an open page that the default was recorded at a question's deadline", { tag: "@more" }, async ({
  page,
  app,
}) => {
  const options = [
    { id: "yes", label: "Keep it" },
    { id: "no", label: "Roll back" },
  ];
  const id = await app.ask({ question: "Soon?", options, expiresAt: Date.now() + hour, defaultOptionId: "no" });
  await pass(id, hour - 12_000);
  await page.goto("/approvals");
  await settle(page);
  await expect(decision(page)).toContainText(/answer by \d\d:\d\d · \d+ s left/);
  await expect(decision(page).getByRole("definition")).toHaveText("Roll back");
  await expect(page.getByRole("button", { name: "Keep it" })).toBeVisible();
  await expectClean(page, "a question with a deadline");
  const ended = page.getByRole("region", { name: "Answer", exact: true });
  await expect(ended).toContainText(/Time ran out at \d\d:\d\d\. Countersign used the default, “Roll back”\./);
  await expect(page.getByRole("button", { name: "Keep it" })).toHaveCount(0);
  expect((await app.read(id)).resolution).toMatchObject({ optionId: "no", resolvedBy: "api", note: "Deadline passed" });
  await expectClean(page, "a question whose default was recorded before the owner's eyes");
  // The question stays in the list and the decision pane until the owner continues. No text claims
  // that the owner answered.
  await expect(page.getByText("0 waiting")).toBeVisible();
  await expect(page.locator("main")).toContainText("Roll back");
  await expect(page.getByText("all caught up").filter({ visible: true })).toHaveCount(0);
  await ended.getByRole("button", { name: "OK" }).click();
  await expect(page.getByRole("heading", { name: "You’re all caught up" })).toBeFocused();
  await page.goto(`/approvals/${id}?status=resolved`);
  await expect(ended).toContainText("Time ran out, so Countersign used the default, “Roll back”");
  expect((await sent(page, "/activity")).html).toContain("Time ran out, so Countersign used");
});

test("rejects an answer to a changed question and closes an expired question", async ({ page, app }) => {
  const id = await app.ask({ question: "Ship build 418?" });
  await page.goto(`/approvals/${id}`);
  await settle(page);
  await tamper(id, "Delete everything?");
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(
    page.getByText("This question has changed. Review the question, then answer again.").first(),
  ).toBeVisible();
  await expect(theQuestion(page)).toHaveText("Delete everything?");
  expect((await app.read(id)).status).toBe("pending");

  const late = await app.ask({ question: "Late?", expiresAt: Date.now() + hour });
  await rowOf(page, "Late?").click();
  await expect(theQuestion(page)).toHaveText("Late?");
  await settle(page);
  await pass(late, hour + 1000);
  await expect(page.getByText("This question expired without an answer.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Yes" })).toHaveCount(0);
  await page.goto("/approvals");
  await expect(rowOf(page, "Late?")).toHaveCount(0);
  await page.getByRole("link", { name: "1 question expired" }).click();
  await expect(page).toHaveTitle(/^(\(1\) )?Expired/);
  await expect(rowOf(page, "Late?")).toContainText("Expired");
  await expectAccessible(page, "questions that nobody answered in time");
  expect(await app.read(late)).toMatchObject({ status: "pending", deadlinePassed: true });
});

test.describe(() => {
  test.use({ javaScriptEnabled: false });

  test("rejects answers to changed and expired questions when scripts are off", async ({ page, app }) => {
    const id = await app.ask({ question: "Ship it?" });
    await page.goto(`/approvals/${id}`);
    await tamper(id, "Delete everything?");
    await page.getByRole("button", { name: "Yes" }).click();
    await expect(page.getByText("This question has changed. Review the question, then answer again.")).toBeVisible();
    await expect(theQuestion(page)).toHaveText("Delete everything?");
    expect((await app.read(id)).status).toBe("pending");

    const late = await app.ask({ question: "Late?", expiresAt: Date.now() + hour });
    await page.goto(`/approvals/${late}`);
    await pass(late, hour + 1000);
    await page.getByRole("button", { name: "Yes" }).click();
    await expect(page.getByText("This question expired without an answer.")).toBeVisible();
    expect((await app.read(late)).status).toBe("pending");
  });

  test("rejects a form without the displayed question's hash", async ({ page, app }) => {
    const id = await app.ask({ question: "Ship it?" });
    await page.goto(`/approvals/${id}`);
    await page.route("**/acts/**", async (route) => {
      const sent = route.request().postData();
      if (!sent) return route.continue();
      const without = sent.replace(/(seen=)[^&]*/, "$1");
      expect(without).not.toBe(sent);
      await route.continue({ postData: without });
    });
    await page.getByRole("button", { name: "Yes" }).click();
    await expect(page.getByText(/^This page is out of date/)).toBeVisible();
    expect((await app.read(id)).status).toBe("pending");
  });
});
