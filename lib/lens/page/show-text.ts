import { visibleText } from "@/lib/lens/visible-text";
import { element } from "./elements";

/**
 * Returns a text of the app or the owner. Invisible characters and look-alikes show their codes.
 * Line breaks stay, and the direction of the text cannot affect the text around it.
 */
export function shownText(text: string, look = ""): HTMLElement {
  const parts = visibleText(text).map((part) => {
    if (part.kind === "plain") return part.text;
    const code = element("span", { class: "code" }, part.label);
    if (part.kind === "hidden") return element("mark", {}, code);
    return element("mark", {}, element("bdi", { class: "alike" }, part.text), code);
  });
  return element("bdi", { class: `text ${look}`.trim(), dir: "auto" }, ...parts);
}

/** Returns an ID or a hash, which is not translated. */
export const shownId = (id: string): HTMLElement => element("code", { translate: "no" }, shownText(id));

/** Returns a value of any kind: text as it is, and everything else as JSON. */
export const shownValue = (value: unknown): HTMLElement =>
  shownText(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/** Returns a time with its date, in the reader's time zone. */
export function shownTime(time: number): HTMLElement {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return shownText(String(time));
  const text = date.toLocaleString(undefined, { dateStyle: "long", timeStyle: "long" });
  return element("time", { datetime: date.toISOString() }, text);
}
