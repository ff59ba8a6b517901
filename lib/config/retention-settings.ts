import { z } from "zod";

/**
 * A period in days, such as `90d`. The minimum is a week, so that clients can recover from an
 * outage before their data is deleted.
 */
const days = z
  .string()
  .regex(/^\d{1,5}d$/, "Must be a number of days, like 90d")
  .transform((text) => Number(text.slice(0, -1)))
  .refine((n) => n >= 7, "Must be at least 7d")
  .optional();

/** The settings for how long the operator keeps events and answers; indefinitely by default. */
export const retentionSettings = { RETENTION_EVENTS: days, RETENTION_ANSWERED: days };
