import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, normalize } from "node:path";
import { env } from "@/lib/config/env";
import { type DocsChapter, type DocsPage, docsChapters, pathOfPage } from "./chapters";
import { generatedBlocks } from "./generated-blocks";

/** A file of the checkout. */
const inCheckout = (path: string) => join(/* turbopackIgnore: true */ process.cwd(), path);
const read = (path: string) => readFileSync(inCheckout(path), "utf8");
const isThere = ({ file }: DocsPage) => file === undefined || existsSync(inCheckout(file));

const operatorFiles = "docs/operations";

/**
 * A configuration of another program that the pages for operators link to, like `alerts.yml`.
 * @returns its text, or undefined where no such file is offered
 */
export const operatorFile = (name: string): string | undefined =>
  /^[\w-]+\.(?!md$)\w+$/.test(name) && existsSync(inCheckout(`${operatorFiles}/${name}`))
    ? read(`${operatorFiles}/${name}`)
    : undefined;

/** The shelves as they stand here. */
export const docsShelves = (): DocsChapter[] =>
  docsChapters.map(({ title, pages }) => ({ title, pages: pages.filter(isThere) }));

/** Every page in one list. */
export const docsPages = (): DocsPage[] => docsShelves().flatMap(({ pages }) => pages);

/** A page by its id, the first without one. */
export const docsPage = (id = "quick-start"): DocsPage | undefined => docsPages().find((page) => page.id === id);

/**
 * A page's Markdown as its reader needs it: with this service's address, with the files that it shows and what is derived, and
 * with links to pages here.
 * @param as for whom: links lead a browser to pages, and a program to their Markdown
 */
export function docsText({ id, title, file }: DocsPage, as: "page" | "markdown" = "page"): string {
  const { publicUrl } = env();
  const text = file === undefined ? (generatedBlocks[id]?.() ?? "") : read(file);
  const whole = text
    // A package's own page is called as the package is, all of them alike.
    .replace(/^# countersign$/m, `# ${title}`)
    // Pictures of the pages are for code hosts: here the pages themselves are one click away.
    .replace(/^\| \| \|\n\|---\|---\|\n\| !\[.*\n/m, "")
    .replace(/^<!-- insert (\w+) -->$/gm, (_, name: string) => generatedBlocks[name]?.() ?? "")
    .replaceAll(/https:\/\/yes\.example\.com|http:\/\/localhost:3000/g, publicUrl);
  const filled = outsideCode(whole, (prose) => withFiles(prose, file));
  const linked = outsideCode(filled, (prose) => withAddresses(withLinks(prose, file, as), as));
  return as === "page" ? linked : linked.replace(/ \{#[\w-]+\}$/gm, "");
}

/** Change all but blocks of code. */
const outsideCode = (text: string, change: (prose: string) => string) =>
  text
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part, at) => (at % 2 ? part : change(part)))
    .join("");

const beside = (file: string | undefined, target: string) => normalize(join(dirname(file ?? "docs/."), target));

/** A line that is nothing but a link to a file of `examples` becomes that file, which a test runs. */
const withFiles = (prose: string, file: string | undefined) =>
  prose.replace(/^\[([^\]]+)\]\(([^)\s]*\bexamples\/[^)\s]+\.\w+)\)$/gm, (_, name: string, target: string) => {
    const path = beside(file, target);
    const language = { ".mjs": "js", ".py": "python", ".json": "json" }[extname(path)] ?? "text";
    return `\`\`\`${language} ${name}\n${read(path)}\`\`\``;
  });

/** What leads to a page of ours leads there; what leads to a file that is no page is only its words. */
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

/** What the service shows a browser besides the pages and the files in `public`. */
const routes = [
  ...[
    "/api/openapi.json",
    "/api/openapi-3.0.json",
    "/llms.txt",
    "/llms-full.txt",
    "/licences.txt",
    "/developer",
    "/device",
  ],
  ...["jwks.json", "oauth-authorization-server", "security.txt"].map((name) => `/.well-known/${name}`),
];

/** An address of the service's own, which prose names as `/licences.txt` or with the service's, leads there. */
const withAddresses = (prose: string, as: "page" | "markdown") =>
  prose.replace(/\[[^\]]*\]\([^)]*\)|^#.*|`([^`\s]+)`/gm, (said, named = "") => {
    const path = named.replace(env().publicUrl, "");
    if (!path.startsWith("/")) return said;
    const isFile = extname(path) && existsSync(inCheckout(`public${path}`));
    return isFile || pageAt(path) || routes.includes(path) ? `[${said}](${addressOf(path, as)})` : said;
  });

const pageAt = (path: string) => docsPages().find(({ id }) => pathOfPage(id) === path);

/** Where a path of the service leads: a program has its whole address, and of a page its Markdown. */
function addressOf(path: string, as: "page" | "markdown"): string {
  if (as === "page") return path;
  const page = pageAt(path);
  return env().publicUrl + (page ? markdownOf(page.id) : path);
}

/** Where a page is as Markdown. */
export const markdownOf = (id: string) => `/docs/${id}.md`;
