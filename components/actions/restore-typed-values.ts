import { readFromTab, saveToTab } from "./tab-storage";

/* Keeps forms' values in this tab while the owner signs in again. Never submits a form. */

type Typed = [name: string, value: string, chosen: boolean | null][];

const choices = new Set(["checkbox", "radio"]);
const neverKept = new Set(["password", "hidden", "file", "submit", "button"]);

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
const controls = (form: HTMLFormElement) =>
  [...form.querySelectorAll<Control>("input[name], textarea[name], select[name]")].filter(
    ({ type }) => !neverKept.has(type),
  );

/** The storage key for a form, from the page's path and the names of the form's fields. */
const keyOf = (form: HTMLFormElement) =>
  `countersign-form-${location.pathname} ${[...new Set(controls(form).map(({ name }) => name))].join()}`;

/** Stores the form's values except passwords. Confirmations typed in dialogs are not stored. */
export function keepTyped(form: HTMLFormElement): void {
  const typed: Typed = controls(form).map((it) => [it.name, it.value, isChoice(it) ? it.checked : null]);
  if (typed.length > 0 && !form.closest("dialog")) saveToTab(keyOf(form), typed);
}

/** Stores the values of all enabled forms that require a recent sign-in (`data-fresh`). */
export function keepAllTyped(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("[data-fresh]:not(:disabled) form")) keepTyped(form);
}

/**
 * Restores stored values once, and fires input events so that listeners run. While a form is
 * disabled, its stored values are kept.
 */
export function restoreTyped(form: HTMLFormElement): void {
  const typed = readFromTab<Typed>(keyOf(form));
  if (!typed || form.closest(":disabled")) return;
  saveToTab(keyOf(form), undefined);
  const kept = new Map(
    typed.map(([name, value, chosen]) => [chosen === null ? name : `${name}=${value}`, { value, chosen }]),
  );
  for (const control of controls(form)) {
    const was = kept.get(isChoice(control) ? `${control.name}=${control.value}` : control.name);
    if (!was) continue;
    if (isChoice(control)) {
      if (was.chosen !== control.checked) control.click();
    } else if (was.value !== control.value) {
      // Uses the browser's setter. React ignores values that are set through React's own setter.
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")?.set?.call(control, was.value);
      control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
    }
  }
}

const isChoice = (control: Control): control is HTMLInputElement => choices.has(control.type);
