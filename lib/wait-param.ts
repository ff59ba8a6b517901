import { z } from "zod";

/** A schema for a whole number from 1 to `max`, which may be sent as text. */
export const positiveIntParam = (max: number) =>
  z
    .union(
      [
        z.int(),
        z
          .string()
          .regex(/^\d{1,3}$/)
          .transform(Number),
      ],
      `Must be a whole number from 1 to ${max}`,
    )
    .pipe(z.int().min(1, "Must be at least 1").max(max, `Must be at most ${max}`));

/** The `wait` parameter, in whole seconds, which is the same for every operation that can wait. */
export const waitParam = positiveIntParam(60);

/**
 * Returns a signal that is aborted when the caller disconnects. Created on first use, so that calls
 * that don't wait cost nothing.
 */
export type DisconnectSignal = () => AbortSignal;

/** Returns a signal that is never aborted, for callers that can't disconnect. */
export const neverDisconnects: DisconnectSignal = () => new AbortController().signal;
