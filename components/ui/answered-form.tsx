"use client";
import { createContext, useContext, useEffect, useRef } from "react";
import { readFromTab, saveToTab } from "@/components/actions/tab-storage";
import type { ActionResult } from "@/lib/web/action-result";
import { Link } from "./link";
import { Notice } from "./notice";

type Answer = { fields?: Record<string, string> | undefined; typed?: Record<string, string> | undefined };
const Refusals = createContext<Answer>({});

/** The error for this field, or one of its lines, from the last submission. */
export function useRefusal(name: string): string | undefined {
  const { fields = {} } = useContext(Refusals);
  const refused = Object.entries(fields).filter(([at]) => at === name || at.startsWith(`${name}.`));
  return refused.map(([at, why]) => (at === name ? why : `Line ${Number(at.slice(name.length + 1)) + 1}: ${why}`))[0];
}

/** The value that the form's action returned for this field, if any. */
export const useTyped = (name: string): string | undefined => useContext(Refusals).typed?.[name];

/** Props of every form. */
export type FormProps<T> = {
  children?: React.ReactNode;
  /** The message after success. */
  done?: React.ReactNode;
  /** Shown in place of the form after success. */
  success?: (value: T) => React.ReactNode;
  className?: string;
};

type AnsweredFormProps<T> = FormProps<T> & {
  result: ActionResult<T> | null;
  /** The URL that the form posts to. */
  to: Pick<React.ComponentProps<"form">, "action" | "method" | "onSubmit">;
};

/**
 * A form with its result. Errors appear above the form and at its fields, and typed values stay,
 * even across a fresh sign-in. After success the form resets.
 */
export function AnsweredForm<T>(props: AnsweredFormProps<T>) {
  const { result, to, children, done, success, className } = props;
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
        // React resets a form when its action ends; a rejected form must keep its values.
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

/** Stores a form's values in this tab during a fresh sign-in. It never submits the form. */
type Typed = [name: string, value: string, chosen: boolean | null][];

const choices = new Set(["checkbox", "radio"]);
const neverKept = new Set(["password", "hidden", "file", "submit", "button"]);

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
const controls = (form: HTMLFormElement) =>
  [...form.querySelectorAll<Control>("input[name], textarea[name], select[name]")].filter(
    ({ type }) => !neverKept.has(type),
  );

/** Finds the form with these fields. */
const keyOf = (form: HTMLFormElement) =>
  `countersign-form-${location.pathname} ${[...new Set(controls(form).map(({ name }) => name))].join()}`;

/** Stores the form's values except passwords. Confirmations typed in dialogs are not stored. */
export function keepTyped(form: HTMLFormElement): void {
  const typed: Typed = controls(form).map((it) => [it.name, it.value, isChoice(it) ? it.checked : null]);
  if (typed.length > 0 && !form.closest("dialog")) saveToTab(keyOf(form), typed);
}

/** Stores all enabled forms that need a fresh sign-in (`data-fresh`). */
export function keepAllTyped(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("[data-fresh]:not(:disabled) form")) keepTyped(form);
}

/**
 * Restores stored values once, firing input events so that listeners run. Disabled forms get theirs
 * later.
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
      // The native setter, because React ignores values set through its own.
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")?.set?.call(control, was.value);
      control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
    }
  }
}

const isChoice = (control: Control): control is HTMLInputElement => choices.has(control.type);
