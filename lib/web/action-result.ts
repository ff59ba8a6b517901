import type { AppError } from "@/lib/errors";

/** The result of submitting an owner's form. */
export type ActionResult<T = undefined> = { ok: true; value?: T } | ActionError;
export type ActionError = {
  ok: false;
  message: string;
  /** The reason, for errors that scripts must tell apart, like `unsigned`. */
  reason?: string;
  /** Errors by field name or dotted path. */
  fields?: Record<string, string>;
  /** The link for confirming the owner's identity, if the action requires nothing else. */
  signIn?: string;
  /** The values of the form's fields by name, to fill in the form again. */
  typed?: Record<string, string>;
};

/** Converts an error to the result that a form shows to the owner. */
export function toActionError({ message, details = [] }: AppError): ActionError {
  const fields = Object.fromEntries(details.flatMap(({ path, message }) => (path ? [[path, message]] : [])));
  const [{ message: why = message, reason } = {}] = details;
  const refused = { ok: false as const, message: why, ...(reason !== undefined && { reason }) };
  return Object.keys(fields).length > 0 ? { ...refused, fields } : refused;
}
