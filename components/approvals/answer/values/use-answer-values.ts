"use client";
import { useRef, useState } from "react";
import { useFlash } from "@/components/actions/flash-context";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import type { Fields } from "@/lib/approvals/fields/field-schema";
import type { readValues } from "@/lib/approvals/fields/field-values";
import { controlName, isFieldControl } from "@/lib/approvals/fields/form-values";

/** Returns the ID of a question's answer form, to which its fields belong. */
export const formId = (id: string) => `answer-${id}`;

/** The problems of a question's values by the field's name. */
export type ValueProblems = ReadonlyMap<string, string>;

/** Reads the values from the texts of a form's controls. */
type ReadTexts = (fields: Fields, typed: Readonly<Record<string, string>>) => ReturnType<typeof readValues>;

/**
 * Checks the values of a question's fields before anything is sent.
 * @returns the problems to show at the fields, the texts that a form without scripts had,
 *   `completes`, and `reader`, which the fields set because few questions need its code
 */
export function useAnswerValues({ _id: id, fields, options }: InboxApproval) {
  // The next question may have fields with the same names.
  const [found, setFound] = useState<{ id: string; problems: ValueProblems }>();
  const reader = useRef<ReadTexts>(undefined);
  const said = useFlash("approval.answer", id);
  const typed = said?.ok ? said.value && "typed" in said.value && said.value.typed : said?.typed;
  return {
    reader,
    typed: typed || {},
    problems: found?.id === id ? found.problems : byField(said && !said.ok ? said.fields : undefined),
    /**
     * Adds the values to a form, if its option takes fields. If a value is missing or invalid, shows
     * the problem and moves the focus there.
     * @returns whether the form may be sent
     */
    completes(form: FormData): boolean {
      const option = options.find((it) => it.id === form.get("optionId"));
      const controls = [...form].filter(([name]) => isFieldControl(name));
      for (const [name] of controls) form.delete(name);
      if (!fields || !option?.fields) return true;
      // Until the fields are shown, there is nothing to send.
      const read = reader.current?.(fields, Object.fromEntries(controls.map(([name, text]) => [name, String(text)])));
      if (!read) return false;
      for (const name of incompleteFields(id)) read.problems.set(name, "Complete this value, or clear it");
      setFound({ id, problems: read.problems });
      const [first] = read.problems.keys();
      if (first === undefined) form.set("values", JSON.stringify(read.values));
      else focusOn(id, first);
      return first === undefined;
    },
  };
}
export type AnswerValues = ReturnType<typeof useAnswerValues>;

/** Returns the problems of an action's error by the field's name. */
const byField = (errors: Record<string, string> = {}): ValueProblems =>
  new Map(
    Object.entries(errors).flatMap(([path, message]) =>
      path.startsWith("values.") ? [[path.slice(7), message] as const] : [],
    ),
  );

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
