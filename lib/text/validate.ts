import { z } from "zod";
import { badRequest, type Detail } from "@/lib/errors";
import { validationMessage } from "@/lib/text/validation-messages";
import { type FieldHints, fieldHint } from "./unknown-field-hints";

/** The maximum length of an unknown field's name in a message. */
const maxNameLength = 100;

/**
 * Returns the rejected fields, each with the reason.
 * @param schema the schema that rejected the input
 * @param at the input's path
 * @param words hints for unknown fields
 */
export function detailsOf(schema: z.ZodType, error: z.ZodError, at: PropertyKey[] = [], words?: FieldHints): Detail[] {
  const pathOf = (path: PropertyKey[]) => [...at, ...path].join(".");
  // If a field has the wrong type, its other errors are left out.
  const mistyped = new Set(error.issues.flatMap(({ code, path }) => (code === "invalid_type" ? [pathOf(path)] : [])));
  return error.issues.flatMap((issue) => {
    const path = pathOf(issue.path);
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => {
        const name = key.slice(0, maxNameLength);
        const hint = fieldHint(schema, issue.path, name, words);
        return { path: pathOf([...issue.path, name]), message: `Unrecognized key: ${name}. ${hint}` };
      });
    return mistyped.has(path) && issue.code !== "invalid_type" ? [] : [{ path, message: issue.message }];
  });
}

/**
 * Validates an input.
 * @param path the input's path, for the names of fields
 * @throws {AppError} 400 naming each invalid field
 */
export function validate<S extends z.ZodType>(schema: S, input: unknown, path: PropertyKey[] = []): z.output<S> {
  const read = schema.safeParse(input, { error: validationMessage });
  if (!read.success) throw badRequest(detailsOf(schema, read.error, path));
  return read.data;
}

/**
 * Removes nulls from fields that the schema names, at any depth, because generated clients send
 * null for unset fields. Free-form data keeps its nulls.
 */
export const withoutNulls = <T>(schema: z.ZodType, given: T): T =>
  mayHoldNull(given, 5) ? stripped(schema, given) : given;

/**
 * Whether the input may contain a null. This check is far faster than a copy.
 * @param depth how many levels to check; anything deeper may contain nulls
 */
function mayHoldNull(given: unknown, depth: number): boolean {
  if (typeof given !== "object") return false;
  if (given === null || depth === 0) return true;
  return Object.values(given).some((value) => mayHoldNull(value, depth - 1));
}

function stripped<T>(schema: z.ZodType, given: T): T {
  if (schema instanceof z.ZodOptional) return stripped(schema.unwrap() as z.ZodType, given);
  if (schema instanceof z.ZodArray && Array.isArray(given))
    return given.map((it) => stripped(schema.element as z.ZodType, it)) as T;
  if (!(schema instanceof z.ZodObject) || typeof given !== "object" || given === null || Array.isArray(given))
    return given;
  const shape: Record<string, z.ZodType> = schema.shape;
  const fields = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (field && value === null) return [];
    return [[name, field ? stripped(field, value) : value]];
  });
  return Object.fromEntries(fields) as T;
}
