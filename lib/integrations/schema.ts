import { z } from "zod";
import { extensibleEnum } from "@/lib/text/extensible-enum";
import { buckets } from "./providers/access-types";

export const Integration = z
  .object({
    id: z.string().describe("The ID of the integration."),
    provider: z.string().describe("The ID of the linked account's provider, like `google`."),
    status: extensibleEnum(["connected", "needs_reauth", "error", "disconnected"]).describe(
      "The status of the integration. `connected`: the account works. `needs_reauth`: the owner must reconnect the account and has been notified. The ID stays the same. `error`: the service is retrying. `disconnected`: the owner removed the account, which stays listed for 30 days.",
    ),
    email: z.string().describe("The email address of the linked account."),
    buckets: z
      .array(extensibleEnum(buckets))
      .describe(
        "The types of data in this account that the provider has granted access to, in alphabetical order. `identity` is always included. A type is listed for read access, write access or both.",
      ),
  })
  .meta({ id: "Integration" });
export type Integration = z.infer<typeof Integration>;
