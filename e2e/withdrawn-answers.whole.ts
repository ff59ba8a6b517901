import type { Page } from "@playwright/test";
import { contentHash } from "@/lib/approvals/content-hash";
import { answerApproval } from "@/lib/testing/answer-approval";
import { expectClean } from "./axe-checks";
import { type App, expect, type Owner, serviceUrl, test } from "./fixtures";
import { settle } from "./inbox-locators";

const question = {
  question: "Pay the invoice?",
  options: [
    { id: "pay", label: "Pay it" },
    { id: "no", label: "Don’t pay" },
  ],
  once: true,
};
const answer = (page: Page) => page.getByRole("region", { name: "Answer", exact: true });

/** Uses the answer as a program with the app's token. @returns the HTTP status */
const use = async ({ token }: App, id: string) =>
  (
    await fetch(`${serviceUrl()}/api/approvals/${id}/use`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "idempotency-key": crypto.randomUUID(),
      },
      body: JSON.stringify({ contentHash: contentHash(question) }),
    })
  ).status;

/** Asks and answers the question, and opens its answer. @returns the approval's ID */
async function answered(page: Page, owner: Owner, app: App) {
  const id = await app.ask(question);
  await page.goto(`/approvals/${id}`);
  await expect(page.getByText("You can withdraw your answer until it’s used")).toBeVisible();
  await answerApproval(owner, id, { kind: "option", optionId: "pay" });
  await page.goto(`/approvals/${id}?status=resolved`);
  return id;
}

test("withdraws an answer that was not used", { tag: "@phone" }, async ({ page, owner, app }) => {
  const id = await answered(page, owner, app);
  await settle(page);
  await expect(answer(page)).toContainText("Not used yet");
  await page.getByRole("button", { name: "Withdraw answer" }).click();
  await expectClean(page, "the confirmation of a withdrawal");
  await page.getByRole("dialog").getByRole("button", { name: "Withdraw answer" }).click();
  await expect(answer(page)).toContainText("You withdrew this answer");
  await expect(page.getByRole("button", { name: "Withdraw answer" })).toHaveCount(0);
  await expectClean(page, "a withdrawn answer");
  await page.goto("/approvals?status=resolved");
  await expect(page.getByRole("main").getByText("Withdrawn", { exact: true })).toBeVisible();
  expect(await use(app, id)).toBe(409);
  expect(await app.read(id)).toMatchObject({ status: "resolved", withdrawnAt: expect.any(Number) });
});

test("shows the use of an answer while its page is open", async ({ page, owner, app }) => {
  const id = await answered(page, owner, app);
  await settle(page);
  await expect(page.getByRole("button", { name: "Withdraw answer" })).toBeVisible();
  expect(await use(app, id)).toBe(200);
  await expect(answer(page)).toContainText(`Used by ${app.name}`);
  await expect(page.getByRole("button", { name: "Withdraw answer" })).toHaveCount(0);
  await expectClean(page, "a used answer");
  expect(await use(app, id)).toBe(409);
  await page.goto("/activity");
  await expect(page.getByText(`${app.name} used your answer`).first()).toBeVisible();
  const refused = page.getByText(`${app.name} tried to use an answer that was already used`);
  await expect(refused.first()).toBeVisible();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });
  test("withdraws an answer", async ({ page, owner, app }) => {
    await answered(page, owner, app);
    await page.locator("summary").filter({ hasText: "Withdraw answer" }).click();
    await page.getByRole("button", { name: "Withdraw answer" }).click();
    await expect(answer(page)).toContainText("You withdrew this answer");
  });
});
