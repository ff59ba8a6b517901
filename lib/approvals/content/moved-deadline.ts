import { epochMillis } from "@/lib/timestamp-schema";

/** The deadline of an approval that was frozen. */
export const dueAt = epochMillis()
  .optional()
  .describe(
    "The deadline after the owner's freezes moved it, in epoch milliseconds. Absent if none did. `expiresAt` never changes, because `contentHash` covers it.",
  );
