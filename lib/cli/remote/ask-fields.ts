import type { Fields, FieldValue } from "@/lib/client/field-types";
import { UsageError } from "../command";

type Field = Fields["properties"][string];

const form =
  '--field must have the form NAME=TYPE or NAME=TYPE:VALUE, such as "amount=money:EUR:86.40", "when=date", "express=boolean:false" or "account=choice:giro|savings". The types are text, email, uri, date, time, date-time, number, integer, boolean, money, choice and choices.';
const formats = ["email", "uri", "date", "time", "date-time"] as const;

/**
 * Reads the fields of a question from arguments like `amount=money:EUR:86.40`. A name that ends
 * with `?` is an optional field. The value after the type is the default, or the list of choices.
 * @returns undefined without arguments
 * @throws {UsageError} if an argument has another form, or if two have the same name
 */
export function parseFields(given: readonly string[]): Fields | undefined {
  if (given.length === 0) return undefined;
  const fields = new Map<string, Field>();
  const required: string[] = [];
  for (const each of given) {
    const [, name = "", optional, type = "", value] =
      /^([A-Za-z][A-Za-z0-9_]*)(\??)=([a-z-]+)(?::(.*))?$/s.exec(each) ?? [];
    const field = parseField(type, value);
    if (!field) throw new UsageError(form);
    if (fields.has(name)) throw new UsageError(`Two fields have the name ${name}. Rename one of them.`);
    fields.set(name, field);
    if (!optional) required.push(name);
  }
  const properties = Object.fromEntries(fields);
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

function parseField(type: string, value: string | undefined): Field | undefined {
  if (type === "money") return money(value);
  if (type === "choice" || type === "choices") {
    const choices = value?.split("|").filter(Boolean) ?? [];
    if (choices.length === 0) return undefined;
    return type === "choice"
      ? { type: "string", enum: choices }
      : { type: "array", items: { type: "string", enum: choices } };
  }
  if (type === "boolean") {
    if (value === undefined) return { type };
    return value === "true" || value === "false" ? { type, default: value === "true" } : undefined;
  }
  if (type === "number" || type === "integer") {
    if (value === undefined) return { type };
    return /^-?\d+(\.\d+)?$/.test(value) ? { type, default: Number(value) } : undefined;
  }
  const format = formats.find((each) => each === type);
  if (!format && type !== "text") return undefined;
  return { type: "string", ...(format && { format }), ...(value !== undefined && { default: value }) };
}

function money(value: string | undefined): Field | undefined {
  const [, currency, amount] = /^([A-Z]{3})(?::(-?[\d.]+))?$/.exec(value ?? "") ?? [];
  if (currency === undefined) return undefined;
  const field = { type: "object", format: "money", currency } as const;
  return amount === undefined ? field : { ...field, default: { amount, currency } };
}

/**
 * Writes the values of an answer as lines of `NAME=VALUE`. A text with control characters is
 * written as a JSON string, so that each value has one line.
 */
export function valueLines(values: Record<string, FieldValue> | undefined): string[] {
  return Object.entries(values ?? {}).map(([name, value]) => `${name}=${written(value)}`);
}

function written(value: FieldValue): string {
  if (typeof value === "string") return /\p{Cc}/u.test(value) ? JSON.stringify(value) : value;
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.join("|");
  const { amount, currency } = value as Record<string, string>;
  if (Object.keys(value).length === 2 && amount !== undefined && currency !== undefined) return `${amount} ${currency}`;
  return JSON.stringify(value);
}
