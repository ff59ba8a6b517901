import type { Page } from "@playwright/test";

/** Fetches a page's HTML without running scripts. */
export async function sent(page: Page, path: string): Promise<{ status: number; html: string }> {
  const reply = await page.request.get(path);
  const html = (await reply.text()).replace(/<script[\s\S]*?<\/script>|<!--[\s\S]*?-->/g, "");
  return { status: reply.status(), html };
}
