import type { Page } from "@playwright/test";
import { expectClean } from "./axe-checks";
import { type App, expect, test } from "./fixtures";
import { rowOf, settle } from "./inbox-locators";
import { sent } from "./page-html";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

const asked = (page: Page) => page.getByRole("region", { name: "Your questions to the app" });
const frame = (page: Page) => page.locator("[data-said]");
const add = (app: App, id: string, text: string) => app.call(`/api/approvals/${id}/additions`, { text });

/** Clicks or taps, like an owner. */
async function askFirst(page: Page, question: string) {
  await page.getByText("Ask a question", { exact: true }).click();
  await page.getByLabel(/^Your question to/).fill(question);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
}

test("shows clarifications, additions and outcome reports in a question's thread", async ({ page, app }) => {
  const id = await app.ask({ question: "Ship build 418?", backgroundContext: "All **checks** are green." });
  await page.goto(`/approvals/${id}`);
  await settle(page);
  const wait = app.call(`/api/approvals/${id}?wait=30`);
  await askFirst(page, "Did the soak test end?\nWhen?");
  const told = (await (await wait).json()) as { status: string; questions: { text: string }[] };
  expect([told.status, told.questions.map(({ text }) => text)]).toEqual(["pending", ["Did the soak test end?\nWhen?"]]);
  await expect(asked(page)).toContainText("Did the soak test end?");
  await expect(asked(page)).toContainText(`waiting for ${app.name}`);
  await expect(page).toHaveTitle(/^(?!\(\d)/);
  await expect(page.getByLabel(/^Your question to/)).toBeHidden();

  // An addition makes the question unseen. It counts as seen again after a moment in view.
  const seen = page.waitForResponse((reply) => reply.url().endsWith("/approval.see"));
  await add(app, id, "It ended at 17:40: **no errors**.\n\n<script>alert(1)</script> ![x](https://x.example/p.png)");
  const added = page.getByRole("region", { name: `Addition 1 by ${app.name}` });
  await expect(added.locator("strong")).toHaveText("no errors");
  await expect(added).toContainText("Added");
  await expect(added.locator("img, script")).toHaveCount(0);
  await expect(frame(page)).toContainText("All checks are green.");
  await expect(asked(page)).not.toContainText("waiting for");
  await expect(page.getByRole("status").filter({ hasText: `${app.name} added details to its question` })).toHaveCount(
    1,
  );
  await expect(page).toHaveTitle(/^\(1\)/);

  await seen;
  await settle(page);
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(async () => expect((await app.read(id)).resolution?.optionId).toBe("yes")).toPass();
  await app.call(`/api/approvals/${id}/outcome`, { status: "started" });
  const link = "https://ci.example/builds/418";
  await app.call(`/api/approvals/${id}/outcome`, { status: "done", text: "Deployed build 418", link });

  await page.goto("/approvals?status=resolved");
  await expect(rowOf(page, "Ship build 418?")).toContainText("You: Yes");
  await expect(rowOf(page, "Ship build 418?")).toContainText("Outcome: Done · Deployed build 418 (ci.example)");
  await page.goto(`/approvals/${id}`);
  const answer = page.getByRole("region", { name: "Answer", exact: true });
  await expect(answer).toContainText(/You answered · \d\d:\d\d/);
  await expect(answer).toContainText(/Asked \d\d:\d\d · seen \d\d:\d\d · answered \d\d:\d\d/);
  const happened = page.getByRole("region", { name: "Outcome" });
  await expect(happened).toContainText("Done · Deployed build 418");
  await expect(happened.getByRole("link", { name: /ci\.example/ })).toHaveAttribute("href", link);
  await expect(happened.getByRole("link", { name: /ci\.example/ })).toHaveAttribute("rel", /noopener/);
  await happened.getByText("1 earlier report").click();
  await expect(happened).toContainText("Started");
  await expect(asked(page)).toContainText("When?");
  const { html } = await sent(page, `/activity?subject=${id}`);
  for (const words of [
    `You asked ${app.name} a question before answering`,
    `${app.name} added details to its question`,
    `${app.name} carried out your answer`,
  ])
    expect(html).toContain(words);
});

test("keeps the buttons in place and ignores a press when an addition arrives", {
  tag: "@touch",
}, async ({ page, app }) => {
  // On a very low screen, the buttons do not stick to the bottom of the page.
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height: 340 });
  const id = await app.ask({ question: "Ship it?\n".repeat(4), recommendation: "I would.\n".repeat(3) });
  await page.goto(`/approvals/${id}`);
  await settle(page);
  const yes = page.locator("[data-decision] button[name=optionId]").first();
  await yes.evaluate((it) => it.scrollIntoView({ block: "end" }));
  await page.waitForTimeout(200);
  const before = await yes.boundingBox();
  // Pressed in the frame in which the question appears.
  await page.evaluate(() => {
    const seen = new MutationObserver(() => {
      if (!document.querySelector("[data-added]")) return;
      seen.disconnect();
      document.querySelector<HTMLButtonElement>("[data-decision] button[name=optionId]")?.click();
    });
    seen.observe(document.body, { childList: true, subtree: true });
  });
  await add(app, id, "Wait, there is more:\n\n".repeat(4));
  await expect(page.locator("[data-added]")).toHaveCount(1);
  const after = await yes.boundingBox();
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2);
  // That press must do nothing.
  await page.waitForTimeout(700);
  expect((await app.read(id)).status).toBe("pending");
  // The first press may only reveal text that was out of view. The button may disappear at any time,
  // so the press does not wait for it.
  await expect(async () => {
    await page
      .locator("[data-decision] button[name=optionId]")
      .evaluateAll(([first]) => (first as HTMLButtonElement | undefined)?.click());
    expect((await app.read(id)).status).toBe("resolved");
  }).toPass();
});

