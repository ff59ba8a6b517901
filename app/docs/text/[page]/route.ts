import { docsPage, docsText } from "@/lib/api/docs/docs-pages";
import { plainText } from "@/lib/api/docs/llms-and-robots";

/**
 * Serves a documentation page as Markdown, at `/docs/webhooks.md` or at `/docs/webhooks` with an
 * Accept header (next.config.js).
 */
export async function GET(_: Request, { params }: { params: Promise<{ page: string }> }): Promise<Response> {
  const page = docsPage((await params).page);
  return page
    ? plainText(docsText(page, "markdown"), "text/markdown")
    : plainText("Page not found.\n", "text/plain", 404);
}
