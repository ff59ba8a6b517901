import { plainText } from "@/lib/api/docs/plain-text";
import { docsPage, docsText } from "@/lib/api/docs/text";

/** A page as Markdown: `/docs/webhooks.md`, or `/docs/webhooks` for who prefers that (next.config.js). */
export async function GET(_: Request, { params }: { params: Promise<{ page: string }> }): Promise<Response> {
  const page = docsPage((await params).page);
  return page
    ? plainText(docsText(page, "markdown"), "text/markdown")
    : plainText("There is no such page.\n", "text/plain", 404);
}