test("keeps an unsent clarification request as a draft across a reload", async ({ page, app }) => {
  const id = await app.ask({ question: "Ship it?" });
  await page.goto(`/approvals/${id}`);
  await settle(page);
  await page.keyboard.press("q");
  const box = page.getByLabel(/^Your question to/);
  await expect(box).toBeFocused();
  await page.keyboard.type("Which build");
  await page.route(/\/acts\//, (route) => (route.request().method() === "POST" ? route.abort() : route.fallback()));
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("alert").filter({ hasText: "The server isn’t responding" })).toBeVisible();
  await page.unrouteAll();
  await page.reload();
  await expect(box).toHaveValue("Which build");
  await box.focus();
  await page.keyboard.press("End");
  await page.keyboard.type("?");
  await page.keyboard.press("Control+Enter");
  await expect(asked(page)).toContainText("Which build?");
  await expect(box).toBeHidden();
  expect((await app.read(id)).status).toBe("pending");
  await page.keyboard.press("Escape");
  await page.keyboard.press("q");
  await expect(box).toHaveValue("");
});

test("passes axe with a clarification form, an addition and a reported failure", { tag: "@more" }, async ({
  page,
  app,
}) => {
  const id = await app.ask({ question: "Ship it?" });
  await page.goto(`/approvals/${id}`);
  await settle(page);
  await page.getByText("Ask a question", { exact: true }).click();
  await expectClean(page, "asking back");
  await page.getByLabel(/^Your question to/).fill("Why?");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await add(app, id, "| a | b |\n|---|---|\n| 1 | 2 |");
  await expect(page.locator("[data-added] table")).toBeVisible();
  await expectClean(page, "added");
  await app.call(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" });
  await app.call(`/api/approvals/${id}/outcome`, { status: "failed", text: "No room left.\nTried 3 times." });
  await page.reload();
  const happened = page.getByRole("region", { name: "Outcome" });
  await expect(happened).toContainText("Failed");
  await expectClean(page, "failed");
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test.describe(() => {
  test.use({ javaScriptEnabled: false });

  test("asks an app for clarification when scripts are off", async ({ page, app }) => {
    const id = await app.ask({ question: "Ship it?" });
    await page.goto(`/approvals/${id}`);
    await askFirst(page, "\u200b");
    await expect(page.getByRole("alert")).toContainText("Must not be blank");
    expect((await app.read(id)).questions).toBeUndefined();
    await page.getByLabel(/^Your question to/).fill("Which\nbuild?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await expect(page).toHaveURL(`/approvals/${id}`);
    await expect(asked(page)).toContainText(`waiting for ${app.name}`);
    const { questions, status } = await app.read(id);
    expect([status, questions?.map(({ text }) => text)]).toEqual(["pending", ["Which\nbuild?"]]);
    await add(app, id, "Build 418.");
    await page.reload();
    await expect(page.locator("[data-added]")).toContainText("Build 418.");
    await page.getByRole("button", { name: "Yes" }).click();
    await expect(page.getByRole("region", { name: "Answer", exact: true })).toContainText("You answered");
  });
});
