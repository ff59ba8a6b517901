import type { Page } from "@playwright/test";
import { pool } from "@/lib/database/db";
import { expect } from "./fixtures";
import { rowOf } from "./inbox-locators";

/*
 * Helpers for tests of events at unusual moments: during a page read, in a hidden tab, or without a
 * network.
 */

export const live = (page: Page) => expect(page.locator("[data-connection=live]")).toBeAttached();

export const showsQuestion = (page: Page, question: string) => expect(rowOf(page, question)).toBeVisible();

/**
 * Runs `meanwhile` while the layout's last statement waits for a lock, after the page's rows were
 * read.
 * @param begin starts the page read
 */
export async function duringReading(begin: () => unknown, meanwhile: () => Promise<unknown>): Promise<void> {
  const client = await pool().connect();
  const waiting = async () =>
    (await client.query("SELECT FROM pg_locks WHERE relation = 'integration'::regclass AND NOT granted")).rowCount;
  try {
    // Of these pages' statements, only the navigation's count reads linked accounts. The lock is
    // always released before other tests' waiting statements time out.
    await client.query(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = '1500ms';
      LOCK TABLE integration IN ACCESS EXCLUSIVE MODE`);
    const begun = begin();
    await expect.poll(waiting, { intervals: [10] }).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await meanwhile();
    await client.query("COMMIT").catch(() => {});
    await begun;
  } finally {
    client.release(true);
  }
}

/** Holds the page's refreshes until `go` is called. `begun` resolves once a refresh is held. */
export async function holdReadings(page: Page): Promise<{ begun: Promise<unknown>; go: () => void }> {
  let go = () => {};
  const mayGo = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.unroute(/_rsc=/);
  await page.route(/_rsc=/, async (route) => {
    await mayGo;
    await route.continue();
  });
  return { begun: page.waitForRequest(/_rsc=/), go };
}

/** Counts the page's refreshes from now on. */
export function countReadings(page: Page): () => number {
  let readings = 0;
  page.on("request", (request) => {
    if (request.url().includes("_rsc=")) readings++;
  });
  return () => readings;
}

/** Makes the page believe that its tab is hidden, or visible again. */
export const setHidden = (page: Page, hidden: boolean) =>
  page.evaluate((now) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => now });
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => (now ? "hidden" : "visible") });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
