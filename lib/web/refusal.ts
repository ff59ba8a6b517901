import type { AppError } from "@/lib/errors";

/**
 * What an owner's form is answered. `fields` says what is wrong with each, by name or dotted path; `signIn` is where to show
 * once more who one is, when that is all that is missing.
 */
export type ActionResult<T = undefined> = { ok: true; value?: T } | Refused;
export type Refused = { ok: false; message: string; fields?: Record<string, string>; signIn?: string };

/** A refusal in the words that the owner reads. */
export function refusal({ message, details = [] }: AppError): Refused {
  const fields = Object.fromEntries(details.flatMap(({ path, message }) => (path ? [[path, message]] : [])));
  const refused = { ok: false as const, message: details[0]?.message ?? message };
  return Object.keys(fields).length > 0 ? { ...refused, fields } : refused;
}
