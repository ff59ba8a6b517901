import { type Browser, chromium, type Page } from "@playwright/test";
import { findChromium } from "../find-chromium";
import { formerTitles } from "../upgrades/fill-database";
import type { Run } from "./calls";
import type { PageView } from "./history";
import type { Party, RunningInstance } from "./setup";

/** A page that stays open at one instance. */
type OpenPage = Pick<PageView, "owner" | "page" | "list" | "instance"> & { browserPage: Page };

export type Pages = { watch(isDone: () => boolean): Promise<void>; close(): Promise<void> };

const paths = { inbox: "/approvals?sort=newest", notifications: "/notifications" };
/** How often each page is read, in milliseconds. */
const intervalMs = 700;

/** Opens pages in Chromium, each signed in as an owner. */
export async function openPages(
  { recorder }: Run,
  wanted: { party: Party; list: PageView["list"]; instance: RunningInstance }[],
): Promise<Pages> {
  const executablePath = findChromium();
  const browser: Browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    // By default, Playwright ends this process at the first signal, before the run has cleaned up.
    ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
    // Chromium's sandbox refuses to run as root, which containers usually do.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  const pages: OpenPage[] = [];
  for (const { party, list, instance } of wanted) {
    const context = await browser.newContext();
    await context.addCookies([{ ...party.cookie, url: instance.url }]);
    const browserPage = await context.newPage();
    await browserPage.goto(instance.url + paths[list]);
    recorder.probe(() => browserPage.evaluate(() => 0));
    const page = `${list} of ${party.name} at instance ${instance.number}`;
    pages.push({ owner: party.name, page, list, instance: instance.number, browserPage });
  }
  return {
    watch: async (isDone) => {
      const watching = pages.map(async ({ browserPage, ...page }) => {
        while (!isDone()) {
          const began = recorder.now();
          const shown = await browserPage
            .evaluate(readPage, { list: page.list, titles: formerTitles })
            .catch(() => undefined);
          if (shown) recorder.add({ op: "page", ...page, began, ended: recorder.now(), ...shown });
          await new Promise((resolve) => setTimeout(resolve, intervalMs));
        }
      });
      await Promise.all(watching);
    },
    close: () => browser.close(),
  };
}

/**
 * Runs in the page: reads the number in the title, and the names in the rows. Leaves out questions that
 * stay in the list after their end, with the answer below them.
 * @param titles the titles of the notifications in a release's dump
 */
function readPage({ list, titles }: { list: PageView["list"]; titles: string[] }): { count: number; rows: string[] } {
  const ended = /Go\?(?:By the app: |By default: |You: |Answered: |Expired)/;
  const rows = [...document.querySelectorAll(list === "inbox" ? "[data-list] a[data-row]" : "main li[data-slot]")];
  const texts = rows.map(({ textContent }) => textContent ?? "").filter((text) => !ended.test(text));
  return {
    count: Number(/^\((\d+)\+?\)/.exec(document.title)?.[1] ?? 0),
    rows: texts.map(
      (text) =>
        /[qn]\d+-\d+(?= Go\?| happened)/.exec(text)?.[0] ?? titles.find((it) => text.includes(it)) ?? `"${text}"`,
    ),
  };
}
