import type { Page } from "@playwright/test";
import { freePort } from "@/lib/net/free-port";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { startService } from "@/lib/testing/service-process";
import { lineOf } from "./feed-locators";
import { type App, expect, serviceUrl, test } from "./fixtures";
import { live } from "./live-gaps";

/* An open page must show all notifications of a burst from agents, at any timing. */

/** The next pseudorandom number in [0, 1). Each run has the same sequence. */
function numbers(seed: number) {
  let it = seed;
  return () => {
    it = (it * 1_103_515_245 + 12_345) % 2 ** 31;
    return it / 2 ** 31;
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends a notification to one instance, like an app. */
async function push(app: App, origin: string, title: string) {
  const reply = await fetch(`${origin}/api/notifications`, {
    method: "POST",
    headers: { authorization: `Bearer ${app.token}`, "content-type": "application/json" },
    body: JSON.stringify({ title, type: "burst" }),
  });
  expect(reply.status).toBe(201);
}

/**
 * Sends bursts of three notifications, some milliseconds apart, to each instance in turn. @returns
 * the rounds in which the page lacked a notification
 */
async function bursts(page: Page, app: App, rounds: number, origins: string[]): Promise<number[]> {
  const next = numbers(rounds);
  const lacking: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    if (round % 20 === 1) {
      await push(app, serviceUrl(), `Before ${round}.`);
      await page.goto("/notifications");
      await page.waitForLoadState("networkidle");
      // While the owner is in the list, a button counts arrivals and no row moves.
      await lineOf(page, `Before ${round}.`).focus();
    }
    const sent = [1, 2, 3].map(async (nth) => {
      await pause((nth - 1) * Math.floor(next() * 13));
      await push(app, origins[(round + nth) % origins.length] as string, `Burst ${round}, ${nth}.`);
    });
    await Promise.all(sent);
    const button = page.getByRole("button", { name: /^\d+ new/ });
    try {
      await expect(button).toHaveText(/^3 new/, { timeout: 15_000 });
    } catch {
      lacking.push(round);
    }
    await button.click();
    await expect(button).toHaveCount(0);
  }
  return lacking;
}

test("shows every notification from 100 bursts to one instance", { tag: "@more" }, async ({ page, app }) => {
  test.setTimeout(1_800_000);
  expect(await bursts(page, app, 100, [serviceUrl()])).toEqual([]);
});

test("shows every notification from 60 bursts sent to two instances", { tag: "@more" }, async ({ page, app }) => {
  test.setTimeout(900_000);
  const { DATABASE_URL = "", SECRET = "", PUBLIC_URL = "" } = process.env;
  const [dataDir, port] = [newDataDir(), await freePort()];
  const other = await startService({ DATABASE_URL, SECRET, PUBLIC_URL, DATA_DIR: dataDir, PORT: String(port) });
  try {
    expect(await bursts(page, app, 60, [serviceUrl(), `http://127.0.0.1:${port}`])).toEqual([]);
  } finally {
    await other.stop();
    removeDataDir(dataDir);
  }
});

test("shows every question asked while the inbox is opening", { tag: "@more" }, async ({ page, app }) => {
  test.setTimeout(900_000);
  const next = numbers(7);
  const missing: string[] = [];
  for (let round = 1; round <= 60; round++) {
    const opening = page.goto("/approvals?sort=newest");
    await pause(Math.floor(next() * 400));
    const question = `While opening ${round}?`;
    await app.ask({ question });
    await opening;
    const row = page.locator("[data-list] a[data-row]").filter({ hasText: question });
    await row.waitFor({ timeout: 15_000 }).catch(() => missing.push(question));
  }
  await live(page);
  expect(missing).toEqual([]);
});
