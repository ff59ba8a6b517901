"use client";
import { createContext, useActionState, useContext, useEffect, useRef } from "react";
import { readFromTab, saveToTab } from "@/components/actions/tab-storage";
import type { ActionResult } from "@/lib/web/action-result";
import { Link } from "./link";
import { Notice } from "./notice";
import { SubmitButton } from "./submit-button";

/** Written as a method, so that an action whose result says more than the form needs fits too. */
export type FormAction<T = unknown> = {
  send(previous: ActionResult<T> | null, form: FormData): Promise<ActionResult<T>>;
}["send"];

type Answer = { fields?: Record<string, string> | undefined; typed?: Record<string, string> | undefined };
const Refusals = createContext<Answer>({});

/** Why the form's last sending was refused because of this field, or one line of it, if it was. */
export function useRefusal(name: string): string | undefined {
  const { fields = {} } = useContext(Refusals);
  const refused = Object.entries(fields).filter(([at]) => at === name || at.startsWith(`${name}.`));
  return refused.map(([at, why]) => (at === name ? why : `Line ${Number(at.slice(name.length + 1)) + 1}: ${why}`))[0];
}

/** What the form's action sent back to stand in this field, if it did. */
export const useTyped = (name: string): string | undefined => useContext(Refusals).typed?.[name];

/** What every form of ours has, whatever it is joined to. */
export type FormProps<T> = {
  children: React.ReactNode;
  /** Said after success. */
  done?: React.ReactNode;
  /** Shown in place of the form after success. */
  success?: (value: T) => React.ReactNode;
  className?: string;
};

type ActionFormProps<T> = FormProps<T> & {
  action: FormAction<T>;
  /** What its one big button says. */
  submit?: string;
};

/** A form joined to a server action, for who is not signed in. What an owner does is an `OwnerActionForm`. */
export function ActionForm<T>({ action, submit, children, ...rest }: ActionFormProps<T>) {
  const [result, send] = useActionState(action, null);
  return (
    <AnsweredForm result={result} to={{ action: send }} {...rest}>
      {children}
      {submit ? (
        <SubmitButton variant="primary" size="wide">
          {submit}
        </SubmitButton>
      ) : null}
    </AnsweredForm>
  );
}

type AnsweredFormProps<T> = FormProps<T> & {
  result: ActionResult<T> | null;
  /** Where it is sent. */
  to: Pick<React.ComponentProps<"form">, "action" | "method" | "onSubmit">;
};

/**
 * A form and what came of it. A refusal is shown above the form and at its fields, and what was typed stays, also while one
 * signs in again for it; after success the form is empty again.
 */
export function AnsweredForm<T>(props: AnsweredFormProps<T>) {
  const { result, to, children, done, success, className = "grid gap-5" } = props;
  const form = useRef<HTMLFormElement>(null);
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => {
    outcome.current?.focus();
    if (result?.ok) form.current?.reset();
    else if (result) form.current?.querySelector<HTMLElement>("[aria-invalid=true], [role=alert]")?.focus();
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
    <Refusals value={{ fields: refused?.fields, typed: refused?.typed }}>
      <form
        ref={form}
        {...to}
        className={className}
        // React empties a form when its action ends; a refused form keeps what was typed.
        onReset={(event) => refused && event.preventDefault()}
      >
        {refused ? (
          <Notice tone="danger">
            {refused.message}
            {refused.signIn ? (
              <Link href={refused.signIn} className="link ms-2" onClick={() => form.current && keepTyped(form.current)}>
                Sign in again
              </Link>
            ) : null}
          </Notice>
        ) : null}
        {result?.ok && done ? <Notice tone="ok">{done}</Notice> : null}
        {children}
      </form>
    </Refusals>
  );
}

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
function keepTyped(form: HTMLFormElement): void {
  const typed: Typed = controls(form).map((it) => [it.name, it.value, isChoice(it) ? it.checked : null]);
  if (typed.length > 0 && !form.closest("dialog")) saveToTab(keyOf(form), typed);
}

/** The same of all forms that need a fresh sign-in (`data-fresh`) and could be filled in. */
export function keepAllTyped(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("[data-fresh]:not(:disabled) form")) keepTyped(form);
}

/** Put back what was kept, once, as if it were typed: what follows the form hears of it. A form that takes nothing yet gets it later. */
function restoreTyped(form: HTMLFormElement): void {
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
      // The element's own way to be set, since React takes what goes by its for nothing new.
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")?.set?.call(control, was.value);
      control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
    }
  }
}

const isChoice = (control: Control): control is HTMLInputElement => choices.has(control.type);
