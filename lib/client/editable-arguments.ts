import type { Fields, FieldValue } from "./field-types";

/*
 * A tool call's arguments as fields of a question, so that the owner can change the arguments
 * before approving the call. Nested arguments, blank texts, and values that a field can't hold stay
 * unchanged.
 */

/** A question has at most 20 fields. */
const maxFields = 20;
const fieldName = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const reserved = new Set(["constructor", "prototype"]);
/** Matches characters that the service may reject in a field's default. */
const unsafe = /(?![\n\t])\p{C}|[\p{Zl}\p{Zp}]|[\p{Mn}\p{Me}]{4,}/u;

/**
 * Returns a call's editable arguments as fields, with the proposed values as defaults: texts,
 * numbers, integers and booleans. Every field is required.
 * @returns undefined if no argument is editable
 */
export function fieldsOf(input: unknown): Fields | undefined {
  if (!isObject(input)) return undefined;
  const properties: Fields["properties"] = {};
  const taken = new Set<string>();
  for (const name of Object.keys(input).sort()) {
    const field = fieldName.test(name) && !reserved.has(name) ? fieldFor(input[name]) : undefined;
    if (!field || taken.has(folded(name)) || taken.size === maxFields) continue;
    taken.add(folded(name));
    properties[name] = field;
  }
  return taken.size === 0 ? undefined : { type: "object", properties, required: Object.keys(properties) };
}

/**
 * Folds a field's name like the service, which rejects fields whose labels look alike.
 */
const folded = (name: string) =>
  name
    .toLowerCase()
    .replace(/[01i58]/g, (character) => lookalikes[character] as string)
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replace(/_+/g, "_")
    .replace(/_$/, "");

const lookalikes: Record<string, string> = { 0: "o", 1: "l", i: "l", 5: "s", 8: "b" };

function fieldFor(value: unknown): Fields["properties"][string] | undefined {
  if (typeof value === "boolean") return { type: "boolean", default: value };
  if (typeof value === "string") {
    // A required field must not be blank, so the owner could not keep a blank text.
    const fits = value.trim() !== "" && [...value].length <= 10_000 && !unsafe.test(value);
    return fits ? { type: "string", default: value } : undefined;
  }
  if (typeof value !== "number" || Object.is(value, -0)) return undefined;
  const size = Math.abs(value);
  if (!(size === 0 || (size >= 1e-6 && size <= 1e15))) return undefined;
  return { type: Number.isInteger(value) ? "integer" : "number", default: value };
}

/** Returns the arguments that are no fields, which the question shows as facts. */
export function withoutFields(input: unknown, fields: Fields): unknown {
  if (!isObject(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([name]) => !Object.hasOwn(fields.properties, name)));
}

/**
 * Returns the arguments with the owner's values. An optional field without a value removes its
 * argument.
 * @param values the values in the verified receipt
 */
export function edited<Input>(input: Input, fields: Fields, values: Record<string, unknown> = {}): Input {
  const names = Object.keys(fields.properties);
  const given = names.filter((name) => Object.hasOwn(values, name)).map((name) => [name, values[name] as FieldValue]);
  return { ...(withoutFields(input, fields) as object), ...Object.fromEntries(given) } as Input;
}

const isObject = (input: unknown): input is Record<string, unknown> =>
  typeof input === "object" && input !== null && !Array.isArray(input);
