import { common, createLowlight } from "lowlight";
import { slug } from "@/lib/text/slug";

/** A node of the documentation's HTML syntax tree (hast). */
export type DocsNode = {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: DocsNode[];
  data?: { meta?: string };
};

const { bash, go, java, javascript, json, python, typescript, yaml } = common;
const lowlight = createLowlight({ bash, go, java, javascript, json, python, typescript, yaml } as typeof common);
lowlight.registerAlias({ bash: "sh", javascript: "js", typescript: "ts" });

/** Languages that become tabs if consecutive blocks use two or more of them. */
const languages: Record<string, string> = { sh: "curl", ts: "TypeScript", python: "Python", go: "Go", java: "Java" };
/** The title of a single block. */
const kinds: Record<string, string> = {
  ...languages,
  sh: "Shell",
  js: "JavaScript",
  json: "JSON",
  yaml: "YAML",
  text: "",
};

/** The documentation's extensions to Markdown. */
export const asDocs = () => (tree: DocsNode) => {
  nameHeadings(tree);
  unfold(tree);
  let blocks = 0;
  arrange(tree, () => `code-${++blocks}`);
};

const h = (tagName: string, properties: Record<string, unknown>, ...children: (DocsNode | string)[]): DocsNode => ({
  type: "element",
  tagName,
  properties,
  children: children.map((child) => (typeof child === "string" ? { type: "text", value: child } : child)),
});
const wordsOf = (node: DocsNode): string => node.value ?? (node.children ?? []).map(wordsOf).join("");
const isBlank = (node: DocsNode) => node.type === "text" && node.value?.trim() === "";

/**
 * Gives each heading an anchor. The anchor is explicit, as in `## Errors {#errors}`, or derived
 * from the heading's text as on GitHub.
 */
function nameHeadings(tree: DocsNode) {
  const taken = new Set<string>();
  for (const node of tree.children ?? []) {
    if (!/^h[1-6]$/.test(node.tagName ?? "")) continue;
    const last = node.children?.at(-1);
    const anchor = / \{#([\w-]+)\}$/.exec(last?.value ?? "");
    if (last && anchor) last.value = last.value?.slice(0, -anchor[0].length) ?? "";
    const id = anchor?.[1] ?? slug(wordsOf(node), taken);
    taken.add(id);
    node.properties = { ...node.properties, id };
  }
}

/** Turns `<details><summary>…</summary>` on separate lines into elements. Other HTML is ignored. */
function unfold(tree: DocsNode) {
  const open: DocsNode[][] = [[]];
  for (const node of tree.children ?? []) {
    const [, isOpen, summary] = /^<details( open)?><summary>(.*)<\/summary>$/.exec(node.value ?? "") ?? [];
    const parent = open.at(-1) as DocsNode[];
    if (node.type !== "raw") parent.push(node);
    else if (summary !== undefined) {
      const details = h("details", { open: !!isOpen }, h("summary", {}, summary));
      parent.push(details);
      open.push(details.children as DocsNode[]);
    } else if (node.value === "</details>" && open.length > 1) open.pop();
  }
  tree.children = open[0] as DocsNode[];
}

/**
 * `tab` is the language of the tab that shows the block: the block's own, or the language in its
 * name, such as Python in `sh Python`.
 */
type Code = { name: string; title: string; tab: string | undefined; pre: DocsNode; id: string };

/**
 * Whether inline code must not wrap. Such code has break opportunities, but fits on one line on a
 * phone.
 */
const isShort = (code: string) => code.length <= 24 && /[^\w.:=]/.test(code);

/** Adds a title bar and a copy button to code blocks, and tabs for several languages. */
function arrange(node: DocsNode, nextId: () => string) {
  const arranged: DocsNode[] = [];
  let row: Code[] = [];
  const settle = () => {
    if (row.length > 0) arranged.push(...(isChoice(row) ? [choice(row)] : row.map(single)));
    row = [];
  };
  for (const child of node.children ?? []) {
    if (child.tagName === "pre") {
      row.push(codeOf(child, nextId()));
      continue;
    }
    if (row.length > 0 && isBlank(child)) continue;
    settle();
    if (child.tagName === "code" && isShort(wordsOf(child))) child.properties = { className: "short" };
    arrange(child, nextId);
    arranged.push(
      child.tagName === "table"
        ? div({ className: "scrolls", role: "group", tabIndex: 0, ariaLabel: "Table" }, child)
        : child,
    );
  }
  settle();
  node.children = arranged;
}

function codeOf(pre: DocsNode, id: string): Code {
  const code = pre.children?.[0];
  const language = /^language-(\w+)$/.exec(String((code?.properties?.className as string[])?.[0]))?.[1] ?? "";
  const text = (code ? wordsOf(code) : "").replace(/\n$/, "");
  const painted = lowlight.registered(language)
    ? (lowlight.highlight(language, text).children as DocsNode[])
    : [{ type: "text", value: text }];
  const name = code?.data?.meta ?? "";
  return {
    name,
    title: name || (kinds[language] ?? ""),
    tab: Object.keys(languages).find((one) => (name ? languages[one] === name : one === language)),
    id,
    pre: { ...h("pre", { tabIndex: 0 }, h("code", {})), children: [{ ...h("code", {}), children: painted }] },
  };
}

const isChoice = (row: readonly Code[]) =>
  row.length > 1 &&
  row.every(({ tab, name }) => tab && !name === !row[0]?.name) &&
  new Set(row.map(({ tab }) => tab)).size === row.length;

const div = (properties: Record<string, unknown>, ...children: DocsNode[]) => h("div", properties, ...children);
const bar = (title: DocsNode) =>
  div({ className: "bar" }, title, h("button", { type: "button", className: "copy", dataCopy: "" }, "Copy"));

const single = ({ title, pre }: Code) => div({ className: "block" }, bar(h("span", {}, title)), pre);

/** One tab for each language. Without scripts, all languages are listed under their names. */
function choice(row: readonly Code[]): DocsNode {
  const tabs = row.map(({ tab = "", id }, index) => {
    const state = { ariaSelected: index === 0 ? "true" : "false", tabIndex: index === 0 ? 0 : -1 };
    const about = { type: "button", role: "tab", id: `${id}-tab`, ariaControls: id, dataLanguage: tab };
    return h("button", { ...about, ...state }, languages[tab] ?? "");
  });
  const panels = row.map(({ tab = "", id, pre }, index) => {
    const about = { role: "tabpanel", id, ariaLabelledBy: `${id}-tab`, ...(index > 0 && { dataOff: "" }) };
    return div(about, h("p", { className: "language" }, languages[tab] ?? ""), pre);
  });
  const list = div({ role: "tablist", ariaLabel: "Language" }, ...tabs);
  return div({ className: "block", dataChoice: "" }, bar(list), ...panels);
}
