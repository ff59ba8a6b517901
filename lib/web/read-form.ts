import { z } from "zod";
import { AppError } from "@/lib/errors";

/** Whether a script sent the request, and reads the response itself. */
export const wantsJson = (request: Request) => request.headers.get("accept") === "application/json";

/** Reads a request's form. @throws {AppError} 400 if there is no form */
export const formOf = (request: Request): Promise<FormData> =>
  request.formData().catch(() => {
    throw new AppError(400, "This form is invalid. Reload the page, then try again.");
  });

/**
 * Converts a form to the object that its schema expects. A list field gets all of its values, and
 * any other field its last value. An empty optional field counts as absent. Files and the hidden
 * fields of Next.js are dropped.
 */
export function readForm(schema: z.ZodType, form: FormData): Record<string, string | string[]> {
  const shape = shapeOf(schema);
  const read = new Map<string, string | string[]>();
  for (const [name, field] of Object.entries(shape)) if (inner(field) instanceof z.ZodArray) read.set(name, []);
  for (const [name, value] of form) {
    if (typeof value !== "string" || name.startsWith("$ACTION")) continue;
    const sofar = read.get(name);
    const field = shape[name];
    if (Array.isArray(sofar)) sofar.push(value);
    else if (value !== "" || !field?.safeParse(undefined).success) read.set(name, value);
  }
  return Object.fromEntries(read);
}

const shapeOf = (schema: z.ZodType): Record<string, z.ZodType> => {
  const object = inner(schema);
  return object instanceof z.ZodObject ? object.shape : {};
};

/** A schema without its default, optional or transform wrappers. */
function inner(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) return inner(schema.in as z.ZodType);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return inner(schema.unwrap() as z.ZodType);
  }
  return schema;
}
