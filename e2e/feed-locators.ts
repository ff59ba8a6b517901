import type { Page } from "@playwright/test";

/** The rows of the feed, in order. */
export const rows = (page: Page) => page.locator("main li[data-slot]");
export const rowOf = (page: Page, title: string) => rows(page).filter({ hasText: title });
/** The part of a row that opens it and receives the focus. */
export const lineOf = (page: Page, title: string) => rowOf(page, title).locator("summary[data-row]");
export const unread = (page: Page) => rows(page).filter({ has: page.getByText("Unread", { exact: true }) });
