import { z } from "zod";
import { timestampMessage } from "./text/validation-messages";

/** The mistake in a time that is too early for milliseconds: seconds, or a duration. undefined where it is neither. */
function unitProblem(time: number): string | undefined {
  if (time > 0 && time < 1e9) return "This looks like a duration: send the moment, in epoch milliseconds";
  return time > 0 && time < 1e11 ? "This looks like seconds: send milliseconds" : undefined;
}

/** A time in epoch milliseconds: beyond 32 bits, which typed languages have to be told. */
export const epochMillis = () =>
  z.int({ error: timestampMessage }).meta({ format: "int64", description: "Epoch milliseconds." });

/** A time in epoch milliseconds that a caller sends: this century's, in the right unit. @param message for any other */
export const moment = (message: string) =>
  epochMillis().min(1_700_000_000_000, { error: ({ input }) => unitProblem(Number(input)) ?? message });
