import { z } from "zod";

type Words = z.core.$ZodErrorMap;

/**
 * Returns the message for invalid input, as the `error` of a `safeParse`. It says what to send
 * instead. An absent or null field is "Required". A value of the wrong type is described but not
 * repeated, because it may be long or secret.
 */
export const validationMessage: Words = (issue) => {
  if (issue.input === undefined || issue.input === null) return "Required";
  if (issue.code === "invalid_type") return `${wantedType(issue.expected, issue.inst)}, not ${kindOf(issue.input)}`;
  if (issue.code === "invalid_value") return oneOf(issue.values);
  if (issue.code === "too_big") return `Must be at most ${counted(issue.maximum, issue.origin)}`;
  if (issue.code === "invalid_union" && Array.isArray(issue.options)) return oneOf(issue.options);
  if (issue.code === "invalid_key") return issue.issues[0]?.message;
  if (issue.code !== "too_small") return undefined;
  if (issue.origin === "string" && issue.minimum === 1) return "Must not be empty";
  return `Must be at least ${counted(issue.minimum, issue.origin)}`;
};

/**
 * The `error` of a schema for epoch milliseconds. It gives an example, because callers often send a
 * date instead.
 */
export const timestampMessage: Words = ({ code, input }) =>
  code === "invalid_type" && input !== undefined && input !== null
    ? "Must be epoch milliseconds, like 1795000000000"
    : undefined;

const oneOf = (values: readonly z.core.util.Primitive[]) =>
  `Must be ${values.map((it) => JSON.stringify(it)).join(" or ")}`;

function wantedType(expected: string, schema: unknown): string {
  if (expected === "array") {
    const fields = requiredOf(schema instanceof z.ZodArray ? schema.element : undefined);
    return fields ? `Must be a list of ${fields}` : "Must be a list";
  }
  if (expected === "object") return `Must be an object ${requiredOf(schema)}`.trim();
  const whole = expected === "int" || (schema instanceof z.ZodNumber && schema.isInt);
  const words: Record<string, string> = { string: "text", boolean: "true or false" };
  return `Must be ${whole ? "a whole number" : (words[expected] ?? `a ${expected}`)}`;
}

/** Returns the names of an object's required fields as text, like `{id, label}`. */
function requiredOf(schema: unknown): string {
  if (!(schema instanceof z.ZodObject)) return "";
  const fields = Object.entries<z.ZodType>(schema.shape);
  const names = fields.flatMap(([name, field]) => (field instanceof z.ZodOptional ? [] : [name]));
  return names.length > 0 ? `{${names.join(", ")}}` : "";
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number") return Number.isInteger(value) ? "a number" : "a fraction";
  return { string: "text", boolean: "true or false" }[typeof value as string] ?? "an object";
}

const counted = (count: number | bigint, origin: string) =>
  origin === "string" ? `${count.toLocaleString("en")} characters` : `${count}`;
