import { z } from "zod";

/** `wait`, as every operation takes it that can wait: whole seconds. Values arrive as text from a query. */
export const waitInput = z
  .union(
    [
      z.int(),
      z
        .string()
        .regex(/^\d{1,3}$/)
        .transform(Number),
    ],
    "Must be a whole number from 1 to 60",
  )
  .pipe(z.int().min(1, "Must be at least 1").max(60, "Must be at most 60"));

/** Aborted when the caller hangs up. Asked for only by those who wait, so that nobody else pays for it. */
export type Leaving = () => AbortSignal;

/** For callers that cannot hang up. */
export const staying: Leaving = () => new AbortController().signal;
