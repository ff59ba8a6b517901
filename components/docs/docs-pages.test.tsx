import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, expect, test } from "vitest";
import { pathOfPage } from "@/lib/api/docs/chapters";
import { docsPages, docsText, markdownOf, operatorFile } from "@/lib/api/docs/docs-pages";
import { llmsFullText, llmsText } from "@/lib/api/docs/llms-and-robots";
import { allSections, headingsOf } from "@/lib/api/docs/page-sections";
import { operations } from "@/lib/api/operation-registry";
import { configure, unset } from "@/lib/testing/change-settings";
import packageJson from "@/package.json" with { type: "json" };
import { DocsMarkdown } from "./markdown";

const settings = { DATABASE_URL: "postgresql://x/y", SECRET: "x".repeat(32), PUBLIC_URL: "https://ask.example" };
configure(settings);
afterAll(() => unset());

const pages = docsPages();
const shown = new Map(pages.map((page) => [page.id, renderToStaticMarkup(<DocsMarkdown text={docsText(page)} />)]));
const sections = allSections();
const idsIn = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
const render = (text: string) => renderToStaticMarkup(<DocsMarkdown text={text} />);

test("renders each page with one title and unique IDs", () => {
  expect(pages.length).toBeGreaterThan(15);
  for (const { id, file } of pages) {
    const html = shown.get(id) ?? "";
    expect([file, html.match(/<h1/g)?.length]).toEqual([file, 1]);
    const ids = idsIn(html);
    expect([file, ids.filter((one, at) => ids.indexOf(one) !== at)]).toEqual([file, []]);
  }
});

test("renders an anchor for each search and sidebar target", () => {
  for (const { href } of [
    ...sections,
    ...pages.flatMap((page) => headingsOf(page).map((part) => ({ href: pathOfPage(page.id) + part.href }))),
  ]) {
    const [path = "", id] = href.split("#");
    const page = pages.find((one) => pathOfPage(one.id) === path);
    expect([href, !!page]).toEqual([href, true]);
    if (id !== undefined) expect([href, idsIn(shown.get(page?.id ?? "") ?? "").includes(id)]).toEqual([href, true]);
  }
});

/** Whether the service serves this path outside the documentation. */
const isServed = (path: string) =>
  (path.startsWith("/docs/files/") && operatorFile(basename(path)) !== undefined) ||
  [
    `public${path}`,
    ...["", "/(owner)"].flatMap((group) => [`app${group}${path}/route.ts`, `app${group}${path}/page.tsx`]),
  ].some((file) => existsSync(file));

test("links only to existing pages, headings, files or other sites", () => {
  const dead = [...shown].flatMap(([at, html]) =>
    [...html.matchAll(/href="([^"]+)"/g)]
      .map(([, href = ""]) => href)
      .filter((href) => !/^https?:/.test(href))
      .filter((href) => {
        const [path = "", id] = href.split("#");
        const to = path === "" ? at : pages.find((page) => pathOfPage(page.id) === path)?.id;
        if (to === undefined) return !isServed(path);
        return id !== undefined && !idsIn(shown.get(to) ?? "").includes(id);
      })
      .map((href) => `${at} → ${href}`),
  );
  expect(dead).toEqual([]);
  for (const html of shown.values()) expect(html).not.toContain("://yes.example.com");
});

test("links paths in prose to the service's pages and files", () => {
  expect(shown.get("oauth")).toContain('<a href="/docs"><code class="short">/docs</code></a>');
  expect(shown.get("changelog")).toContain('<a href="/licenses.txt">');
  expect(shown.get("answers")).toContain('<a href="/countersign.postman_collection.json">A collection</a>');
  expect(shown.get("answers")).toContain('<a href="/client/countersign.js"><code');
  expect(shown.get("answers")).toContain('<a href="/docs/typescript">TypeScript client</a>');
  expect(shown.get("quick-start")).toContain(
    `<a href="/client/countersign-${packageJson.version}.js"><code>https://ask.example/client/`,
  );
  // A path without a page does not become a link.
  expect(shown.get("oauth")).not.toContain('href="/oauth');
  const markdown = (id: string) => docsText(pages.find((page) => page.id === id) ?? pages[0]!, "markdown");
  expect(markdown("oauth")).toContain("[`/docs`](https://ask.example/docs/quick-start.md)");
  expect(markdown("changelog")).toContain("[`/licenses.txt`](https://ask.example/licenses.txt)");
});

test("lists each operation under its ID in the reference", () => {
  expect(idsIn(shown.get("reference") ?? "")).toEqual(expect.arrayContaining(operations.map(({ id }) => id)));
});

