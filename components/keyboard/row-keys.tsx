"use client";
import { useRouter } from "next/navigation";
import { useKeys } from "./key-bindings";
import { useSectionKeys } from "./use-shortcut";

/**
 * Lets j, k and the arrows navigate a page's rows. A row is an element with `data-row`: a link, or
 * a focusable element in which Enter focuses the checked or first control.
 * @param name the heading in the help
 * @param row the help's word for a row
 */
export function useRowKeys(name: string, row: string): void {
  useKeys(name, [
    { keys: "j", description: `Next ${row}`, run: () => step(1) },
    { keys: "k", description: `Previous ${row}`, run: () => step(-1) },
    { keys: "ArrowDown", run: (event) => isOnRow(event) && step(1) },
    { keys: "ArrowUp", run: (event) => isOnRow(event) && step(-1) },
    { keys: "Enter", run: enter },
  ]);
}

/** `useRowKeys` as a component, for server-rendered pages. */
export function RowKeys(props: { name: string; row: string }) {
  useRowKeys(props.name, props.row);
  return null;
}

/** Whether a row has the focus. Elsewhere, the arrows scroll the page. */
const isOnRow = ({ target }: KeyboardEvent) => target instanceof Element && target.matches("[data-row]");

function step(offset: 1 | -1) {
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")].filter((row) => row.checkVisibility());
  const held = (it: Element | null | undefined) => it?.contains(document.activeElement) ?? false;
  const on = rows.findIndex(held);
  // If a row is a link, the row's other controls are outside the link, in the same list item.
  const here = on >= 0 ? on : rows.findIndex((row) => held(row.closest("li")));
  const next = here < 0 ? (offset === 1 ? 0 : -1) : here + offset;
  rows.at(here < 0 ? next : Math.min(Math.max(next, 0), rows.length - 1))?.focus();
}

const usable = "a[href], button, select, summary, textarea, input:not([type=hidden])";

function enter({ target }: KeyboardEvent) {
  if (!(target instanceof HTMLElement) || !target.matches("[data-row]") || target.matches(usable)) return false;
  const inputs = [...target.querySelectorAll<HTMLElement>(usable)];
  const first = inputs.find((input) => input.matches(":checked")) ?? inputs[0];
  first?.focus();
  return first !== undefined;
}

/** Makes Escape return from an item to the list. */
export function BackKey({ href }: { href: string }) {
  const router = useRouter();
  useSectionKeys([{ keys: "Escape", description: "Back to the list", run: () => router.push(href) }]);
  return null;
}
