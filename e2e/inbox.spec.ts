import { devices } from "@playwright/test";
import { signOutEverywhere } from "@/lib/owners/owners";
import { anOwner } from "@/lib/testing/factories";
import { answersSent } from "./answers-sent";
import { anApp, enter, expect, test } from "./fixtures";
import { rowOf, settle, theQuestion, waitingRows } from "./inbox-locators";
import { live } from "./live-gaps";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

test.describe("answers", () => {
  test("delivers the owner's answer to the app", {
    tag: "@phone",
  }, async ({ page, app }) => {
    await page.goto("/approvals");
    await live(page);
    const id = await app.ask({ question: "Ship build 418?", options: [{ id: "ship", label: "Ship now" }] });
    await expect(rowOf(page, "Ship build 418?")).toBeVisible();
    await rowOf(page, "Ship build 418?").click();
    await expect(page).toHaveURL(`/approvals/${id}`);
    await settle(page);
    await page.getByRole("button", { name: "Ship now" }).click();
    await expect(page.getByRole("heading", { name: "You’re all caught up" })).toBeFocused();
    await expect(async () => expect((await app.read(id)).status).toBe("resolved")).toPass();
    // The summary comes from the database. The icon's animation respects reduced motion.
    const closing = page.getByRole("region", { name: "Caught up" });
    await expect(closing).toContainText("1 answered");
    const breath = () => closing.locator("svg").evaluate((mark) => getComputedStyle(mark).animationName);
    expect(await breath()).toBe("breath");
    await page.emulateMedia({ reducedMotion: "reduce" });
    expect(await breath()).toBe("none");
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await app.call(`/api/approvals/${id}/outcome`, { status: "done" });
    await expect(closing).toContainText("1 answered · 1 completed by apps");
    const { resolution } = await app.read(id);
    expect(resolution).toMatchObject({ kind: "option", optionId: "ship", resolvedBy: "owner" });
    expect(Object.keys(resolution ?? {}).sort()).toEqual(["kind", "optionId", "resolvedAt", "resolvedBy"]);
    expect((await app.call(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "ship" })).status).toBe(409);
  });

  test("opens the next question after an answer", {
    tag: "@phone",
  }, async ({ page, app }) => {
    for (const question of ["First?", "Second?"]) await app.ask({ question });
    const third = await app.ask({ question: "Third?" });
    await page.goto("/approvals");
    await rowOf(page, "First?").click();
    await settle(page);
    await page.getByRole("button", { name: "Yes" }).click();
    await expect(theQuestion(page)).toHaveText("Second?");
    const wide = (page.viewportSize()?.width ?? 0) >= 1024;
    await expect(wide ? rowOf(page, "Second?") : theQuestion(page)).toBeFocused();
    if (wide) {
      await expect(rowOf(page, "First?")).toContainText("You: Yes");
      await expect(rowOf(page, "First?")).toBeHidden();
    }
    await expect(page.getByRole("status").filter({ hasText: "Answered “Yes”. 2 waiting." })).toHaveCount(1);
    await settle(page);
    const sent = answersSent(page);
    await page.getByRole("button", { name: "Yes" }).dblclick();
    await expect(theQuestion(page)).toHaveText("Third?");
    expect(await sent()).toHaveLength(1);
    expect((await app.read(third)).status).toBe("pending");
  });
});