test("shows the example files on the framework pages", () => {
  expect(shown.get("ai-sdk")).toContain("stepCountIs");
  expect(docsText(pages.find(({ id }) => id === "langgraph") ?? pages[0]!)).toMatch(
    /^```python main\.py\nimport sys$/m,
  );
});

test("shows each framework example on exactly one page", () => {
  const plain = ["curl", "github-action", "go", "java"];
  const found = readdirSync("examples").filter((name) => !plain.includes(name));
  expect(found.length).toBeGreaterThan(8);
  const text = pages.map((page) => docsText(page)).join("\n");
  for (const name of found) {
    const main = readdirSync(`examples/${name}`).find((file) => /^(main|hook)\./.test(file)) ?? "";
    expect([name, text.includes(readFileSync(`examples/${name}/${main}`, "utf8"))]).toEqual([name, true]);
    expect([name, pages.filter(({ shows }) => shows?.includes(name)).length]).toEqual([name, 1]);
  }
});

test("serves a page for each published Markdown file in docs", () => {
  const exceptions = [
    // The service serves this file at /licenses.txt.
    /^docs\/licenses\.md$/,
    // These pages are for contributors, who read them next to the code.
    /^docs\/(?:decisions|contributing)\//,
  ];
  const files = readdirSync("docs", { recursive: true, encoding: "utf8" }).map((name) => `docs/${name}`);
  const named = files.filter((file) => file.endsWith(".md") && !exceptions.some((it) => it.test(file)));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((file) => !pages.some((page) => page.file === file))).toEqual([]);
});

test("links operator pages to other docs pages and to operator files", () => {
  expect(shown.get("webhooks")).toContain('<a href="/docs/configuration"><code>ALLOW_PRIVATE_FETCH</code></a>');
  expect(shown.get("configuration")).toContain('href="/docs/upgrades#migrations-as-a-step-of-their-own"');
  expect(shown.get("upgrades")).toContain('href="/docs/backup#dump"');
  expect(shown.get("monitoring")).toContain('href="/docs/files/alerts.yml"');
  expect(operatorFile("alerts.yml")).toContain("groups:");
  for (const name of ["backup.md", "../../package.json", "missing.yml"]) expect(operatorFile(name)).toBeUndefined();
  expect(shown.get("owners")).not.toContain("<img");
});

test("links the TypeScript client page to the Claude example page", () => {
  expect(shown.get("typescript")).toContain('<h1 id="typescript">TypeScript</h1>');
  expect(shown.get("typescript")).toContain('<a href="/docs/claude">');
});

test("lists every page in llms.txt and includes its Markdown in llms-full.txt", () => {
  const [list, full] = [llmsText(), llmsFullText()];
  for (const page of pages) {
    const text = docsText(page, "markdown");
    expect(text).not.toMatch(/\{#|<!-- insert|\]\((\.\.?\/|[\w-]+\.md)/);
    expect(list).toContain(`${markdownOf(page.id)}): ${page.about}`);
    expect(full).toContain(text.trim());
  }
});

test("groups adjacent code blocks in different languages into tabs", () => {
  const html = render("```sh\ncurl x\n```\n\n```python\nx = 1\n```\n\nThen\n\n```json settings.json\n{}\n```\n");
  expect(html.match(/role="tab"/g)).toHaveLength(2);
  expect(html).toMatch(/role="tab"[^>]*aria-selected="true"[^>]*>curl</);
  expect(html).toMatch(/role="tabpanel" id="code-2" aria-labelledby="code-2-tab" data-off=""/);
  expect(html).toContain("<span>settings.json</span>");
  expect(html.match(/data-copy/g)).toHaveLength(2);
  expect(render("```sh\na\n```\n\n```sh\nb\n```\n")).not.toContain('role="tab"');
});

test("groups adjacent shell blocks for different languages into tabs", () => {
  const html = render("```sh TypeScript\nnpm i x\n```\n\n```sh Python\npip install x\n```\n");
  expect([...html.matchAll(/role="tab"[^>]*data-language="(\w+)"[^>]*>(\w+)</g)].map(([, ...it]) => it)).toEqual([
    ["ts", "TypeScript"],
    ["python", "Python"],
  ]);
  for (const other of ["```sh", "```sh One.java", "```sh TypeScript"])
    expect(render(`\`\`\`sh TypeScript\na\n\`\`\`\n\n${other}\nb\n\`\`\`\n`)).not.toContain('role="tab"');
  expect(shown.get("quick-start")).not.toMatch(/class="bar"><span>(TypeScript|Python|Go|Java)</);
});

test("keeps short inline code on one line", () => {
  expect(render("`npm ci` in the folder")).toContain('<code class="short">npm ci</code>');
  expect(render("`/api/mcp?tools=list_approvals,list_events`")).toContain("<code>/api");
  expect(render("```sh\nnpm ci\n```\n")).not.toContain("short");
  // The code must have no line break opportunity.
  expect(render("`approvals:write`")).toContain("<code>approvals:write</code>");
});

test("escapes all HTML in a page except details elements", () => {
  const html = render("<details><summary>Takes <b></summary>\n\n- one\n\n</details>\n\n<script>alert(1)</script>\n");
  expect(html).toContain("<details><summary>Takes &lt;b&gt;</summary>");
  expect(html).not.toContain("<script");
});
