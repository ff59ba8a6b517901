"use client";
import { useEffect, useRef, useState } from "react";
import { keepDraft, readDraft } from "@/components/approvals/answer/drafts";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { controlName, isFieldControl } from "@/lib/approvals/fields/form-values";
import { completeForm } from "./complete-form";
import { checkboxKey, draftsOf } from "./drafts-of-values";
import { FieldControl } from "./field-control";
import { formId, type AnswerValues as Values } from "./use-answer-values";

type AnswerValuesProps = { approval: InboxApproval; values: Values };
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const controlsIn = (box: HTMLElement | null): Control[] =>
  [...(box?.querySelectorAll<Control>("input, textarea, select") ?? [])].filter(({ type }) => type !== "hidden");

/** The key of a control's draft. */
const draftKey = ({ type, name, value }: Control) => (type === "checkbox" ? checkboxKey(name, value) : name);

/**
 * The fields that the owner fills in before answering. They belong to the answer's form, which is at
 * the bottom of the page. Drafts stay in this tab until the answer is sent.
 */
export function AnswerValues({ approval, values: { problems, typed, completer } }: AnswerValuesProps) {
  const { _id: id, app, fields } = approval;
  const box = useRef<HTMLElement>(null);
  // The changed fields show the app's proposal next to the owner's value.
  const [changes, count] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a question's fields never change
  useEffect(() => {
    const drafts = readDraft(id);
    // After an undo, the draft has the values of the answer.
    const draft = { ...(fields && drafts.values && draftsOf(fields, JSON.parse(drafts.values))), ...drafts };
    for (const control of controlsIn(box.current)) {
      const kept = draft[draftKey(control)];
      if (kept === undefined) continue;
      if (control instanceof HTMLInputElement && control.type === "checkbox") control.checked = kept === "yes";
      else if (control instanceof HTMLInputElement && control.type === "radio")
        control.checked = control.value === kept;
      else control.value = kept;
    }
    count((n) => n + 1);
  }, [id]);
  useEffect(() => {
    if (fields) completer.current = (form, takes) => completeForm(id, fields, form, takes);
  }, [completer, id, fields]);
  if (!fields) return null;
  return (
    <section
      ref={box}
      data-said
      aria-label={`Values for ${app.name}`}
      className="grid grid-cols-1 gap-4 rounded-xl bg-pane px-4 py-4 forced-colors:border"
      onInput={({ target }) => {
        const control = target as Control;
        if (!isFieldControl(control.name)) return;
        const checked =
          control instanceof HTMLInputElement && control.type === "checkbox" ? control.checked : undefined;
        keepDraft(id, draftKey(control), checked === undefined ? control.value : checked ? "yes" : "no");
        count((n) => n + 1);
      }}
    >
      {/* Tells the service that the form has fields, even if the owner filled in none. */}
      <input type="hidden" form={formId(id)} name={controlName("")} value="" />
      {Object.entries(fields.properties).map(([name, field]) => (
        <FieldControl
          key={name}
          {...{ approval, name, field, typed, changes }}
          required={fields.required?.includes(name) ?? false}
          problem={problems.get(name)}
        />
      ))}
      <div data-end="the form" />
    </section>
  );
}
