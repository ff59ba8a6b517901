import { z } from "zod";

/** A time in days, like `90d`: a week at least, in which whatever was cut off has been made up for. */
const days = z
  .string()
  .regex(/^\d{1,5}d$/, "must be a number of days, like 90d")
  .transform((text) => Number(text.slice(0, -1)))
  .refine((n) => n >= 7, "must be at least 7d")
  .optional();

/** For how long the operator keeps what grows without end; for ever where it is not set. */
export const retentionSettings = { RETENTION_EVENTS: days, RETENTION_ANSWERED: days };
