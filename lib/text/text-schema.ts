import { z } from "zod";
import { type Bounds, textProblem } from "./text-problems";

/**
 * Returns a schema for text, which is stored exactly as sent or rejected. The text must be
 * well-formed, stay within its length limits and, unless `min` is 0, contain a visible character.
 * Control characters, bidirectional overrides, Unicode tags and stacked marks are rejected.
 */
export const text = (bounds: Bounds) =>
  z
    .string()
    .check(refuse((value) => textProblem(value, bounds)))
    .meta({
      ...((bounds.min ?? 1) > 0 && { minLength: bounds.min ?? 1 }),
      maxLength: bounds.max,
      pattern: bounds.lines ? patterns.lines : patterns.line,
    });

/**
 * Returns a schema check with a custom message.
 * @param problemOf returns what is wrong with a value, or undefined
 */
export const refuse =
  <T>(problemOf: (value: T) => string | undefined) =>
  ({ value, issues }: z.core.ParsePayload<T>): void => {
    const message = problemOf(value);
    if (message) issues.push({ code: "custom", message, input: value });
  };

/**
 * Patterns that reject control characters. Their syntax works in every language's regular
 * expressions.
 */
export const patterns = {
  line: "^[^\\x00-\\x1f\\x7f-\\x9f]*$",
  lines: "^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]*$",
} as const;
