import Markdown, { type Components } from "react-markdown";
import rehypeSanitize, { type Options } from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { isTooComplex } from "./markdown-complexity";

/**
 * Elements allowed in an app's text. Other elements are removed but their text remains. HTML is
 * shown as typed.
 */
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
 * Replaces HTML with text, and a picture with its description. An app's headings rank directly
 * below our last heading, without gaps.
 * @param over the original ranks of the headings that enclose the node
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

/**
 * A link shows its host, because the app chose the link text. A link to anything but an http or
 * https URL becomes plain text.
 */
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
  // biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: scrollable content must be reachable by keyboard
  <div role="group" tabIndex={0} aria-label="Table" className="overflow-x-auto">
    <table>{children}</table>
  </div>
);
const pre: Components["pre"] = ({ children }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
  <pre tabIndex={0}>{children}</pre>
);

const elements: Components = { a: link, table, pre };

/**
 * Renders an app's Markdown on the server to a small set of elements, without HTML, pictures or
 * other resources. Text that is too complex or invalid is shown as typed.
 */
export function AppMarkdown({ text }: { text: string }) {
  const known = rendered.get(text);
  const shown = known ?? (
    <div className="prose" dir="auto">
      {read(text) ?? <p className="whitespace-pre-wrap">{text}</p>}
    </div>
  );
  // Keeps the map in order of use, least recently used first.
  rendered.delete(text);
  rendered.set(text, shown);
  if (!known) size += text.length;
  for (const oldest of rendered.keys()) {
    if (size <= maxCachedLength) break;
    rendered.delete(oldest);
    size -= oldest.length;
  }
  return shown;
}

/**
 * A cache of rendered texts, limited by characters, so that refreshes of open pages are faster. The
 * rendered texts are the same for everyone.
 */
const maxCachedLength = 200_000;
const rendered = new Map<string, React.ReactElement>();
let size = 0;

function read(text: string): React.ReactNode {
  if (isTooComplex(text)) return undefined;
  try {
    // Called as a function, so that exceptions are caught here.
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
