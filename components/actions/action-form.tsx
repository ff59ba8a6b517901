"use client";
import { useEffect, useRef } from "react";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import type { ActionName, ActionOutput } from "@/lib/web/action-registry";
import { aboutOf } from "./flash-context";
import { FormErrors } from "./form-error-context";
import { keepTyped, restoreTyped } from "./restore-typed-values";
import type { ActionFields } from "./send-action";
import { type ActionOptions, useAction } from "./use-action";

export type ActionFormProps<Name extends ActionName> = Omit<ActionOptions, "url"> & {
  act: Name;
  fields?: ActionFields<Name> | undefined;
  /** Additional fields and buttons. */
  children?: React.ReactNode;
  /** The submit button's label, if the children include no button. */
  save?: string;
  /** The label of the main button on a page with a single form. */
  submit?: string;
  /** The message after success. */
  done?: React.ReactNode;
  /** Shown in place of the form after success. */
  success?: (value: ActionOutput<Name>) => React.ReactNode;
  className?: string;
};

/**
 * An action's form, with the action's result. Typed values are kept after an error, and while the
 * owner signs in again. After success, the form resets.
 */
export function ActionForm<Name extends ActionName>(props: ActionFormProps<Name>) {
  const { act, fields, children, save, submit, done, success, prepare, leaves } = props;
  const { result, to } = useAction(act, aboutOf(fields), { prepare, leaves });
  const form = useRef<HTMLFormElement>(null);
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => {
    outcome.current?.focus();
    if (result?.ok) form.current?.reset();
    else if (result) focusOn(form.current);
  }, [result]);
  useEffect(() => {
    if (form.current) restoreTyped(form.current);
  }, []);
  if (success && result?.ok && result.value !== undefined) {
    return (
      <div ref={outcome} tabIndex={-1} className="outline-none">
        {success(result.value)}
      </div>
    );
  }
  const refused = result && !result.ok ? result : undefined;
  return (
    <FormErrors value={refused}>
      <form
        ref={form}
        {...to}
        className={props.className ?? (submit ? "grid gap-5" : "contents")}
        // React resets a form when its action ends, but a rejected form must keep its values.
        onReset={(event) => refused && event.preventDefault()}
      >
        {refused ? (
          // The new password's field already shows this error.
          <div className="[form:has([autocomplete=new-password][aria-invalid=true])_&]:hidden">
            <Notice tone="danger">
              {refused.message}
              {refused.signIn ? (
                <Link
                  href={refused.signIn}
                  className="link ms-2"
                  onClick={() => form.current && keepTyped(form.current)}
                >
                  Sign in again
                </Link>
              ) : null}
            </Notice>
          </div>
        ) : null}
        {result?.ok && done ? <Notice tone="ok">{done}</Notice> : null}
        {Object.entries<string | undefined>(fields ?? {}).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {children}
        {save ? (
          <div>
            <SubmitButton size="small">{save}</SubmitButton>
          </div>
        ) : null}
        {submit ? (
          <SubmitButton variant="primary" size="wide">
            {submit}
          </SubmitButton>
        ) : null}
      </form>
    </FormErrors>
  );
}

/** Focuses the form's first visible error: its message or an invalid field. */
function focusOn(form: HTMLFormElement | null) {
  const errors = [...(form?.querySelectorAll<HTMLElement>("[aria-invalid=true], [role=alert]") ?? [])];
  errors.find((it) => it.checkVisibility())?.focus();
}
