import Markdown, { type Components } from "react-markdown";
import rehypeSanitize, { type Options } from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { isTooComplex } from "./markdown-complexity";

/** What may stand in an app's text. Everything else falls away, its words stay; HTML is shown as it was typed. */
const allowed: Options = {
  tagNames: [
    ...["p", "strong", "em", "del", "code", "pre", "ul", "ol", "li", "a", "blockquote", "br", "hr"],
    ...["table", "thead", "tbody", "tr", "th", "td", "h3", "h4", "h5", "h6"],
  ],
  attributes: { a: ["href"], ol: ["start"] },
  protocols: { href: ["http", "https"] },
};

type Node = { type: string; tagName?: string; value?: string; properties?: { alt?: unknown }; children?: Node[] };

/**
 * HTML becomes the text it was typed as, a picture its description. An app's headings rank under ours, which end with the
 * question's, and skip no rank.
 * @param over the ranks, as the app gave them, of the headings under which the text stands
 */
function tame(node: Node, over: string[]) {
  if (node.type === "raw") node.type = "text";
  if (node.tagName === "img") Object.assign(node, { type: "text", value: String(node.properties?.alt ?? "") });
  if (/^h[1-6]$/.test(node.tagName ?? "")) {
    const rank = node.tagName ?? "";
    over.splice(over.findIndex((it) => it >= rank) >>> 0, over.length, rank);
    node.tagName = `h${Math.min(2 + over.length, 6)}`;
  }
  for (const child of node.children ?? []) tame(child, over);
}
const taming = () => (tree: Node) => tame(tree, []);

/** A link says where it leads, because its words are the app's; one that leads nowhere on the web is only its words. */
const link: Components["a"] = ({ href, children }) => {
  if (!href || !/^https?:\/\//i.test(href) || !URL.canParse(href)) return <>{children}</>;
  return (
    <a href={href} rel="noopener noreferrer nofollow" target="_blank" className="link">
      {children}
      <bdi className="ms-1 text-muted">({new URL(href).host}, new tab)</bdi>
    </a>
  );
};

const table: Components["table"] = ({ children }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: what scrolls must be reachable by keyboard
  <div role="group" tabIndex={0} aria-label="Table" className="overflow-x-auto">
    <table>{children}</table>
  </div>
);
const pre: Components["pre"] = ({ children }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  <pre tabIndex={0}>{children}</pre>
);

const elements: Components = { a: link, table, pre };

/**
 * An app's Markdown, rendered on the server to a small set of elements: no HTML, no pictures, nothing that loads. Where it
 * would take long or cannot be read, it is shown as it was typed.
 */
export function Background({ text }: { text: string }) {
  const known = rendered.get(text);
  const shown = known ?? (
    <div className="prose" dir="auto">
      {read(text) ?? <p className="whitespace-pre-wrap">{text}</p>}
    </div>
  );
  // The latest to be looked at are the last to go.
  rendered.delete(text);
  rendered.set(text, shown);
  if (!known) size += text.length;
  for (const oldest of rendered.keys()) {
    if (size <= mostKept) break;
    rendered.delete(oldest);
    size -= oldest.length;
  }
  return shown;
}

/**
 * Texts as they look, which is the same whoever reads them. An open page is read again at every news, and its texts take a third
 * of that time; so many characters of them are kept.
 */
const mostKept = 200_000;
const rendered = new Map<string, React.ReactElement>();
let size = 0;

function read(text: string): React.ReactNode {
  if (isTooComplex(text)) return undefined;
  try {
    // Called, not rendered, so that what it throws is caught here.
    return Markdown({
      children: text,
      remarkPlugins: [[remarkGfm, { singleTilde: false }]],
      rehypePlugins: [taming, [rehypeSanitize, allowed]],
      components: elements,
    });
  } catch {
    return undefined;
  }
}
