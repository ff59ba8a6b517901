import { choicesOf, isItems, isMoney } from "./field-kinds";
import type { FieldSchema, MoneyField, StringField } from "./field-schema";
import { amountProblem, compareAmounts } from "./money";

/** Returns why a field's bounds contradict each other, by path; empty if they don't. */
export function boundsProblems(field: FieldSchema): { path: string; message: string }[] {
  if (isMoney(field)) return moneyBounds(field);
  if (isItems(field) || field.type === "boolean") return [];
  if (field.type === "string" && (field.enum || field.oneOf)) return choiceProblems(field);
  const [low, high, names] =
    field.type === "string"
      ? [field.minLength, field.maxLength, ["minLength", "maxLength"]]
      : field.type === "array"
        ? [field.minItems, field.maxItems, ["minItems", "maxItems"]]
        : [field.minimum, field.maximum, ["minimum", "maximum"]];
  const [lower = "", upper = ""] = names;
  if (low !== undefined && high !== undefined && low > high)
    return [{ path: upper, message: `Must not be less than ${lower}` }];
  if (field.type === "array" && (low ?? 0) > (choicesOf(field) ?? []).length)
    return [{ path: lower, message: "Must not exceed the number of choices" }];
  const whole = (value: number | undefined) => value === undefined || Number.isInteger(value);
  if (field.type === "integer" && !(whole(low) && whole(high)))
    return [{ path: whole(low) ? upper : lower, message: "Must be an integer" }];
  return [];
}

/** A choice has no bounds or format, and only one list of choices. */
function choiceProblems(field: StringField) {
  const extra = (["minLength", "maxLength", "format"] as const).find((name) => field[name] !== undefined);
  if (extra) return [{ path: extra, message: "Cannot be combined with choices" }];
  return field.enum && field.oneOf ? [{ path: "oneOf", message: "Cannot be combined with enum" }] : [];
}

function moneyBounds({ currency, minimum, maximum }: MoneyField) {
  const bounds = { minimum, maximum };
  const problems = Object.entries(bounds).flatMap(([path, amount]) => {
    const message = amount === undefined ? undefined : amountProblem(amount, currency);
    return message ? [{ path, message }] : [];
  });
  if (problems.length > 0 || minimum === undefined || maximum === undefined) return problems;
  return compareAmounts(minimum, maximum) > 0 ? [{ path: "maximum", message: "Must not be less than minimum" }] : [];
}
