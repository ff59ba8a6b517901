import type { Fields } from "@/lib/approvals/fields/field-schema";
import { readValues } from "@/lib/approvals/fields/field-values";
import { controlName, isFieldControl, valuesFromForm } from "@/lib/approvals/fields/form-values";
import { formId, type ValueProblems } from "./use-answer-values";

/**
 * Replaces the fields' controls in a form by their values, if its option takes fields. If a value is
 * missing or invalid, moves the focus to the first such field.
 * @param takes whether the form's option takes fields
 * @returns the problems by the field's name; empty if the form may be sent
 */
export function completeForm(id: string, fields: Fields, form: FormData, takes: boolean): ValueProblems {
  const controls = [...form].filter(([name]) => isFieldControl(name));
  for (const [name] of controls) form.delete(name);
  if (!takes) return new Map();
  const typed = Object.fromEntries(controls.map(([name, text]) => [name, String(text)]));
  const { values, problems } = readValues(fields, valuesFromForm(fields, typed));
  for (const name of incompleteFields(id)) problems.set(name, "Complete this value, or clear it");
  const [first] = problems.keys();
  if (first === undefined) form.set("values", JSON.stringify(values));
  else focusOn(id, first);
  return problems;
}

/**
 * Returns the names of the fields with a partly entered date or time, which a browser would send as
 * empty.
 */
const incompleteFields = (id: string) =>
  controlsOf(id).flatMap((it) =>
    it instanceof HTMLInputElement && it.validity.badInput ? [it.name.slice(controlName("").length)] : [],
  );

/** Returns the controls of a question's fields. */
const controlsOf = (id: string) => [...document.querySelectorAll<HTMLElement>(`[form="${formId(id)}"]`)];

/** Focuses the first control of a field, once its problem is shown. */
const focusOn = (id: string, field: string) =>
  requestAnimationFrame(() => {
    const name = controlName(field);
    const control = controlsOf(id).find((it) => {
      const own = it.getAttribute("name") ?? "";
      return it.getAttribute("type") !== "hidden" && (own === name || own.startsWith(`${name}.`));
    });
    control?.focus();
    control?.scrollIntoView({ block: "center" });
  });
