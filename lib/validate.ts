import type { z } from "zod";
import { badRequest, type Detail } from "./errors";

/** Each refused field and why, with the path of the field they stand in. */
export const detailsOf = (error: z.ZodError, at: PropertyKey[] = []): Detail[] =>
  error.issues.map(({ path, message }) => ({ path: [...at, ...path].join("."), message }));

/**
 * What a schema makes of an input.
 * @param at where the input stands, for the names of the fields
 * @throws {AppError} 400 naming each field that is wrong
 */
export function validate<S extends z.ZodType>(schema: S, input: unknown, at: PropertyKey[] = []): z.output<S> {
  const read = schema.safeParse(input);
  if (!read.success) throw badRequest(detailsOf(read.error, at));
  return read.data;
}
