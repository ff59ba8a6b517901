"use client";
import Link from "next/link";
import { createContext, useActionState, useContext, useEffect, useRef } from "react";
import { keepTyped, restoreTyped } from "./kept-form";
import { Notice } from "./notice";

/** What a form's action answers: the same shape as lib/web's ActionResult. */
export type FormResult<T = unknown> =
  | { ok: true; value?: T }
  | {
      ok: false;
      message: string;
      fields?: Record<string, string>;
      signIn?: string;
      /** What is to stand in the fields, by name: without JavaScript the page is made anew. */
      typed?: Record<string, string>;
    };
/** Written as a method, so that an action whose result says more than the form needs fits too. */
export type FormAction<T = unknown> = {
  send(previous: FormResult<T> | null, form: FormData): Promise<FormResult<T>>;
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

type ActionFormProps<T> = {
  action: FormAction<T>;
  children: React.ReactNode;
  /** Said after success. */
  done?: React.ReactNode;
  /** Shown in place of the form after success. */
  success?: (value: T) => React.ReactNode;
  className?: string;
};

/**
 * A form joined to a server action, with or without JavaScript. A refusal is shown above the form and at its fields, and
 * what was typed stays, also while one signs in again for it; after success the form is empty again.
 */
export function ActionForm<T>({ action, children, done, success, className = "grid gap-5" }: ActionFormProps<T>) {
  const [result, send] = useActionState(action, null);
  const form = useRef<HTMLFormElement>(null);
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => {
    outcome.current?.focus();
    if (result && !result.ok) form.current?.querySelector<HTMLElement>("[aria-invalid=true], [role=alert]")?.focus();
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
        action={send}
        className={className}
        // React empties a form when its action ends; a refused form keeps what was typed.
        onReset={(event) => refused && event.preventDefault()}
      >
        {refused ? (
          <Notice tone="danger">
            {refused.message}
            {refused.signIn ? (
              <Link href={refused.signIn} className="link ml-2" onClick={() => form.current && keepTyped(form.current)}>
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
