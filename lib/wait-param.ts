import { z } from "zod";

/** A whole number from 1 on. Values arrive as text from a query. */
export const positiveIntParam = (most: number) =>
  z
    .union(
      [
        z.int(),
        z
          .string()
          .regex(/^\d{1,3}$/)
          .transform(Number),
      ],
      `Must be a whole number from 1 to ${most}`,
    )
    .pipe(z.int().min(1, "Must be at least 1").max(most, `Must be at most ${most}`));

/** `wait`, as every operation takes it that can wait: whole seconds. */
export const waitParam = positiveIntParam(60);

/** Aborted when the caller hangs up. Asked for only by those who wait, so that nobody else pays for it. */
export type DisconnectSignal = () => AbortSignal;

/** For callers that cannot hang up. */
export const neverDisconnects: DisconnectSignal = () => new AbortController().signal;
