import type { Page } from "@playwright/test";

/**
 * Records the answers that a page sends from now on, so that a test can assert that none is sent.
 */
export function answersSent(page: Page): () => Promise<string[]> {
  const sent: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "POST" && /^\/(acts\/approval\.answer|consent\/)/.test(pathname)) sent.push(pathname);
  });
  return async () => {
    // Waits until the press has been handled and painted.
    for (let frame = 0; frame < 3; frame++)
      await page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done))));
    return sent;
  };
}
