import type { AppError } from "@/lib/errors";

/** What an owner's form is answered. */
export type ActionResult<T = undefined> = { ok: true; value?: T } | ActionError;
export type ActionError = {
  ok: false;
  message: string;
  /** What is wrong with each, by name or dotted path. */
  fields?: Record<string, string>;
  /** Where to show once more who one is, when that is all that is missing. */
  signIn?: string;
  /** What is to stand in the fields where the page is made anew, by name. */
  typed?: Record<string, string>;
};

/** A refusal in the words that the owner reads. */
export function toActionError({ message, details = [] }: AppError): ActionError {
  const fields = Object.fromEntries(details.flatMap(({ path, message }) => (path ? [[path, message]] : [])));
  const refused = { ok: false as const, message: details[0]?.message ?? message };
  return Object.keys(fields).length > 0 ? { ...refused, fields } : refused;
}
