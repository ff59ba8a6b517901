import { z } from "zod";
import { timestampMessage } from "./text/validation-messages";

/**
 * Explains a time that is too small for epoch milliseconds, because it is in seconds or a duration.
 * Undefined for other values.
 */
function unitProblem(time: number): string | undefined {
  if (time > 0 && time < 1e9) return "The value looks like a duration. Send a time in epoch milliseconds.";
  return time > 0 && time < 1e11 ? "The value looks like seconds. Send milliseconds." : undefined;
}

/**
 * A schema for a time in epoch milliseconds. The format tells typed languages that the value
 * exceeds 32 bits.
 */
export const epochMillis = () =>
  z.int({ error: timestampMessage }).meta({ format: "int64", description: "A time in epoch milliseconds." });

/**
 * A schema for a time in epoch milliseconds that a caller sends. Rejects times before November
 * 2023, because a smaller number is usually in another unit.
 * @param message the message for other mistakes
 */
export const moment = (message: string) =>
  epochMillis().min(1_700_000_000_000, { error: ({ input }) => unitProblem(Number(input)) ?? message });
