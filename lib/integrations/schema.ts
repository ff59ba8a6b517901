import { z } from "zod";
import { extensibleEnum } from "@/lib/text/extensible-enum";
import { buckets } from "./providers/access-types";

export const Integration = z
  .object({
    id: z.string().describe("Identifier of the integration."),
    provider: z.string().describe("Name of the provider of the linked account."),
    status: extensibleEnum(["connected", "needs_reauth", "error", "disconnected"]).describe(
      "Status of the integration. `connected`: the account works. `needs_reauth`: the owner must reconnect the account and has been notified. The id stays the same. `error`: the service is retrying. `disconnected`: the owner removed the account, which stays listed for 30 days.",
    ),
    email: z.string().describe("Address of the linked account."),
    buckets: z
      .array(extensibleEnum(buckets))
      .describe(
        "Types of data the owner granted access to, as confirmed by the provider, sorted. `identity` is always included. Does not distinguish reading from writing.",
      ),
  })
  .meta({ id: "Integration" });
export type Integration = z.infer<typeof Integration>;
