import { z } from "zod";
import { Resolution } from "@/lib/approvals/schema";
import { epochMillis } from "@/lib/timestamp-schema";

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
  /** The approval's ID. A program that acts on the receipt must use the answer first. */
  sub: z.string(),
  /** When the approval was resolved, in epoch seconds. */
  iat: z.int(),
  /** The hash of the question that was answered. */
  contentHash: z.string(),
  resolution: Resolution,
  /** Present if the owner can withdraw the answer until it is used. */
  once: z.literal(true).optional(),
  /** Present if rules answered instead of an owner ("countersign simulate"). */
  simulated: z.literal(true).optional(),
});
export type ReceiptClaims = z.output<typeof ReceiptClaims>;

/** The claims of a use receipt: those of the receipt, with the use. */
export type UseClaims = ReceiptClaims & {
  use: {
    /** When the answer was used, in epoch milliseconds. */
    at: number;
    by: "app" | "receipt";
    /** The SHA-256 of the Idempotency-Key in base64url, so that its sender can recognize the use. */
    key: string;
  };
};

export const Use = z
  .object({
    usedAt: epochMillis().describe("When the answer was used, in epoch milliseconds."),
    receipt: z
      .string()
      .describe(
        "A compact JWS of type `countersign-use+jwt` with the claims of the approval's receipt, and `use`: `at` (epoch milliseconds), `by` (`app` or `receipt`) and `key` (the SHA-256 of the Idempotency-Key in base64url).",
      ),
  })
  .meta({ id: "Use" });

export const Receipt = z
  .object({
    receipt: z
      .string()
      .describe(
        "A compact JWS with the claims `iss`, `aud` (the client ID), `owner` (the owner's ID), `sub` (the approval's ID), `iat`, `contentHash` and `resolution`. The claim `once` is present if the owner can withdraw the answer until it is used, and `simulated` if the answer is simulated.",
      ),
  })
  .meta({ id: "SignedReceipt" });
