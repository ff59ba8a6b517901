import { z } from "zod";
import { extensibleEnum } from "@/lib/text/extensible-enum";
import { buckets } from "./providers/access";

export const Integration = z
  .object({
    id: z.string().describe("Identifier of the integration."),
    provider: z.string().describe("Name of the provider of the linked account."),
    status: extensibleEnum(["connected", "needs_reauth", "error", "disconnected"]).describe(
      "Who must act next. `connected`: no one, it works. `needs_reauth`: the owner, who has been told; the id stays the same when they reconnect it. `error`: the service, which keeps trying. `disconnected`: no one, the owner removed it; listed for 30 days.",
    ),
    email: z.string().describe("Address of the linked account."),
    buckets: z
      .array(extensibleEnum(buckets))
      .describe(
        "Kinds of data the owner granted something of, as the provider confirmed, sorted. `identity` is always included. It does not say what may be done with each.",
      ),
  })
  .meta({ id: "Integration" });
export type Integration = z.infer<typeof Integration>;
