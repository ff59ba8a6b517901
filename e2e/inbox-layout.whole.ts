import type { Page } from "@playwright/test";
import { answerApproval } from "@/lib/testing/answer-approval";
import { type App, anApp, expect, type Owner, test } from "./fixtures";
import { rowOf, settle, waitingRows } from "./inbox-locators";
import { live } from "./live-gaps";

const hour = 60 * 60 * 1000;

/** Twelve questions from four apps: one due soon, one high-risk, and five more from one app. */
async function askTwelve(owner: Owner, desk: App): Promise<void> {
  const [mail, plans, house] = [await anApp(owner), await anApp(owner), await anApp(owner)];
  await mail.ask({ question: "Reply to Noor that Thursday 10:00 works?", expiresAt: Date.now() + 2 * hour });
  await desk.ask({ question: "Deploy version 4.2.0 to production?", recommendation: "yes" });
  await desk.ask({ question: "Delete 312 GB of build artifacts?", risk: "high", recommendation: "no" });
  await mail.ask({ question: "Unsubscribe from “Weekly Gadget Deals”?" });
  await plans.ask({ question: "Continue the autumn campaign?", recommendation: "yes" });
  await house.ask({ question: "May the heating engineer come in while you are away?" });
  await house.ask({ question: "Pay invoice 2026-117 to Stadtwerke?", recommendation: "yes" });
  await mail.ask({ question: "Accept the invitation from Bücherfreunde?" });
  for (const build of [417, 418, 419, 420]) await desk.ask({ question: `Delete build ${build}?` });
}

/** The controls and text in the page's content. */
const contentOf = (page: Page) =>
  page.locator("main").evaluate((main) => {
    const controls = [...main.querySelectorAll("a[href], button, input:not([type=hidden]), select, summary, textarea")];
    const isShown = (it: Element) => {
      const { width, height } = it.getBoundingClientRect();
      return width > 1 && height > 1 && it.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    };
    return {
      controls: controls.filter(isShown).length,
      words: (main as HTMLElement).innerText.split(/\s+/).filter(Boolean).length,
    };
  });

test("shows twelve questions with at most 34 controls and 240 words", async ({ page, owner, app }) => {
  await askTwelve(owner, app);
  await page.goto("/approvals");
  await live(page);
  await settle(page);
  const { controls, words } = await contentOf(page);
  expect(controls).toBeLessThanOrEqual(34);
  expect(words).toBeLessThanOrEqual(240);
  expect((await waitingRows(page).first().boundingBox())?.y).toBeLessThanOrEqual(150);
});

test("lists urgent and high-risk questions first", async ({ page, owner, app }) => {
  await askTwelve(owner, app);
  await page.goto("/approvals");
  await settle(page);
  const list = page.locator("[data-list]");
  await expect(list.getByRole("heading", { level: 2 })).toHaveText(["Due soon", "High risk", "Today"]);
  await expect(waitingRows(page).nth(0)).toContainText("Reply to Noor");
  await expect(waitingRows(page).nth(0)).toContainText(/1 h left|2 h left/);
  await expect(waitingRows(page).nth(1)).toContainText("Delete 312 GB");
  await expect(waitingRows(page).nth(1)).toContainText("High risk");
  await expect(rowOf(page, "Deploy version")).toContainText(`${app.name} suggests Yes`);
  await expect(list).not.toContainText(/\d options?\b/);

  const group = list.locator("summary").filter({ hasText: `4 more from ${app.name}` });
  await expect(group).toContainText("Same options · answer together");
  await expect(rowOf(page, "Delete build 417?")).toBeHidden();
  await group.click();
  await expect(rowOf(page, "Delete build 417?")).toBeVisible();
  await list.getByRole("button", { name: `Answer all 4 together… from ${app.name}` }).click();
  const dialog = page.getByRole("dialog", { name: "One answer for 4 questions" });
  await expect(dialog.getByRole("listitem")).toHaveText([/417/, /418/, /419/, /420/]);
  await dialog.getByRole("button", { name: "No", exact: true }).click();
  await dialog.getByRole("button", { name: "Answer 4 questions with “No”" }).click();
  await expect(group).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Approvals" }).getByText("8 waiting", { exact: true })).toBeVisible();
});

test("opens the search and the filters with icon buttons", { tag: "@more" }, async ({ page, owner, app }) => {
  const other = await anApp(owner);
  await app.ask({ question: "First?" });
  await other.ask({ question: "Second?" });
  await page.goto("/approvals");
  await settle(page);
  const box = page.getByRole("searchbox", { name: "Search questions" });
  await expect(box).toBeHidden();
  await page.locator("summary").filter({ hasText: "Search questions" }).click();
  await expect(box).toBeVisible();
  await page.reload();
  await settle(page);
  await page.keyboard.press("/");
  await expect(box).toBeFocused();
  await page.keyboard.type("second");
  await expect(waitingRows(page)).toHaveText([/Second\?/]);
  await expect(rowOf(page, "Second?").locator("mark")).toHaveText("Second");
  await page.getByRole("link", { name: "Clear the search" }).click();
  await expect(waitingRows(page)).toHaveCount(2);
  await page.locator("summary").filter({ hasText: "Filter" }).click();
  await page.getByRole("navigation", { name: "Filters" }).getByRole("link", { name: app.name }).click();
  await expect(waitingRows(page)).toHaveText([/First\?/]);
});

