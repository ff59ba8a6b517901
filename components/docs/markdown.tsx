import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { asDocs } from "./tree";

/** Pages as they look, which is the same for everybody: each by its text, of which there are as many as pages. */
const rendered = new Map<string, React.ReactElement>();

/** A page of the documentation: our own Markdown, rendered and its code coloured on the server. */
export function DocsMarkdown({ text }: { text: string }) {
  const known = rendered.get(text) ?? Markdown({ children: text, remarkPlugins: [remarkGfm], rehypePlugins: [asDocs] });
  rendered.set(text, known);
  return known;
}
