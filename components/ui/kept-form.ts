/** What was typed into a form, kept in this tab while its owner signs in again. Nothing here sends anything. */
type Typed = [name: string, value: string, chosen: boolean | null][];

const choices = new Set(["checkbox", "radio"]);
const neverKept = new Set(["password", "hidden", "file", "submit", "button"]);

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
const controls = (form: HTMLFormElement) =>
  [...form.querySelectorAll<Control>("input[name], textarea[name], select[name]")].filter(
    ({ type }) => !neverKept.has(type),
  );

/** The form of this page that has these fields. */
const keyOf = (form: HTMLFormElement) =>
  `countersign-form-${location.pathname} ${[...new Set(controls(form).map(({ name }) => name))].join()}`;

/** Keep what stands in the form, but for passwords. What is typed in a dialog, to confirm, is to be typed again. */
export function keepTyped(form: HTMLFormElement): void {
  const typed: Typed = controls(form).map((it) => [it.name, it.value, isChoice(it) ? it.checked : null]);
  if (typed.length === 0 || form.closest("dialog")) return;
  try {
    sessionStorage.setItem(keyOf(form), JSON.stringify(typed));
  } catch {
    // Storage that is full or forbidden: it is typed again.
  }
}

/** Put back what was kept, once, as if it were typed: what follows the form hears of it. */
export function restoreTyped(form: HTMLFormElement): void {
  let typed: Typed;
  try {
    const kept = sessionStorage.getItem(keyOf(form));
    if (kept === null) return;
    sessionStorage.removeItem(keyOf(form));
    typed = JSON.parse(kept);
  } catch {
    return;
  }
  const kept = new Map(
    typed.map(([name, value, chosen]) => [chosen === null ? name : `${name}=${value}`, { value, chosen }]),
  );
  for (const control of controls(form)) {
    const was = kept.get(isChoice(control) ? `${control.name}=${control.value}` : control.name);
    if (!was) continue;
    if (isChoice(control)) {
      if (was.chosen !== control.checked) control.click();
    } else if (was.value !== control.value) {
      // The element's own way to be set, since React takes what goes by its for nothing new.
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")?.set?.call(control, was.value);
      control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
    }
  }
}

const isChoice = (control: Control): control is HTMLInputElement => choices.has(control.type);
