import { z } from "zod";
import { badRequest, type Detail } from "@/lib/errors";
import { validationMessage } from "@/lib/text/validation-messages";
import { type FieldHints, fieldHint } from "./field-names";

/** Most characters of an unknown field's name that are told back. */
const mostOfName = 100;

/**
 * Each refused field and why.
 * @param schema what refused it @param at the path of the field that the input stands in @param words how to speak of unknown fields
 */
export function detailsOf(schema: z.ZodType, error: z.ZodError, at: PropertyKey[] = [], words?: FieldHints): Detail[] {
  const pathOf = (path: PropertyKey[]) => [...at, ...path].join(".");
  // Of a value of the wrong type, its length says nothing more.
  const mistyped = new Set(error.issues.flatMap(({ code, path }) => (code === "invalid_type" ? [pathOf(path)] : [])));
  return error.issues.flatMap((issue) => {
    const path = pathOf(issue.path);
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => {
        const name = key.slice(0, mostOfName);
        const hint = fieldHint(schema, issue.path, name, words);
        return { path: pathOf([...issue.path, name]), message: `Unrecognized key: ${name}. ${hint}` };
      });
    return mistyped.has(path) && issue.code !== "invalid_type" ? [] : [{ path, message: issue.message }];
  });
}

/**
 * What a schema makes of an input, or what is wrong with it in words.
 * @param at where the input stands, for the names of the fields
 * @throws {AppError} 400 naming each field that is wrong
 */
export function validate<S extends z.ZodType>(schema: S, input: unknown, at: PropertyKey[] = []): z.output<S> {
  const read = schema.safeParse(input, { error: validationMessage });
  if (!read.success) throw badRequest(detailsOf(schema, read.error, at));
  return read.data;
}

/**
 * An input without the nulls that stand for nothing: of fields that the schema names, at any depth. Generated clients write
 * them where nothing was set. What is free-form keeps its own.
 */
export const withoutNulls = <T>(schema: z.ZodType, given: T): T =>
  mayHoldNull(given, 5) ? stripped(schema, given) : given;

/** To look is far quicker than to write anew. @param depth what lies deeper is not looked at, and may be anything */
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
