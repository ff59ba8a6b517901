import { slug } from "@/lib/text/slug";
import { pathOfPage } from "./chapters";
import { docsPages, docsText } from "./docs-pages";
import type { DocsPage } from "./page-definition";

type FoundSection = { href: string; page: string; heading: string; text: string };

/**
 * Returns a page's headings for its table of contents. The reference page also lists each endpoint.
 */
export const headingsOf = (page: DocsPage): { href: string; title: string }[] =>
  sectionsOf(page)
    .filter(({ level }) => level === 2 || (level === 3 && page.id === "reference"))
    .map(({ heading, id }) => ({ href: `#${id}`, title: heading }));

/** Returns every section that readers can search. */
export const allSections = (): FoundSection[] =>
  docsPages().flatMap((page) =>
    sectionsOf(page).map(({ level, id, heading, text }) => ({
      href: level === 1 ? pathOfPage(page.id) : `${pathOfPage(page.id)}#${id}`,
      page: page.title,
      heading: level === 1 ? page.title : heading,
      text,
    })),
  );

type Part = { level: number; id: string; heading: string; text: string };

function sectionsOf(page: DocsPage): Part[] {
  const parts: Part[] = [];
  const taken = new Set<string>();
  let code = false;
  for (const line of docsText(page).split("\n")) {
    if (/^ *```/.test(line)) code = !code;
    const heading = code ? null : /^(#{1,4}) (.*?)(?: \{#([\w-]+)\})?$/.exec(line);
    const [, marks = "", words = "", anchor] = heading ?? [];
    if (!heading) {
      const last = parts.at(-1);
      if (last) last.text += ` ${plain(line)}`;
      continue;
    }
    const title = unmarked(words);
    const id = anchor ?? slug(title, taken);
    taken.add(id);
    parts.push({ level: marks.length, id, heading: title, text: "" });
  }
  return parts.map((part) => ({ ...part, text: part.text.replace(/\s+/g, " ").trim() }));
}

/** Returns a line without list, table or block markup. */
const plain = (line: string) =>
  unmarked(line.replace(/^ *(```.*|[-*] |\d+\. |\|[-|: ]+\|$|<\/?(details|summary).*)/, ""));

/** Returns text without Markdown markup. */
const unmarked = (words: string) =>
  words
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    .replaceAll("|", " ")
    .trim();
