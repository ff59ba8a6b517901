import { checkValues, type FieldValues } from "@/lib/approvals/fields/field-values";
import { valuesFromForm } from "@/lib/approvals/fields/form-values";
import type { Fields } from "@/lib/approvals/fields/schema";
import { AppError } from "@/lib/errors";
import type { ValueProblems } from "./use-answer-values";

/** Reads the values from a form's controls, or returns the problem of each field. */
export function readValues(
  fields: Fields,
  typed: Readonly<Record<string, string>>,
): { values?: FieldValues; problems: ValueProblems } {
  try {
    return { values: checkValues(fields, valuesFromForm(fields, typed)), problems: {} };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const problems = (error.details ?? []).map(({ path, message }) => [path.replace("values.", ""), message]);
    return { problems: Object.fromEntries(problems) };
  }
}
