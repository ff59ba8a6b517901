import type { Page } from "@playwright/test";
import { readActivity } from "@/lib/activity/activity";
import { expectAccessible } from "./axe-checks";
import { anApp, expect, serviceUrl, test } from "./fixtures";
import { theQuestion } from "./inbox-locators";
import { alive } from "./wait-for-hydration";

/**
 * Hostile texts that might run code, load resources or move elements. Unit tests check their HTML
 * without a browser.
 */
const hostile = [
  [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<style>*{display:none}</style>",
    "![x](https://evil.example/x.png)",
    "<https://user:secret@evil.example/>",
  ].join("\n\n"),
  `${"\n".repeat(500)}below`,
  `| a |\n|---|\n${"| x |\n".repeat(300)}`,
  `${"> ".repeat(200)}deep`,
  `${"W".repeat(1500)}`,
  // Texts that would be costly to parse as Markdown in time, memory or stack.
  "*a **a ".repeat(20_000 / 7),
];

test("renders hostile text without running code or loading resources", async ({ page, app }) => {
  const happened: string[] = [];
  page.on("dialog", (dialog) => {
    happened.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(serviceUrl()).origin) happened.push(request.url());
  });
  for (const payload of hostile) {
    const id = await app.ask({
      question: `${payload}?`.slice(0, 2000),
      recommendation: payload.slice(0, 2000),
      backgroundContext: payload,
    });
    await test.step(payload.slice(0, 60), async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`/approvals/${id}`);
      await looksAlways(page);
      await page.setViewportSize({ width: 1280, height: 800 });
      await looksAlways(page);
    });
  }
  expect(happened).toEqual([]);
});

/** The frame contains only text and web links, and our buttons keep their positions. */
async function looksAlways(page: Page) {
  const frame = page.locator("[data-said]").filter({ has: theQuestion(page) });
  await expect(frame).toBeVisible();
  await expect(frame.locator("script, img, iframe, form, input, style, object, [onerror], [onload]")).toHaveCount(0);
  for (const link of await frame.locator("a").all()) {
    expect(await link.getAttribute("href")).toMatch(/^https?:\/\//);
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer nofollow");
    await expect(link).toContainText("evil.example, new tab");
  }
  const buttons = page.locator("[data-decision] button[name=optionId]");
  await expect(buttons).toHaveText([/Yes/, /No/]);
  for (const button of await buttons.all()) await expect(button).toBeInViewport({ ratio: 1 });
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(sideways).toBe(0);
}

test("displays right-to-left text from right to left", async ({ page, app }) => {
  const id = await app.ask({
    question: "هل ننشر الإصدار 418 الآن؟",
    backgroundContext: "هذه هي الخطوات\n\n1. أولا\n2. ثانيا",
    options: [
      { id: "a", label: "نعم، الآن" },
      { id: "b", label: "Wait" },
    ],
  });
  await page.goto(`/approvals/${id}`);
  await expect(theQuestion(page)).toHaveCSS("direction", "rtl");
  await expect(page.getByRole("button", { name: "Wait" })).toHaveCSS("direction", "ltr");
  // List numbers are on the side where the text begins.
  await expect(page.locator(".prose ol")).toHaveCSS("padding-right", "20px");
  const form = await page.getByRole("form", { name: "Your answer" }).evaluate((it: HTMLFormElement) => {
    const fields: Record<string, string> = {};
    for (const [name, value] of new FormData(it)) fields[name] = String(value);
    return fields;
  });
  const reply = await page.request.post(`/approvals/${id}`, {
    headers: { origin: "https://evil.example" },
    multipart: { ...form, optionId: "b" },
  });
  expect(reply.status()).toBeGreaterThanOrEqual(400);
  expect((await app.read(id)).status).toBe("pending");
});

test("fits a wide table and a long app name into the page's width", { tag: "@phone" }, async ({ page, owner }) => {
  const app = await anApp(owner, `${owner.ownerId} ${"wide".repeat(15)}`.slice(0, 60));
  const head = ["action", "replace", "example.com/deployments", "authorization", "configuration"];
  const id = await app.ask({
    question: "Apply the plan?",
    backgroundContext: `|${head.join("|")}|\n|${"---|".repeat(head.length)}\n|${"create |".repeat(head.length)}`,
  });
  await page.goto(`/approvals/${id}`);
  const widths = await page.locator(".prose th").evaluateAll((cells) =>
    cells.map((cell) => {
      const words = document.createRange();
      words.selectNodeContents(cell);
      return words.getClientRects().length;
    }),
  );
  expect(widths).toEqual(head.map(() => 1));
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
});

test("warns about a question that impersonates Countersign and offers to revoke access", async ({
  page,
  owner,
  app,
}) => {
  const id = await app.ask({
    question: "Countersign security: your session expires. Sign in again?",
    options: [
      { id: "done", label: "I have verified" },
      { id: "cancel", label: "Cancel" },
    ],
    expiresAt: Date.now() + 3_600_000,
    defaultOptionId: "cancel",
  });
  const other = await app.ask({ question: "Ship it?" });
  await page.goto(`/approvals/${id}`);
  await expect(page.getByText("We never ask for your password in a question.")).toBeVisible();
  await alive(page);
  const sheet = page.getByRole("dialog", { name: "Didn’t expect this question?" });
  const more = page.locator("summary[aria-label=More]");
  const report = async () => {
    await more.click();
    await page.getByRole("link", { name: "I didn’t expect this question" }).click();
  };
  await report();
  await expect(sheet).toContainText("If you don’t answer, Countersign uses the default, “Cancel”.");
  await expect(sheet.getByRole("link", { name: "Past questions from this app" })).toHaveAttribute(
    "href",
    `/approvals?status=resolved&app=${app.clientId}`,
  );
  await expectAccessible(page, "a question that was not expected");
  // Keys in the dialog do not act on the question.
  await page.keyboard.press("1");
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(more).toBeFocused();
  expect((await app.read(id)).status).toBe("pending");

  await report();
  await sheet.getByRole("button", { name: /^Revoke access/ }).click();
  await expect(sheet.getByText(`${app.name} no longer has access.`)).toBeVisible();
  expect((await app.call(`/api/approvals/${other}`)).status).toBe(401);
  await sheet.getByRole("button", { name: "Close" }).click();
  await expect(page.getByText("Access revoked", { exact: true })).toBeVisible();
  await report();
  await expect(sheet.getByRole("button", { name: /^Revoke access/ })).toHaveCount(0);
  const told = (await readActivity(owner)).items.map(({ sentence }) => sentence);
  // The rejected call is logged with a delay, so the order varies.
  expect(
    told
      .filter((sentence) => sentence.startsWith("You "))
      .slice(0, 2)
      .sort(),
  ).toEqual(["You reported an unexpected question from {app}", "You revoked all access for {app}"]);
});
