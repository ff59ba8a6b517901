import { type App, expect, serviceUrl, test } from "../../e2e/fixtures";
import { settle, theQuestion } from "../../e2e/inbox";
import { quantile, rounded, table } from "./table";
import { clickYes, now } from "./timed-click";

const rounds = Number(process.env.ROUNDS ?? 200);

test("measures the delay of a question and its answer", async ({ page, app }) => {
  const visible: number[] = [];
  const resolved: number[] = [];
  await page.goto("/approvals");
  await expect(page.locator("[data-connection=live]")).toBeAttached();
  await settle(page);
  for (let round = 0; round < rounds; round++) {
    const question = `Round ${round}: ship it?`;
    const seen = page.evaluate(whenSeen, question);
    const asked = now();
    const id = await app.ask({ question });
    visible.push((await seen) - asked);
    await expect(theQuestion(page)).toHaveText(question);
    await settle(page);
    const clicked = page.evaluate(clickYes);
    const told = untilResolved(app, id);
    resolved.push((await told) - (await clicked));
    // Waits until the page has finished the reads that the answer caused.
    await page.waitForTimeout(400);
  }
  table(
    `Latency in ms, ${rounds} rounds`,
    ["", "p50", "p95", "worst"],
    [
      ["POST → row visible in an open tab", ...spread(visible)],
      ["click → resolved, by GET", ...spread(resolved)],
    ],
  );
});

test("measures key response times and layout shifts", async ({ page, app }) => {
  for (let at = 0; at < 30; at++) await app.ask({ question: `Question ${at}?` });
  const devtools = await page.context().newCDPSession(page);
  await page.goto("/approvals");
  await settle(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.evaluate(watchEvents);
  const rows: (string | number)[][] = [];
  const press = async (what: string, key: string, times: number) => {
    await page.evaluate(() => Reflect.set(window, "felt", []));
    for (let at = 0; at < times; at++) {
      await settle(page);
      await page.keyboard.press(key);
      await page.waitForTimeout(700);
    }
    const felt = await page.evaluate(() => Reflect.get(window, "felt") as number[]);
    rows.push([what, felt.length, rounded(quantile(felt, 0.5)), rounded(Math.max(...felt))]);
  };
  await press("j", "j", 10);
  await press("1 (answer)", "1", 10);
  await press("u (undo)", "u", 10);
  await page.goto("/notifications");
  for (let at = 0; at < 12; at++) await app.push({ title: `Note ${at}` });
  await page.reload();
  await settle(page);
  await page.evaluate(watchEvents);
  await press("e (notifications)", "e", 10);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  table("Event to next paint at 4× CPU, ms", ["key", "n", "median", "worst"], rows);

  const shifts: (string | number)[][] = [];
  for (const [path, arrive] of [
    ["/approvals", (at: number) => app.ask({ question: `Arrival ${at}?` })],
    ["/notifications", (at: number) => app.push({ title: `Arrival ${at}` })],
  ] as const) {
    await page.goto(path);
    await settle(page);
    await page.evaluate(watchShifts);
    for (let at = 0; at < 20; at++) {
      await arrive(at);
      await page.waitForTimeout(100);
    }
    await page.waitForTimeout(2000);
    shifts.push([path, await page.evaluate(() => Reflect.get(window, "shifted") as number)]);
  }
  table("Layout shift through 20 live arrivals", ["page", "CLS"], shifts);
});

const spread = (values: number[]) => [quantile(values, 0.5), quantile(values, 0.95), Math.max(...values)].map(rounded);

/** Runs in the page: the time when a row with these words is painted. */
const whenSeen = (words: string) =>
  new Promise<number>((resolve) => {
    const look = () => {
      const row = [...document.querySelectorAll("[data-list] a[data-row]")].find((it) =>
        it.textContent?.includes(words),
      );
      if (!row) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now())));
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    look();
  });

async function untilResolved(app: App, id: string): Promise<number> {
  for (;;) {
    const reply = await fetch(`${serviceUrl()}/api/approvals/${id}`, {
      headers: { authorization: `Bearer ${app.token}` },
    });
    if (((await reply.json()) as { status: string }).status === "resolved") return now();
    await new Promise((again) => setTimeout(again, 2));
  }
}

const watchEvents = () => {
  Reflect.set(window, "felt", []);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (entry.name === "keydown") (Reflect.get(window, "felt") as number[]).push(entry.duration);
  }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
};

const watchShifts = () => {
  Reflect.set(window, "shifted", 0);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      Reflect.set(
        window,
        "shifted",
        Reflect.get(window, "shifted") + (entry as PerformanceEntry & { value: number }).value,
      );
  }).observe({ type: "layout-shift" });
};
