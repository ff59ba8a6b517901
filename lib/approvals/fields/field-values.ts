import { textProblem } from "@/lib/text/text-problems";
import { choicesOf, isItems, isMoney } from "./field-kinds";
import type {
  ChoicesField,
  FieldSchema,
  Fields,
  ItemsField,
  MoneyField,
  NumberField,
  StringField,
  Verdict,
} from "./field-schema";
import { amountProblem, compareAmounts, type Money } from "./money";

/** The value of a field. Rows map each row's ID to its verdict. */
export type FieldValue = string | number | boolean | string[] | Money | Record<string, Verdict>;
export type FieldValues = Record<string, FieldValue>;

/**
 * Compares the values of an answer with the question's fields.
 * @param given the values by field name, as received
 * @returns the valid values in the order of the fields, and the problems by field name
 */
export function readValues(
  fields: Fields,
  given: Readonly<Record<string, unknown>>,
): { values: FieldValues; problems: Map<string, string> } {
  const problems = new Map<string, string>();
  const values: FieldValues = {};
  for (const name of Object.keys(given))
    if (!Object.hasOwn(fields.properties, name))
      problems.set(name.slice(0, 100), "The question has no field with this name");
  for (const [name, field] of Object.entries(fields.properties)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || value === null) {
      if (fields.required?.includes(name)) problems.set(name, "Required");
      continue;
    }
    const message = valueProblem(field, value);
    if (message) problems.set(name, message);
    else values[name] = value as FieldValue;
  }
  return { values, problems };
}

/** Returns what is wrong with a field's value, or undefined if nothing is. */
export function valueProblem(field: FieldSchema, value: unknown): string | undefined {
  if (isMoney(field)) return moneyProblem(field, value);
  if (isItems(field)) return itemsProblem(field, value);
  if (field.type === "boolean") return typeof value === "boolean" ? undefined : "Must be true or false";
  if (field.type === "array") return choicesProblem(field, value);
  if (field.type !== "string") return numberProblem(field, value);
  const choices = choicesOf(field);
  if (!choices) return stringProblem(field, value);
  return choices.some((it) => it.value === value) ? undefined : "Must be one of the choices";
}

function stringProblem({ minLength = 0, maxLength = 10_000, format }: StringField, value: unknown): string | undefined {
  if (typeof value !== "string") return "Must be text";
  const problem = textProblem(value, { max: maxLength, min: 0, lines: format === undefined });
  if (problem) return problem;
  const length = [...value].length;
  if (length < minLength) return `Must be at least ${minLength.toLocaleString("en")} characters`;
  return format ? formatProblem[format](value) : undefined;
}

const isDate = (value: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(value) && new Date(`${value}T00:00:00Z`).toISOString().startsWith(value);
const hourAndMinute = "([01]\\d|2[0-3]):[0-5]\\d";
const time = `${hourAndMinute}(:[0-5]\\d(\\.\\d{1,3})?)?`;
const valid = (check: () => boolean, message: string) => {
  try {
    return check() ? undefined : message;
  } catch {
    return message;
  }
};
const formatProblem: Record<NonNullable<StringField["format"]>, (value: string) => string | undefined> = {
  email: (value) => (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) ? undefined : "Must be an email address"),
  uri: (value) => (/^[a-z][a-z0-9+.-]*:\S+$/i.test(value) ? undefined : "Must be an address, like https://example.com"),
  date: (value) => valid(() => isDate(value), "Must be a date, like 2026-12-31"),
  time: (value) => (new RegExp(`^${time}$`).test(value) ? undefined : "Must be a time, like 18:30"),
  "date-time": (value) =>
    valid(
      () => isDate(value.slice(0, 10)) && new RegExp(`^T${time}(Z|[+-]${hourAndMinute})$`).test(value.slice(10)),
      "Must be a date and time with an offset, like 2026-12-31T18:30:00Z",
    ),
};

function numberProblem({ type, minimum, maximum }: NumberField, value: unknown): string | undefined {
  if (typeof value !== "number" || !Number.isFinite(value))
    return `Must be a number, like ${type === "integer" ? "1000" : "1000.5"}`;
  if (type === "integer" && !Number.isSafeInteger(value)) return "Must be a whole number";
  if (Object.is(value, -0)) return "Must not be negative zero";
  if (value !== 0 && (Math.abs(value) > 1e15 || Math.abs(value) < 1e-6))
    return "Must be 0, or from 1e-6 to 1e15 in absolute value";
  if (minimum !== undefined && value < minimum) return `Must be at least ${minimum}`;
  if (maximum !== undefined && value > maximum) return `Must be at most ${maximum}`;
  return undefined;
}

function choicesProblem(field: ChoicesField, value: unknown): string | undefined {
  if (!Array.isArray(value)) return "Must be a list of choices";
  const offered = new Set((choicesOf(field) ?? []).map((it) => it.value));
  if (value.some((it) => !offered.has(it))) return "Must contain only the offered choices";
  if (new Set(value).size !== value.length) return "Must contain each choice at most once";
  const { minItems = 0, maxItems = offered.size } = field;
  if (value.length < minItems) return `Must contain at least ${minItems}`;
  if (value.length > maxItems) return `Must contain at most ${maxItems}`;
  return undefined;
}

function moneyProblem({ currency, minimum, maximum }: MoneyField, value: unknown): string | undefined {
  if (!isMoneyValue(value)) return `Must be an amount and its currency, like {"amount":"…","currency":"${currency}"}`;
  const { amount } = value;
  if (value.currency !== currency) return `Must be in ${currency}`;
  const problem = amountProblem(amount, currency);
  if (problem) return problem;
  if (minimum !== undefined && compareAmounts(amount, minimum) < 0) return `Must be at least ${minimum}`;
  if (maximum !== undefined && compareAmounts(amount, maximum) > 0) return `Must be at most ${maximum}`;
  return undefined;
}

const isMoneyValue = (value: unknown): value is Money =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).sort().join() === "amount,currency" &&
  Object.values(value).every((it) => typeof it === "string");

function itemsProblem({ items }: ItemsField, value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "Must map each row to a verdict";
  const given = value as Record<string, unknown>;
  const ids = new Set(items.map(({ id }) => id));
  if (Object.keys(given).some((id) => !ids.has(id))) return "Must contain only rows of the question";
  const missing = items.find(({ id }) => !Object.hasOwn(given, id));
  if (missing) return `Must contain a verdict for ${missing.id}`;
  return Object.values(given).every((it) => it === "approve" || it === "reject")
    ? undefined
    : "Each verdict must be approve or reject";
}
