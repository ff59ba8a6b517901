import type { Page } from "@playwright/test";
import { answerLinkPath, makeAnswerLinks } from "@/lib/alerts/answer-link";
import { changeSettings } from "@/lib/owners/settings";
import { expectAccessible, expectClean } from "./axe-checks";
import { expect, test } from "./fixtures";

test("answers a question through a link in an email without a sign-in", { tag: "@touch" }, async ({
  page,
  browser,
  owner,
  app,
}) => {
  const backgroundContext = `| what | how much |\n|---|---|\n| rent | 900 |\n${"\n\nAnd more".repeat(60)}\n\nThe very end`;
  const id = await app.ask({ question: "Pay the rent?", backgroundContext, recommendation: "yes" });
  await changeSettings(owner, { emailAnswers: true, undoSeconds: 30 });
  const { link = "" } = (await makeAnswerLinks(owner.ownerId, [id])).get(id) ?? {};
  const { pathname, search, searchParams } = new URL(link);
  await page.context().clearCookies();

  const opened = await page.goto(pathname + search);
  const headers = opened?.headers() ?? {};
  expect(headers["cache-control"]).toContain("no-store");
  expect(headers["referrer-policy"]).toBe("no-referrer");
  expect(await page.locator("meta[name=robots]").getAttribute("content")).toContain("noindex");
  await expect(page.getByRole("heading", { name: "Pay the rent?" })).toBeVisible();
  // Nothing is collapsed, so the owner can see everything before answering.
  await expect(page.getByText("The very end")).toBeVisible();
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll("main *")]
      .filter((it) => it.scrollHeight > it.clientHeight + 4 && it.clientHeight > 0)
      .map((it) => getComputedStyle(it).overflowY)
      .filter((overflow) => overflow !== "visible"),
  );
  expect(cut).toEqual([]);
  await expectAccessible(page, "a question from an email");
  await page.getByRole("button", { name: "Yes" }).tap();
  const answer = (where: Page) => where.getByRole("region", { name: "Answer", exact: true });
  await expect(answer(page)).toContainText("Answered · Yes");
  await expectClean(page, "an answer from an email");

  const context = await browser.newContext({ javaScriptEnabled: false, hasTouch: true });
  const plain = await context.newPage();
  await plain.goto(pathname + search);
  await answer(plain).getByRole("button", { name: "Undo" }).tap();
  await expect(plain.getByRole("status")).toHaveText("Your answer was undone.");
  await plain.getByRole("button", { name: "No", exact: true }).tap();
  await expect(answer(plain)).toContainText("Answered · No");
  for (const each of [context, page.context()]) expect(await each.cookies()).toEqual([]);

  // An invalid link leads to sign-in, and from there to the question.
  await plain.goto(answerLinkPath(id, `${searchParams.get("token")}0`));
  await expect(plain).toHaveURL(`/sign-in?next=${encodeURIComponent(`/approvals/${id}`)}&unsent=link`);
  await expect(plain.getByText("This link no longer opens the question.")).toBeVisible();
  await context.close();
});
