import type { Page } from "@playwright/test";
import { pool } from "@/lib/database/db";
import { anApp, expect, serviceUrl, signIn, test } from "./fixtures";
import { rowOf, settle, waitingRows } from "./inbox-locators";
import { live } from "./live-gaps";

const cookies = async (page: Page) =>
  (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");

/** The owner's stream, received by a program. */
async function open(page: Page, headers: Record<string, string> = {}, query = "") {
  const stop = new AbortController();
  const reply = await fetch(`${serviceUrl()}/live${query}`, {
    headers: { cookie: await cookies(page), ...headers },
    signal: stop.signal,
  });
  let said = "";
  let ended = false;
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  void (async () => {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) said += part.value;
  })()
    .catch(() => {})
    .finally(() => {
      ended = true;
    });
  return { reply, said: () => said, ended: () => ended, stop: () => stop.abort() };
}

test("keeps rows in place when twenty questions arrive", async ({ page, app, context }) => {
  await app.ask({ question: "The first?" });
  // The end of the first rows is out of view.
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.goto("/approvals");
  await live(page);
  await settle(page);
  await page.evaluate(() => {
    const window_ = window as typeof window & { shifts?: number };
    window_.shifts = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        window_.shifts = (window_.shifts ?? 0) + (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: "layout-shift" });
  });
  await Promise.all(Array.from({ length: 20 }, (_, at) => app.ask({ question: `Burst ${at}?` })));
  await expect(page.locator("[data-list]").getByText("21 waiting")).toBeVisible();
  await expect(waitingRows(page)).toHaveCount(15);
  await expect(waitingRows(page).first()).toContainText("The first?");
  expect(await page.evaluate(() => (window as typeof window & { shifts?: number }).shifts)).toBeLessThan(0.02);

  // The rest loads on demand, by scrolling or by moving between questions.
  await waitingRows(page).last().scrollIntoViewIfNeeded();
  await expect(waitingRows(page)).toHaveCount(21);
  const lists = page.getByRole("navigation", { name: "Lists" });
  await lists.getByRole("link", { name: "Snoozed" }).click();
  // Otherwise, the next press would return to the list that is still displayed, with its 21 rows.
  await expect(lists.getByRole("link", { name: "Snoozed" })).toHaveAttribute("aria-current", "page");
  await lists.getByRole("link", { name: "Waiting" }).click();
  await expect(waitingRows(page)).toHaveCount(15);
  for (let at = 1; at < 12; at++) {
    await page.keyboard.press("j");
    await expect(waitingRows(page).nth(at)).toHaveAttribute("aria-current", "true");
  }
  await expect(waitingRows(page)).toHaveCount(21);
  await expect(waitingRows(page).nth(11)).toHaveAttribute("aria-current", "true");

  await context.setOffline(true);
  await expect(page.getByText(/^Offline/)).toBeVisible();
  await app.ask({ question: "While you were away?" });
  await context.setOffline(false);
  await live(page);
  await expect(rowOf(page, "While you were away?")).toBeVisible();
});

test("retries an interrupted refresh without losing typed words", async ({ page, app }) => {
  await app.ask({ question: "The first?" });
  await page.goto("/approvals");
  await live(page);
  await page.getByText("Write an answer").click();
  const words = page.getByLabel("Your own answer");
  await words.fill("Half a sen");
  const document = await page.evaluateHandle(() => window.document);
  let broken = 0;
  await page.route(/_rsc=/, (route) => (broken++ === 0 ? route.abort() : route.continue()));
  await app.ask({ question: "The second?" });
  await expect(rowOf(page, "The second?")).toBeVisible();
  expect(broken).toBeGreaterThan(1);
  await expect(words).toHaveValue("Half a sen");
  expect(await page.evaluate((before) => before === window.document, document)).toBe(true);

  // A refresh includes an event that arrives during it.
  await settle(page);
  const told = (waiting: number) => expect(page).toHaveTitle(new RegExp(`^\\(${waiting}\\)`));
  let letGo = () => {};
  const mayGo = new Promise<void>((go) => {
    letGo = go;
  });
  let readings = 0;
  await page.route(/_rsc=/, async (route) => {
    readings++;
    await mayGo;
    await route.continue();
  });
  const begun = page.waitForRequest(/_rsc=/);
  await app.ask({ question: "The third?" });
  await begun;
  await app.ask({ question: "The fourth?" });
  await told(4);
  letGo();
  await expect(rowOf(page, "The fourth?")).toBeVisible();
  await settle(page);
  await app.ask({ question: "The fifth?" });
  await expect(rowOf(page, "The fifth?")).toBeVisible();
  expect(readings).toBe(2);
});

for (const [failure, answer] of [
  ["an error while the server renders the page", { contentType: "text/x-component", body: '0:E{"digest":"1234"}\n' }],
  ["the status 503", { status: 503, body: "Unavailable" }],
] as const)
  test(`keeps the page after ${failure}`, async ({ page, app }) => {
    await page.goto("/approvals");
    await live(page);
    const document = await page.evaluateHandle(() => window.document);
    let failed = 0;
    await page.route(/_rsc=/, (route) => (failed++ < 2 ? route.fulfill(answer) : route.continue()));
    await app.ask({ question: "During a failure?" });
    await expect(rowOf(page, "During a failure?")).toBeVisible();
    expect(failed).toBeGreaterThan(2);
    expect(await page.evaluate((before) => before === window.document, document)).toBe(true);
  });

