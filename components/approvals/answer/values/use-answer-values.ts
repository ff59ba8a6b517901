"use client";
import { useState } from "react";
import { useFlash } from "@/components/actions/flash-context";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { controlName, isFieldControl } from "@/lib/approvals/fields/form-values";

/** Returns the ID of a question's answer form, to which its fields belong. */
export const formId = (id: string) => `answer-${id}`;

/** The problems of a question's values by the field's name. */
export type ValueProblems = ReadonlyMap<string, string>;

/**
 * Checks the values of a question's fields before anything is sent.
 * @returns the problems to show at the fields, the texts that a form without scripts had, and
 *   `completes`
 */
export function useAnswerValues({ _id: id, fields, options }: InboxApproval) {
  // The next question may have fields with the same names.
  const [found, setFound] = useState<{ id: string; problems: ValueProblems }>();
  const said = useFlash("approval.answer", id);
  const typed = said?.ok ? said.value && "typed" in said.value && said.value.typed : said?.typed;
  return {
    typed: typed || {},
    problems: found?.id === id ? found.problems : byField(said && !said.ok ? said.fields : undefined),
    /**
     * Adds the values to a form, if its option takes fields. If a value is missing or invalid, shows
     * the problem and moves the focus there.
     * @returns whether the form may be sent
     */
    async completes(form: FormData): Promise<boolean> {
      const option = options.find((it) => it.id === form.get("optionId"));
      const controls = [...form].filter(([name]) => isFieldControl(name));
      for (const [name] of controls) form.delete(name);
      if (!fields || !option?.fields) return true;
      const { valuesOf } = await import("./read-values");
      const read = valuesOf(fields, Object.fromEntries(controls.map(([name, text]) => [name, String(text)])));
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

/** Focuses the first control of a field, once its problem is shown. */
const focusOn = (id: string, field: string) =>
  requestAnimationFrame(() => {
    const all = document.querySelectorAll<HTMLElement>(`[form="${formId(id)}"]`);
    const name = controlName(field);
    const control = [...all].find((it) => {
      const own = it.getAttribute("name") ?? "";
      return it.getAttribute("type") !== "hidden" && (own === name || own.startsWith(`${name}.`));
    });
    control?.focus();
    control?.scrollIntoView({ block: "center" });
  });
