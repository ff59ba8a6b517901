import type { AppError } from "@/lib/errors";

/** The result of submitting an owner's form. */
export type ActionResult<T = undefined> = { ok: true; value?: T } | ActionError;
export type ActionError = {
  ok: false;
  message: string;
  /** Errors by field name or dotted path. */
  fields?: Record<string, string>;
  /** The link to confirm the owner's identity, if the action requires only that. */
  signIn?: string;
  /** The values of the form's fields by name, to fill in the form again. */
  typed?: Record<string, string>;
};

/** An error as a message for the owner. */
export function toActionError({ message, details = [] }: AppError): ActionError {
  const fields = Object.fromEntries(details.flatMap(({ path, message }) => (path ? [[path, message]] : [])));
  const refused = { ok: false as const, message: details[0]?.message ?? message };
  return Object.keys(fields).length > 0 ? { ...refused, fields } : refused;
}
