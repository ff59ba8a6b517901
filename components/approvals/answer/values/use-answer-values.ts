"use client";
import { useRef, useState } from "react";
import { useFlash } from "@/components/actions/flash-context";
import type { InboxApproval } from "@/components/approvals/inbox-approval";

/** Returns the ID of a question's answer form, to which its fields belong. */
export const formId = (id: string) => `answer-${id}`;

/** The problems of a question's values by the field's name. */
export type ValueProblems = ReadonlyMap<string, string>;

/**
 * Replaces the fields' controls in a form by their values.
 * @param takes whether the form's option takes fields
 * @returns the problems that prevent sending the form
 */
type CompleteForm = (form: FormData, takes: boolean) => ValueProblems;

/**
 * Checks the values of a question's fields before anything is sent.
 * @returns the problems to show at the fields, the texts that a form without scripts had,
 *   `completes`, and `completer`, which the fields set because few questions need its code
 */
export function useAnswerValues({ _id: id, fields, options }: InboxApproval) {
  // The next question may have fields with the same names.
  const [found, setFound] = useState<{ id: string; problems: ValueProblems }>();
  const completer = useRef<CompleteForm>(undefined);
  const said = useFlash("approval.answer", id);
  const typed = said?.ok ? said.value && "typed" in said.value && said.value.typed : said?.typed;
  return {
    completer,
    typed: typed || {},
    problems: found?.id === id ? found.problems : byField(said && !said.ok ? said.fields : undefined),
    /**
     * Adds the values to a form, if its option takes fields. If a value is missing or invalid, shows
     * the problem and moves the focus there.
     * @returns whether the form may be sent
     */
    completes(form: FormData): boolean {
      if (!fields) return true;
      const takes = options.find((it) => it.id === form.get("optionId"))?.fields === true;
      // Until the fields are shown, there is nothing to send.
      if (!completer.current) return !takes;
      const problems = completer.current(form, takes);
      if (takes) setFound({ id, problems });
      return problems.size === 0;
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
