import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { asDocs } from "./markdown-transforms";

/** Caches rendered pages by their Markdown text. There are only as many entries as pages. */
const rendered = new Map<string, React.ReactElement>();

/** A documentation page: our own Markdown, rendered and highlighted on the server. */
export function DocsMarkdown({ text }: { text: string }) {
  const known = rendered.get(text) ?? Markdown({ children: text, remarkPlugins: [remarkGfm], rehypePlugins: [asDocs] });
  rendered.set(text, known);
  return known;
}
