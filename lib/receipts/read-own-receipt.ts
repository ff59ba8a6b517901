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
    const { payload } = await jwtVerify(jws, createLocalJWKSet({ keys: await publicKeys() }), {
      algorithms: ["EdDSA"],
      typ: "countersign-receipt+jwt",
      issuer: env().publicUrl,
    });
    return ReceiptClaims.parse(payload);
  } catch (error) {
    // A database error is no fault of the receipt.
    if (error instanceof Error && "severity" in error) throw error;
    throw badRequest("Must be a receipt that this service signed", "receipt");
  }
}
