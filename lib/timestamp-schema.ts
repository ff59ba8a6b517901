import { z } from "zod";
import { timestampMessage } from "./text/validation-messages";

/**
 * Explains a time that is too small for milliseconds: it is in seconds, or a duration. Returns
 * undefined for other values.
 */
function unitProblem(time: number): string | undefined {
  if (time > 0 && time < 1e9) return "The value looks like a duration. Send a time in epoch milliseconds.";
  return time > 0 && time < 1e11 ? "The value looks like seconds. Send milliseconds." : undefined;
}

/** A time in epoch milliseconds. The value exceeds 32 bits, so typed languages need the format. */
export const epochMillis = () =>
  z.int({ error: timestampMessage }).meta({ format: "int64", description: "A time in epoch milliseconds." });

/**
 * A time in epoch milliseconds that a caller sends. Times before November 2023 are mistakes.
 * @param message the message for mistakes other than a wrong unit
 */
export const moment = (message: string) =>
  epochMillis().min(1_700_000_000_000, { error: ({ input }) => unitProblem(Number(input)) ?? message });
