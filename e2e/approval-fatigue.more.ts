import { answersSent } from "./answers-sent";
import { anApp, expect, test } from "./fixtures";
import { rowOf, settle } from "./inbox-locators";

// Apps that abuse an owner's attention. Tests of other attacks: lib/receipts/forged-owner-answers for
// forged answers, hostile-app-text for hostile text, notifications for imitation of the service, and
// lib/apps/name-conflicts for look-alike names.

test("keeps another app's question in view when an app floods the inbox", {
  tag: "@more",
}, async ({ page, owner, app }) => {
  for (let at = 0; at < 200; at++) await app.ask({ question: `Burst ${at}?` });
  const quiet = await anApp(owner);
  const id = await quiet.ask({ question: "The quiet one?" });
  await page.goto("/approvals");
  await settle(page);
  await expect(rowOf(page, "The quiet one?")).toBeInViewport();
  const burst = page.locator("summary").filter({ hasText: app.name });
  // The newest 199 are one row below the first.
  await expect(burst).toContainText(`199 more from ${app.name}`);
  await expect(burst.getByText("99+", { exact: true })).toBeVisible();
  const sent = answersSent(page);
  await page.keyboard.press("Enter");
  expect(await sent()).toEqual([]);
  await settle(page);
  await page.keyboard.press("Enter");
  expect(await sent()).toEqual([]);
  const { data } = (await (await app.call("/api/approvals?status=resolved")).json()) as { data: unknown[] };
  expect(data).toEqual([]);
  expect((await quiet.read(id)).status).toBe("pending");
  await burst.click();
  await rowOf(page, "Burst 0?").click();
  await page.keyboard.press("m");
  await expect(page).toHaveTitle(/^\(1\) /);
  await expect(page.locator("summary").filter({ hasText: "Muted apps" })).toContainText("200 questions");
});

test("does not preselect a question's only option", async ({ page, app }) => {
  const id = await app.ask({
    question: "Agreed?",
    options: [{ id: "no", label: "Yes, now" }],
    recommendation: "no",
  });
  await page.goto(`/approvals/${id}`);
  await settle(page);
  const decision = page.locator("[data-decision]");
  await expect(decision.locator("[checked], [autofocus], [aria-pressed=true]")).toHaveCount(0);
  await expect(decision.getByText("Write an answer")).toBeVisible();
  await expect(page.locator("body")).toBeFocused();
  await page.getByText("Add a note").click();
  await page.getByLabel(/Note to/).fill("From my phone");
  await decision.getByText("Write an answer").click();
  await page.getByLabel("Your own answer").fill("None of these,\nor after ten");
  await page.getByRole("button", { name: "Send this answer" }).click();
  await expect(async () => {
    expect((await app.read(id)).resolution).toMatchObject({
      kind: "other",
      otherText: "None of these,\nor after ten",
      note: "From my phone",
    });
  }).toPass();
});
