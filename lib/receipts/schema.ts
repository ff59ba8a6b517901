import { z } from "zod";
import { Resolution } from "@/lib/approvals/schema";

/** The claims of a receipt. */
export const ReceiptClaims = z.object({
  /** The issuer: the service's PUBLIC_URL. */
  iss: z.string(),
  /** The app that asked: its clientId. */
  aud: z.string(),
  /** The owner who answered: the ID in token responses, and `sub` in introspection and webhooks. */
  owner: z.string(),
  /** The approval's id. A program that acts on receipts acts once per id. */
  sub: z.string(),
  /** When it was resolved, in seconds. */
  iat: z.int(),
  /** Hash of the question. */
  contentHash: z.string(),
  resolution: Resolution,
  /** Present if rules answered ("countersign simulate") and no owner. */
  simulated: z.literal(true).optional(),
});
export type ReceiptClaims = z.output<typeof ReceiptClaims>;

export const Receipt = z
  .object({
    receipt: z
      .string()
      .describe(
        "A compact JWS. Its claims: `iss`, `aud` (the clientId), `owner` (who answered), `sub` (the approval), `iat`, `contentHash`, `resolution`; `simulated` if no owner answered.",
      ),
  })
  .meta({ id: "SignedReceipt" });
