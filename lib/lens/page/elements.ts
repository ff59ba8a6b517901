/*
 * The lens builds its page from elements and texts. It never parses HTML, so that a text in a
 * signing request stays a text.
 */

type Child = Node | string | false | undefined;
type Attributes = Record<string, string | boolean | undefined>;

/** Creates an element with attributes and children. An attribute that is false or absent is omitted. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(attribute, value === true ? "" : value);
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

/** Creates a button that runs an action. */
export function button(label: string, look: "primary" | "secondary" | "quiet", press: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", class: `button ${look}` }, label);
  made.addEventListener("click", press);
  return made;
}

/** Creates a section whose heading names it for screen readers. */
export function card(id: string, title: string, ...children: Child[]): HTMLElement {
  return element("section", { class: "card", "aria-labelledby": id }, element("h2", { id }, title), ...children);
}

/** Creates a list of names and values. Rows without a value are omitted. */
export function descriptions(rows: readonly [Node | string, Node | undefined][], look = ""): HTMLElement {
  const shown = rows.flatMap(([name, value]) => (value ? [element("dt", {}, name), element("dd", {}, value)] : []));
  return element("dl", { class: look }, ...shown);
}

/** Creates a notice. `danger` is read out immediately. */
export const notice = (tone: "info" | "warn" | "danger", ...children: Child[]): HTMLElement =>
  element("div", { class: `notice ${tone}`, role: tone === "danger" && "alert" }, element("p", {}, ...children));
