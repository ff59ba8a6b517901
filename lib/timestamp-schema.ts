import { z } from "zod";
import { timestampMessage } from "./text/validation-messages";

/**
 * Explains why a time is too small for epoch milliseconds: it is in seconds, or a duration. Returns
 * undefined for other values.
 */
function unitProblem(time: number): string | undefined {
  if (time > 0 && time < 1e9) return "The value looks like a duration. Send a time in epoch milliseconds.";
  return time > 0 && time < 1e11 ? "The value looks like seconds. Send milliseconds." : undefined;
}

/**
 * Returns a schema for a time in epoch milliseconds. The format tells typed languages that the
 * value needs more than 32 bits.
 */
export const epochMillis = () =>
  z.int({ error: timestampMessage }).meta({ format: "int64", description: "A time in epoch milliseconds." });

/**
 * Returns a schema for a time in epoch milliseconds that a caller sends. Rejects times before
 * November 2023, because smaller numbers usually have another unit.
 * @param message the error message for values that don't appear to have another unit
 */
export const moment = (message: string) =>
  epochMillis().min(1_700_000_000_000, { error: ({ input }) => unitProblem(Number(input)) ?? message });
