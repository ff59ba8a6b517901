import { env } from "@/lib/config/env";
import { availableChapters, docsPages, docsText, markdownOf } from "./docs-pages";

/** Returns a plain text response that any cache may store. */
export const plainText = (body: string, type = "text/plain", status = 200): Response =>
  new Response(body, {
    status,
    headers: { "content-type": `${type}; charset=utf-8`, "cache-control": "public, max-age=3600", vary: "Accept" },
  });

/** Returns the documentation's index for programs (llmstxt.org). */
export function llmsText(): string {
  const { publicUrl } = env();
  const chapters = availableChapters().map(({ title, pages }) =>
    [
      `## ${title}`,
      "",
      ...pages.map(({ id, title, about }) => `- [${title}](${publicUrl}${markdownOf(id)}): ${about}`),
    ].join("\n"),
  );
  return [
    "# Countersign",
    "> Agents and apps ask their owner before they act. Each question goes to the owner’s inbox. Each question gets at most one answer, and a signed receipt proves the answer.",
    `- Base URL of the API: ${publicUrl}/api/\n- OpenAPI 3.1 description: ${publicUrl}/api/openapi.json\n- OpenAPI 3.0 description: ${publicUrl}/api/openapi-3.0.json\n- MCP server for agents: ${publicUrl}/api/mcp\n- All documentation pages in one file: ${publicUrl}/llms-full.txt`,
    ...chapters,
  ]
    .join("\n\n")
    .concat("\n");
}

/** Returns every page in one text. */
export const llmsFullText = (): string =>
  docsPages()
    .map((page) => docsText(page, "markdown").trim())
    .join("\n\n---\n\n")
    .concat("\n");

/** Returns robots.txt. Crawlers may read only the developer documentation. */
export const robotsText = (): string =>
  ["User-agent: *", "Allow: /docs", "Allow: /llms.txt", "Allow: /llms-full.txt", "Disallow: /", ""].join("\n");