test("names every main page in the navigation", { tag: "@phone" }, async ({ page, owner: _ }) => {
  await page.goto("/approvals");
  await settle(page);
  const names = ["Approvals", "Notifications", "Integrations", "Apps", "Activity", "Settings"];
  const nav = page.getByRole("navigation", { name: "Main" });
  if ((page.viewportSize()?.width ?? 0) < 640) await nav.getByText("More").click();
  for (const name of names) await expect(nav.getByText(name, { exact: true })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("heading", { level: 1, name: "Approvals" })).toBeVisible();
});

test("shows green only in the mark until the owner answers", { tag: "@phone" }, async ({ page, owner, app }) => {
  await askTwelve(owner, app);
  await page.goto("/approvals");
  await settle(page);
  /** The visible elements with a green color of the theme. */
  const green = () =>
    page.locator("body *").evaluateAll((all) => {
      const probe = document.body.appendChild(document.createElement("i"));
      const greens = ["yes", "yes-soft"].map((name) => {
        probe.style.color = `var(--color-${name})`;
        return getComputedStyle(probe).color;
      });
      probe.remove();
      return all.flatMap((it) => {
        const { color, backgroundColor, borderTopColor, fill, stroke } = getComputedStyle(it);
        const isGreen = [color, backgroundColor, borderTopColor, fill, stroke].some((one) => greens.includes(one));
        return isGreen && it.checkVisibility({ visibilityProperty: true }) ? [it.tagName] : [];
      });
    });
  const alone = (page.viewportSize()?.width ?? 0) < 640;
  await expect.poll(green).toEqual(alone ? [] : ["rect"]);
  await rowOf(page, "Unsubscribe").click();
  await settle(page);
  expect(await green()).toEqual(alone ? [] : ["rect"]);
  const id = await app.ask({ question: "Ship it?" });
  await answerApproval({ kind: "owner", ownerId: owner.ownerId }, id, { kind: "option", optionId: "yes" });
  await page.goto(`/approvals/${id}?status=resolved`);
  await expect(page.getByRole("region", { name: "Answer", exact: true })).toBeVisible();
  expect(await green()).toContain("SECTION");
});

test.describe(() => {
  test.use({ contextOptions: { reducedMotion: "no-preference" } });

  test("uses one transition time and three named animations", async ({ page, app }) => {
    const id = await app.ask({ question: "First?" });
    const transitions = new Set<string>();
    const names = new Set<string>();
    for (const path of [`/approvals/${id}`, "/notifications", `/apps/${app.clientId}`, "/settings/answering"]) {
      await page.goto(path);
      const found = await page.evaluate(() => {
        const rulesIn = (rules: CSSRuleList): string[] =>
          [...rules].flatMap((rule) =>
            rule instanceof CSSKeyframesRule
              ? [rule.name]
              : "cssRules" in rule
                ? rulesIn(rule.cssRules as CSSRuleList)
                : [],
          );
        const moving = [...document.querySelectorAll("body *")].flatMap((it) => {
          const { transitionDuration, transitionTimingFunction: easing } = getComputedStyle(it);
          return transitionDuration === "0s" ? [] : [`${transitionDuration} ${easing}`];
        });
        return { moving, named: [...document.styleSheets].flatMap((sheet) => rulesIn(sheet.cssRules)) };
      });
      for (const it of found.moving) transitions.add(it);
      for (const it of found.named) names.add(it);
    }
    expect([...transitions]).toEqual(["0.18s ease-out"]);
    expect([...names].sort()).toEqual(["arming", "breath", "drawn"]);
  });

  test("animates the rows that move up after an answered row leaves", { tag: "@more" }, async ({ page, app }) => {
    for (const question of ["First?", "Second?", "Third?"]) await app.ask({ question });
    await page.goto("/approvals");
    await settle(page);
    const height = (await rowOf(page, "First?").boundingBox())?.height ?? 0;
    const moves = page.evaluate(() => {
      const row = [...document.querySelectorAll("a[data-row]")].find((it) => it.textContent?.includes("Second?"));
      const tops: number[] = [];
      return new Promise<number[]>((done) => {
        const look = () => {
          const top = row?.getBoundingClientRect().top ?? Number.NaN;
          if (top !== tops.at(-1)) tops.push(top);
          const isOver = tops.length > 1 && !document.querySelector("li[inert]");
          if (isOver) done(tops);
          else requestAnimationFrame(look);
        };
        look();
      });
    });
    await page.getByRole("button", { name: "Yes" }).click();
    const tops = await moves;
    expect(tops).toEqual([...tops].sort((a, b) => b - a));
    expect((tops[0] ?? 0) - (tops.at(-1) ?? 0)).toBeCloseTo(height, 0);
  });
});

test("sorts arrivals into sections only while a question covers the list", { tag: "@phone" }, async ({
  page,
  owner,
  app,
}) => {
  const phone = (page.viewportSize()?.width ?? 0) < 1000;
  await app.ask({ question: "First?" });
  await page.goto("/approvals");
  await live(page);
  await settle(page);
  await (await anApp(owner)).ask({ question: "Urgent?", expiresAt: Date.now() + 2 * hour });
  const headings = page.locator("[data-list]").getByRole("heading", { level: 2 });
  // No row moves.
  await expect(headings).toHaveText(["Today", "New since you opened this list"]);
  await expect(waitingRows(page)).toHaveText([/First/, /Urgent/]);
  await rowOf(page, "First?").click();
  if (phone) await page.getByRole("link", { name: "Approvals", exact: true }).first().click();
  await expect(headings).toHaveText(phone ? ["Due soon", "Today"] : ["Today", "New since you opened this list"]);
});
