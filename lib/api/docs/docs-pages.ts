import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, normalize } from "node:path";
import { env } from "@/lib/config/env";
import { type DocsChapter, docsChapters, pathOfPage } from "./chapters";
import { generatedBlocks } from "./generated-blocks";
import type { DocsPage } from "./page-definition";

/** Returns the path of a file in the checkout. */
const inCheckout = (path: string) => join(/* turbopackIgnore: true */ process.cwd(), path);
const read = (path: string) => readFileSync(inCheckout(path), "utf8");
const isThere = ({ file }: DocsPage) => file === undefined || existsSync(inCheckout(file));

const operatorFiles = "docs/operations";

/**
 * Reads a configuration file that operator pages link to, like `alerts.yml`.
 * @returns the file's text, or undefined if there is no such file
 */
export const operatorFile = (name: string): string | undefined =>
  /^[\w-]+\.(?!md$)\w+$/.test(name) && existsSync(inCheckout(`${operatorFiles}/${name}`))
    ? read(`${operatorFiles}/${name}`)
    : undefined;

/** Returns the chapters, with only those pages whose files exist in this checkout. */
export const availableChapters = (): DocsChapter[] =>
  docsChapters.map(({ title, pages }) => ({ title, pages: pages.filter(isThere) }));

export const docsPages = (): DocsPage[] => availableChapters().flatMap(({ pages }) => pages);

/** Returns a page by its ID, or undefined for an unknown ID. By default, returns the first page. */
export const docsPage = (id = "quick-start"): DocsPage | undefined => docsPages().find((page) => page.id === id);

/**
 * Returns a page's Markdown. Fills in this service's URL, included files, derived blocks and links
 * to other pages.
 * @param as the reader: "page" links to pages for browsers, and "markdown" to Markdown for programs
 */
export function docsText({ id, title, file }: DocsPage, as: "page" | "markdown" = "page"): string {
  const { publicUrl } = env();
  const text = file === undefined ? (generatedBlocks[id]?.() ?? "") : read(file);
  const whole = text
    // The README of a package begins with the package's name. Here, it begins with the page's
    // title.
    .replace(/^# countersign$/m, `# ${title}`)
    // Screenshots are for readers on code hosts. Here, readers can open the pages themselves.
    .replace(/^(?:\| \| \|\n\|---\|---\|\n\| )?!\[.*\]\(.*screenshots\/.*\n\n?/gm, "")
    .replaceAll(/^<!-- \/?derived.* -->\n\n?/gm, "")
    .replace(/^<!-- insert (\w+) -->$/gm, (_, name: string) => generatedBlocks[name]?.() ?? "")
    .replaceAll(/https:\/\/yes\.example\.com|http:\/\/localhost:3000/g, publicUrl);
  const filled = outsideCode(whole, (prose) => withFiles(prose, file));
  const linked = outsideCode(filled, (prose) => withAddresses(withLinks(prose, file, as), as));
  return as === "page" ? linked : linked.replace(/ \{#[\w-]+\}$/gm, "");
}

/** Applies `change` to all text outside code blocks. */
const outsideCode = (text: string, change: (prose: string) => string) =>
  text
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part, index) => (index % 2 ? part : change(part)))
    .join("");

const beside = (file: string | undefined, target: string) => normalize(join(dirname(file ?? "docs/."), target));

/**
 * Replaces a line that is only a link to a file in `examples` with the file's code. Tests run these
 * files.
 */
const withFiles = (prose: string, file: string | undefined) =>
  prose.replace(/^\[([^\]]+)\]\(([^)\s]*\bexamples\/[^)\s]+\.\w+)\)$/gm, (_, name: string, target: string) => {
    const path = beside(file, target);
    const language = { ".mjs": "js", ".py": "python", ".json": "json" }[extname(path)] ?? "text";
    return `\`\`\`${language} ${name}\n${read(path)}\`\`\``;
  });

/**
 * Converts links to the repository's files, because a page's readers don't have these files. Links
 * to documentation pages and hosted files get the service's addresses. Other links keep only their
 * text.
 */
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

/**
 * The paths that the service serves to browsers in addition to the pages and the files in `public`.
 */
const routes = [
  ..."/api/openapi.json /api/openapi-3.0.json /llms.txt /llms-full.txt /licenses.txt /developer /device /lens /verify".split(
    " ",
  ),
  ...["jwks.json", "oauth-authorization-server", "security.txt", "webauthn"].map((name) => `/.well-known/${name}`),
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

/**
 * Returns a link's target for a service path. For programs, the target is a full URL, and a page's
 * target is its Markdown.
 */
function addressOf(path: string, as: "page" | "markdown"): string {
  if (as === "page") return path;
  const page = pageAt(path);
  return env().publicUrl + (page ? markdownOf(page.id) : path);
}

export const markdownOf = (id: string) => `/docs/${id}.md`;
