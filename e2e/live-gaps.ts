import type { Page } from "@playwright/test";
import { pool } from "@/lib/db";
import { rows as feedRows } from "./feed";
import { type App, expect } from "./fixtures";
import { rowOf } from "./inbox";

/* Helpers for tests of what arrives in the gaps: while a page is being read, while it is hidden, while there is no network. */

export const live = (page: Page) => expect(page.getByText("Live", { exact: true })).toBeVisible();

/** The two pages with live rows: how something arrives there, and where it shows. */
export const places = {
  approvals: {
    path: "/approvals",
    send: (app: App, title: string) => app.ask({ question: title }),
    row: rowOf,
  },
  notifications: {
    path: "/notifications",
    send: (app: App, title: string) => app.push({ title }),
    row: (page: Page, title: string) => feedRows(page).filter({ hasText: title }),
  },
} as const;

/**
 * Runs `meanwhile` while the layout's last statement waits for a lock, long after the page's rows were read.
 * @param begin makes the page be read
 */
export async function duringReading(begin: () => unknown, meanwhile: () => Promise<unknown>): Promise<void> {
  const client = await pool().connect();
  const waiting = async () =>
    (await client.query("SELECT FROM pg_locks WHERE relation = 'integration'::regclass AND NOT granted")).rowCount;
  try {
    // The only statement of these pages that reads linked accounts is the one that counts what the navigation shows.
    await client.query("BEGIN; LOCK TABLE integration IN ACCESS EXCLUSIVE MODE");
    const begun = begin();
    await expect.poll(waiting, { intervals: [10] }).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await meanwhile();
    await client.query("COMMIT");
    await begun;
  } finally {
    // Closed, so that the lock is gone whatever happened.
    client.release(true);
  }
}

/** Has the page believe that its tab is in the background, or in view again. */
export const setHidden = (page: Page, hidden: boolean) =>
  page.evaluate((now) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => now });
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => (now ? "hidden" : "visible") });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
