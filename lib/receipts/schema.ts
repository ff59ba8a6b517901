import { z } from "zod";
import { Resolution } from "@/lib/approvals/schema";

export const ReceiptClaims = z.object({
  /** The issuer: the service's PUBLIC_URL. */
  iss: z.string(),
  /** The clientId of the app that asked. */
  aud: z.string(),
  /**
   * The ID of the owner that the app asked. Token responses have the same ID as `owner`, and
   * introspection responses and webhooks as `sub`.
   */
  owner: z.string(),
  /** The approval's ID. A program that acts on receipts must act at most once per approval ID. */
  sub: z.string(),
  /** When the approval was resolved, in epoch seconds. */
  iat: z.int(),
  /** The hash of the question that was answered. */
  contentHash: z.string(),
  resolution: Resolution,
  /** Present if rules answered instead of an owner ("countersign simulate"). */
  simulated: z.literal(true).optional(),
});
export type ReceiptClaims = z.output<typeof ReceiptClaims>;

export const Receipt = z
  .object({
    receipt: z
      .string()
      .describe(
        "A compact JWS with the claims `iss`, `aud` (the client ID), `owner` (the owner's ID), `sub` (the approval's ID), `iat`, `contentHash` and `resolution`. The claim `simulated` is present if the answer is simulated.",
      ),
  })
  .meta({ id: "SignedReceipt" });