test.describe("page state", () => {
  test("preserves typed words across a lost connection and a sign-out", async ({ page, app, owner }) => {
    const id = await app.ask({});
    await page.goto(`/approvals/${id}`);
    await settle(page);
    await page.getByText("Write an answer").click();
    const box = page.getByLabel("Your own answer");
    await box.fill("Only the first half");
    await app.ask({ question: "Another?" });
    await expect(page.getByRole("link", { name: /^Approvals/ }).first()).toBeAttached();
    await expect(page).toHaveTitle("(2) Approvals · Countersign");
    await expect(box).toBeFocused();
    await expect(box).toHaveValue("Only the first half");
    await page.route(/\/acts\//, (route) => (route.request().method() === "POST" ? route.abort() : route.fallback()));
    await page.getByRole("button", { name: "Send this answer" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "The server isn’t responding" })).toBeVisible();
    await page.unrouteAll();
    // Otherwise the page would detect the ended session and leave.
    await page.route("**/live*", (route) => route.abort());
    await page.goto(`/approvals/${id}`);
    await expect(box).toHaveValue("Only the first half");
    await settle(page);
    await signOutEverywhere(owner);
    await page.getByRole("button", { name: "Send this answer" }).click();
    await expect(page).toHaveURL(`/sign-in?next=${encodeURIComponent(`/approvals/${id}`)}&unsent=words`);
    await expect(page.getByText("Your answer wasn’t sent. Sign in and send your answer again.")).toBeVisible();
    expect((await app.read(id)).status).toBe("pending");
    await page.getByLabel("Email").fill(owner.email);
    await page.getByLabel("Password", { exact: true }).fill(owner.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(`/approvals/${id}`);
    await expect(box).toHaveValue("Only the first half");
    await settle(page);
    await page.getByRole("button", { name: "Send this answer" }).click();
    await expect(async () => expect((await app.read(id)).resolution?.otherText).toBe("Only the first half")).toPass();
  });

  test("opens an answered question whose ID is pushed into the URL", { tag: "@more" }, async ({ page, app }) => {
    const id = await app.ask({ question: "First?" });
    await app.ask({ question: "Second?" });
    await page.goto("/approvals");
    await rowOf(page, "Second?").click();
    await app.call(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "no" });
    await expect(rowOf(page, "First?")).toHaveCount(0);
    await page.evaluate((to) => window.history.pushState(null, "", to), `/approvals/${id}`);
    await expect(theQuestion(page)).toHaveText("First?");
    await expect(page.getByRole("region", { name: "Answer", exact: true })).toContainText("answered its own question");
  });
});

test("lists the newest past answers first", async ({ page, owner, app }) => {
  const other = await anApp(owner, `Ledger ${app.name.slice(-6)}`);
  for (let i = 1; i <= 51; i++) {
    const id = await app.ask({ question: `Question ${i}?` });
    await app.call(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" });
  }
  await other.call(`/api/approvals/${await other.ask({ question: "Pay it?" })}/resolve`, {
    kind: "other",
    otherText: "Later",
  });
  await page.goto("/approvals?status=resolved");
  await expect(waitingRows(page)).toHaveCount(50);
  await expect(waitingRows(page).first()).toContainText("Pay it?");
  await expect(waitingRows(page).first()).toContainText("Later");
  await page.getByRole("link", { name: "Earlier answers" }).click();
  await expect(waitingRows(page)).toHaveCount(2);
  await page.locator("summary", { hasText: "Filter answers" }).click();
  await page.getByLabel("App", { exact: true }).selectOption(other.name);
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await expect(waitingRows(page)).toHaveCount(1);
  await rowOf(page, "Pay it?").click();
  await expect(page.getByRole("region", { name: "Answer", exact: true })).toContainText("Later");
  await page.reload();
  await expect(page.getByRole("region", { name: "Answer", exact: true })).toContainText("Later");
});

test("responds with 404 for another owner's question", async ({ page, app }) => {
  const id = await app.ask({ question: "Mine alone?" });
  await enter(page, await anOwner());
  const reply = await page.request.get(`/approvals/${id}`);
  expect([reply.status(), (await reply.text()).includes("Mine alone?")]).toEqual([404, false]);
});

test.describe(() => {
  const { userAgent, isMobile, hasTouch, viewport } = devices["Pixel 7"];
  test.use({ userAgent, isMobile, hasTouch, viewport });

  test("shows the question beside the list only in a wide window", async ({ page, app }) => {
    const id = await app.ask({ question: "First?" });
    await app.ask({ question: "Second?" });
    const sent = await (await page.goto("/approvals"))?.text();
    expect(sent?.split("</html>")[0]?.replace(/<script[\s\S]*?<\/script>/g, "")).not.toContain("data-decision");
    await settle(page);
    await expect(page.locator("[data-decision]")).toHaveCount(0);
    await rowOf(page, "First?").tap();
    await expect(theQuestion(page)).toHaveText("First?");
    await settle(page);
    await page.getByRole("button", { name: "Yes" }).tap();
    await expect(theQuestion(page)).toHaveText("Second?");
    await expect(async () => expect((await app.read(id)).status).toBe("resolved")).toPass();
    await page.getByRole("link", { name: "Approvals" }).first().tap();
    await expect(page.locator("[data-decision]")).toHaveCount(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(theQuestion(page)).toHaveText("Second?");
  });
});
