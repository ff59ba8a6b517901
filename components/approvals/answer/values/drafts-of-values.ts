import { choicesOf, isItems, isMoney } from "@/lib/approvals/fields/field-kinds";
import type { FieldSchema, Fields } from "@/lib/approvals/fields/field-schema";
import { controlName } from "@/lib/approvals/fields/form-values";

/** The key of a checkbox's draft, which is `yes` or `no`. Each choice has its own draft. */
export const checkboxKey = (control: string, value: string) => `${control}=${value}`;

/**
 * Returns the drafts of all fields' controls for the values of an answer. A control without a value
 * is empty.
 */
export const draftsOf = (fields: Fields, values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields.properties).flatMap(([name, field]) =>
      draftsOfField(name, field, Object.hasOwn(values, name) ? values[name] : undefined),
    ),
  );

const yesOrNo = (checked: boolean) => (checked ? "yes" : "no");

function draftsOfField(name: string, field: FieldSchema, value: unknown): [string, string][] {
  const control = controlName(name);
  if (isItems(field)) return Object.entries(value ?? {}).map(([id, verdict]) => [controlName(name, id), verdict]);
  if (field.type === "array") {
    const chosen = new Set(value as string[] | undefined);
    return (choicesOf(field) ?? []).map((choice, index) => [
      checkboxKey(controlName(name, index), choice.value),
      yesOrNo(chosen.has(choice.value)),
    ]);
  }
  if (field.type === "boolean") return [[checkboxKey(control, "true"), yesOrNo(value === true)]];
  if (isMoney(field)) return [[control, (value as { amount: string } | undefined)?.amount ?? ""]];
  return [[control, String(value ?? "")]];
}
