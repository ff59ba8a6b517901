import { z } from "zod";
import { Resolution } from "@/lib/approvals/schema";

/** What a receipt says. */
export const ReceiptClaims = z.object({
  /** Who signed: the service's PUBLIC_URL. */
  iss: z.string(),
  /** The app that asked: its clientId. */
  aud: z.string(),
  /** Whose answer it is: the owner's id, as the token reply names it, and introspection and webhooks as `sub`. */
  owner: z.string(),
  /** The approval's id. Whoever acts on a receipt acts once on each. */
  sub: z.string(),
  /** When it was resolved, in seconds. */
  iat: z.int(),
  /** Of what was asked. */
  contentHash: z.string(),
  resolution: Resolution,
  /** There where rules answered ("countersign simulate") and no owner. */
  simulated: z.literal(true).optional(),
});
export type ReceiptClaims = z.output<typeof ReceiptClaims>;

export const Receipt = z
  .object({
    receipt: z
      .string()
      .describe(
        "A compact JWS. Its claims: `iss`, `aud` (the clientId), `owner` (whose answer it is), `sub` (the approval), `iat`, `contentHash`, `resolution`; `simulated` where no owner answered.",
      ),
  })
  .meta({ id: "SignedReceipt" });
