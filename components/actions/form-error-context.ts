"use client";
import { createContext, useContext } from "react";
import type { ActionError } from "@/lib/web/action-result";

/** The form's error from the last submission, if any. */
export const FormErrors = createContext<ActionError | undefined>(undefined);

/** The field's error, or the errors of its lines. */
export function useRefusal(name: string): string | undefined {
  const refused = Object.entries(useContext(FormErrors)?.fields ?? {}).filter(
    ([at]) => at === name || at.startsWith(`${name}.`),
  );
  return refused.map(([at, why]) => (at === name ? why : `Line ${Number(at.slice(name.length + 1)) + 1}: ${why}`))[0];
}

/** The value that the form's action returned for this field, if any. */
export const useTyped = (name: string): string | undefined => useContext(FormErrors)?.typed?.[name];
