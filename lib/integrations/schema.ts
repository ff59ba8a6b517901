import { z } from "zod";

/** Who must act next: nobody, the owner, the service, nobody any more. */
export const integrationStatuses = ["connected", "needs_reauth", "error", "disconnected"] as const;

/** Kinds of data an account can give. */
export const buckets = ["identity", "mail", "calendar", "contacts", "files", "tasks"] as const;

export const Integration = z
  .object({
    id: z.string(),
    provider: z.string().describe("Name of the provider of the linked account."),
    status: z
      .enum(integrationStatuses)
      .describe(
        "`connected` works; `needs_reauth` the owner must act; `error` the service retries; `disconnected` unlinked, shown for 30 days.",
      ),
    email: z.string().describe("Address of the linked account."),
    buckets: z
      .array(z.enum(buckets))
      .describe("Kinds of data the owner granted at the account, sorted, from what the provider really returned."),
  })
  .meta({ id: "Integration" });
export type Integration = z.infer<typeof Integration>;
