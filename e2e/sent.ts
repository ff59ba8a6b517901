import type { Page } from "@playwright/test";

/** What the service sends for a page's address, as one without scripts would show it, which is all that some tests are about. */
export async function sent(page: Page, path: string): Promise<{ status: number; html: string }> {
  const reply = await page.request.get(path);
  const html = (await reply.text()).replace(/<script[\s\S]*?<\/script>|<!--[\s\S]*?-->/g, "");
  return { status: reply.status(), html };
}
