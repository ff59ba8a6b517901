import { createLocalJWKSet, jwtVerify } from "jose";
import { env } from "@/lib/config/env";
import { badRequest } from "@/lib/errors";
import { publicKeys } from "./receipt-keys";
import { ReceiptClaims } from "./schema";

/**
 * Verifies a receipt that this service signed, and returns its claims.
 * @throws {AppError} 400 for anything else
 */
export async function readOwnReceipt(jws: string): Promise<ReceiptClaims> {
  try {
    // A revoked key is not among these keys, so its receipts are refused.
    const keys = await publicKeys();
    const { payload, protectedHeader } = await jwtVerify(jws, createLocalJWKSet({ keys }), {
      algorithms: ["EdDSA"],
      typ: "countersign-receipt+jwt",
      issuer: env().publicUrl,
    });
    const claims = ReceiptClaims.parse(payload);
    const { exp = Number.POSITIVE_INFINITY } = keys.find(({ kid }) => kid === protectedHeader.kid) ?? {};
    if (claims.iat > exp) throw new Error("the key had ended before the answer");
    return claims;
  } catch (error) {
    // A database error is no fault of the receipt.
    if (error instanceof Error && "severity" in error) throw error;
    throw badRequest(
      "Must be a receipt that this service signed. If its key was revoked, get the receipt again",
      "receipt",
    );
  }
}
