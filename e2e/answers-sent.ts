import type { Page } from "@playwright/test";

/** The answers that a page has sent from now on, as far as they are on their way. Asked for when nothing is to have been sent. */
export function answersSent(page: Page): () => Promise<string[]> {
  const sent: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "POST" && /^\/(acts\/approval\.answer|consent\/)/.test(pathname)) sent.push(pathname);
  });
  return async () => {
    // What was pressed has been dealt with, and what came of it been painted, whenever that is.
    for (let frame = 0; frame < 3; frame++)
      await page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done))));
    return sent;
  };
}
