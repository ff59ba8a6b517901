import type { Fields } from "@/lib/approvals/fields/field-schema";
import { readValues } from "@/lib/approvals/fields/field-values";
import { valuesFromForm } from "@/lib/approvals/fields/form-values";

/** Reads the values from the texts of a form's controls, with the problems by field name. */
export const valuesOf = (fields: Fields, typed: Readonly<Record<string, string>>) =>
  readValues(fields, valuesFromForm(fields, typed));