test("polls the server when the stream is unavailable", async ({ page, app, context }) => {
  await page.route("**/live*", (route) => route.abort());
  await page.clock.install();
  // The first byte of the page already contains this text, so the text doesn't prove a connection
  // attempt.
  const tried = page.waitForEvent("requestfailed", (request) => new URL(request.url()).pathname === "/live");
  await page.goto("/approvals");
  await tried;
  await expect(page.getByText("Reconnecting…")).toBeVisible();
  await app.ask({ question: "By asking?" });
  await page.clock.runFor(21_000);
  await expect(rowOf(page, "By asking?")).toBeVisible();
  await page.clock.runFor(10_000);
  await expect(page.getByText(/This list may be out of date\. Last update:/)).toBeVisible();
  await app.ask({ question: "Missed?" });
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.clock.runFor(1_000);
  await expect(rowOf(page, "Missed?")).toBeVisible();
  // The page also keeps its content while the server is down.
  await context.setOffline(true);
  await page.clock.runFor(65_000);
  await page.waitForTimeout(500);
  await expect(rowOf(page, "By asking?")).toBeVisible();
});

test("shares one stream between two tabs of a browser", async ({ page, app, context }) => {
  const streams: string[] = [];
  context.on("request", (request) => request.url().includes("/live?") && streams.push(request.url()));
  await page.goto("/approvals");
  await live(page);
  const second = await context.newPage();
  await second.goto("/approvals");
  await live(second);
  await app.ask({ question: "To both?" });
  await expect(rowOf(second, "To both?")).toBeVisible();
  expect(streams).toHaveLength(1);
  await page.close();
  await expect(async () => expect(streams).toHaveLength(2)).toPass();
  await app.ask({ question: "To the one left?" });
  await expect(rowOf(second, "To the one left?")).toBeVisible();
});

test("sends only counts over the stream, not question text", async ({ page, owner, app }) => {
  const stream = await open(page, {}, "?after=0");
  expect(stream.reply.headers.get("content-type")).toContain("text/event-stream");
  expect(stream.reply.headers.get("cache-control")).toContain("no-cache");
  expect(stream.reply.headers.get("x-accel-buffering")).toBe("no");
  expect(stream.reply.headers.get("content-encoding")).toBeNull();
  await app.ask({ question: "Secret question?" });
  await expect.poll(stream.said).toContain('data: {"pending":1,"unseen":0}');
  expect(stream.said()).toContain("retry: 2000");
  expect(stream.said()).not.toContain("Secret");
  // News about the owner's own question may follow for a moment.
  let before = -1;
  await expect
    .poll(
      () => {
        const was = before;
        before = stream.said().length;
        return before === was;
      },
      { intervals: [1_000] },
    )
    .toBe(true);
  const { anOwner } = await import("@/lib/testing/factories");
  await (await anApp(await anOwner())).ask({});
  await page.waitForTimeout(300);
  expect(stream.said().length).toBe(before);

  // A change that is reverted between two polls does not change the counts, but an open page may
  // have shown the change.
  const told = () => stream.said().split("event: news").length;
  const times = told();
  await pool().query("SELECT pg_notify('countersign_news', 'elsewhere ' || $1)", [owner.ownerId]);
  await expect.poll(told).toBe(times + 1);

  const id = /id: (\d+)(?!.*id:)/s.exec(stream.said())?.[1] ?? "";
  stream.stop();
  await app.push({});
  const again = await open(page, { "last-event-id": id });
  await expect.poll(again.said).toContain('data: {"pending":1,"unseen":1}');
  again.stop();
  expect(owner.ownerId).toBeTruthy();
});

test("limits each signed-in owner to ten concurrent streams", async ({ page, owner, app }) => {
  expect((await fetch(`${serviceUrl()}/live`)).status).toBe(401);
  // The page's own stream would count toward the limit of ten.
  await page.goto("about:blank");
  let ten: Awaited<ReturnType<typeof open>>[] = [];
  await expect(async () => {
    ten = await Promise.all(Array.from({ length: 10 }, () => open(page)));
    const statuses = ten.map(({ reply }) => reply.status);
    if (statuses.includes(429)) for (const stream of ten) stream.stop();
    expect(statuses).toEqual(Array(10).fill(200));
  }).toPass();
  const eleventh = await open(page);
  expect(eleventh.reply.status).toBe(429);
  expect(Number(eleventh.reply.headers.get("retry-after"))).toBeGreaterThan(0);
  ten[0]?.stop();
  await expect(async () => {
    const one = await open(page);
    one.stop();
    expect(one.reply.status).toBe(200);
  }).toPass();
  const { signOutEverywhere } = await import("@/lib/owners/owners");
  await signOutEverywhere(owner);
  await app.ask({});
  await expect(async () => expect(ten.slice(1).every((stream) => stream.ended())).toBe(true)).toPass();
  expect((await open(page)).reply.status).toBe(401);
  await signIn(page, owner);
});

test("announces each new question even if the announcement's text repeats", { tag: "@more" }, async ({ page, app }) => {
  await page.goto("/settings");
  await live(page);
  const said = () => page.locator("p[data-owner]").textContent();
  const resolve = (id: string) => app.call(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" });
  const first = await app.ask({});
  await expect.poll(said).toBe("1 new question, 1 waiting");
  await resolve(first);
  // The page may not have refreshed without the first approval, and then sees no new one.
  await expect(async () => {
    await expect(page.locator("[data-waiting]")).toHaveCount(0);
    const next = await app.ask({});
    await expect
      .poll(said, { timeout: 8000 })
      .toBe("1 new question, 1 waiting\u00a0")
      .finally(() => resolve(next));
  }).toPass();
});
