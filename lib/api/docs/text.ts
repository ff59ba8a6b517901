import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, normalize } from "node:path";
import { env } from "@/lib/config/env";
import { type DocsChapter, docsChapters, pathOfPage } from "./chapters";
import { generatedBlocks } from "./generated-blocks";
import type { DocsPage } from "./page-definition";

/** A file of the checkout. */
const inCheckout = (path: string) => join(/* turbopackIgnore: true */ process.cwd(), path);
const read = (path: string) => readFileSync(inCheckout(path), "utf8");
const isThere = ({ file }: DocsPage) => file === undefined || existsSync(inCheckout(file));

const operatorFiles = "docs/operations";

/**
 * A configuration file for another program that operator pages link to, like `alerts.yml`.
 * @returns its text, or undefined if there is no such file
 */
export const operatorFile = (name: string): string | undefined =>
  /^[\w-]+\.(?!md$)\w+$/.test(name) && existsSync(inCheckout(`${operatorFiles}/${name}`))
    ? read(`${operatorFiles}/${name}`)
    : undefined;

/** The chapters available here. */
export const availableChapters = (): DocsChapter[] =>
  docsChapters.map(({ title, pages }) => ({ title, pages: pages.filter(isThere) }));

/** Every page in one list. */
export const docsPages = (): DocsPage[] => availableChapters().flatMap(({ pages }) => pages);

/** A page by its id; the first page by default. */
export const docsPage = (id = "quick-start"): DocsPage | undefined => docsPages().find((page) => page.id === id);

/**
 * A page's Markdown for its reader, with this service's URL, included files, derived blocks, and
 * links to pages here.
 * @param as the reader: links lead a browser to pages, and a program to their Markdown
 */
export function docsText({ id, title, file }: DocsPage, as: "page" | "markdown" = "page"): string {
  const { publicUrl } = env();
  const text = file === undefined ? (generatedBlocks[id]?.() ?? "") : read(file);
  const whole = text
    // All package pages are titled alike, by the package's name.
    .replace(/^# countersign$/m, `# ${title}`)
    // Screenshots are for code hosts. Here the pages themselves are one click away.
    .replace(/^(?:\| \| \|\n\|---\|---\|\n\| )?!\[.*\]\(.*screenshots\/.*\n\n?/gm, "")
    .replaceAll(/^<!-- \/?derived.* -->\n\n?/gm, "")
    .replace(/^<!-- insert (\w+) -->$/gm, (_, name: string) => generatedBlocks[name]?.() ?? "")
    .replaceAll(/https:\/\/yes\.example\.com|http:\/\/localhost:3000/g, publicUrl);
  const filled = outsideCode(whole, (prose) => withFiles(prose, file));
  const linked = outsideCode(filled, (prose) => withAddresses(withLinks(prose, file, as), as));
  return as === "page" ? linked : linked.replace(/ \{#[\w-]+\}$/gm, "");
}

/** Change everything but code blocks. */
const outsideCode = (text: string, change: (prose: string) => string) =>
  text
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part, index) => (index % 2 ? part : change(part)))
    .join("");

const beside = (file: string | undefined, target: string) => normalize(join(dirname(file ?? "docs/."), target));

/** A line that is only a link to a file of `examples` becomes that file, which a test runs. */
const withFiles = (prose: string, file: string | undefined) =>
  prose.replace(/^\[([^\]]+)\]\(([^)\s]*\bexamples\/[^)\s]+\.\w+)\)$/gm, (_, name: string, target: string) => {
    const path = beside(file, target);
    const language = { ".mjs": "js", ".py": "python", ".json": "json" }[extname(path)] ?? "text";
    return `\`\`\`${language} ${name}\n${read(path)}\`\`\``;
  });

/** Links to our pages lead there. Links to other files keep only their text. */
function withLinks(prose: string, file: string | undefined, as: "page" | "markdown"): string {
  return prose.replace(/(?<!!)\[([^\]]+)\]\((?![a-z]+:|#|\/)([^)\s]+)\)/g, (_, words: string, target: string) => {
    const [path = "", hash] = target.split("#");
    const to = beside(file, path);
    const [, example] = /^examples\/([\w-]+)/.exec(to) ?? [];
    const page = docsPages().find((one) => one.file === to || (example && one.shows?.includes(example)));
    if (to.startsWith("public/")) return `[${words}](${addressOf(to.slice("public".length), as)})`;
    const name = basename(to);
    if (to === `${operatorFiles}/${name}` && operatorFile(name))
      return `[${words}](${addressOf(`/docs/files/${name}`, as)})`;
    if (!page) return words;
    return `[${words}](${addressOf(pathOfPage(page.id), as)}${hash && as === "page" ? `#${hash}` : ""})`;
  });
}

/** Paths the service serves to browsers besides the pages and the files in `public`. */
const routes = [
  ..."/api/openapi.json /api/openapi-3.0.json /llms.txt /llms-full.txt /licenses.txt /developer /device".split(" "),
  ...["jwks.json", "oauth-authorization-server", "security.txt"].map((name) => `/.well-known/${name}`),
];

/** Turns the service's own addresses in prose, like `/licenses.txt`, into links. */
const withAddresses = (prose: string, as: "page" | "markdown") =>
  prose.replace(/\[[^\]]*\]\([^)]*\)|^#.*|`([^`\s]+)`/gm, (match, named = "") => {
    const path = named.replace(env().publicUrl, "");
    if (!path.startsWith("/")) return match;
    const isFile = extname(path) && existsSync(inCheckout(`public${path}`));
    return isFile || pageAt(path) || routes.includes(path) ? `[${match}](${addressOf(path, as)})` : match;
  });

const pageAt = (path: string) => docsPages().find(({ id }) => pathOfPage(id) === path);

/** The target of a service path. Programs get the full address, and a page's Markdown. */
function addressOf(path: string, as: "page" | "markdown"): string {
  if (as === "page") return path;
  const page = pageAt(path);
  return env().publicUrl + (page ? markdownOf(page.id) : path);
}

/** The Markdown path of a page. */
export const markdownOf = (id: string) => `/docs/${id}.md`;
