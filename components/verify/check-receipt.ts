import { fromBase64Url } from "@/lib/client/base64";
import { VerificationError } from "@/lib/client/errors";
import { type Jwks, type VerifiedReceipt, verifyReceipt } from "@/lib/client/receipts";

/** Thrown if a receipt can't be checked, or the check fails. The message is a sentence for the reader. */
export class ReceiptProblem extends Error {}

/**
 * Checks a receipt in this browser.
 * @param text a receipt as compact JWS, or the API's JSON with the receipt
 * @param issuer the service's URL
 * @param jwks the service's public keys
 * @throws {ReceiptProblem}
 */
export async function checkReceipt(text: string, issuer: string, jwks: Jwks): Promise<VerifiedReceipt> {
  const receipt = receiptIn(text);
  const { iss, aud, owner, sub } = claimsOf(receipt);
  if (typeof iss !== "string" || typeof aud !== "string" || typeof sub !== "string") throw notAReceipt();
  if (iss !== issuer)
    throw new ReceiptProblem(`This receipt names another service, ${iss}. Check the receipt on that service’s page.`);
  if (!crypto.subtle)
    throw new ReceiptProblem(
      "This browser checks receipts only on pages with an https address. Open this page with https.",
    );
  // The claims are only read here, and not compared with a record of the reader's.
  const named = typeof owner === "string" ? { owner } : { owner: "", acceptWithoutOwner: true };
  const checks = { issuer, audience: aud, ...named, approvalId: sub, jwks, allowSimulated: true };
  return verifyReceipt(receipt, checks).catch((error: unknown) => {
    if (error instanceof VerificationError) throw new ReceiptProblem(`This receipt is not valid. ${error.message}.`);
    throw new ReceiptProblem("This browser can’t check Ed25519 signatures. Use a current browser.");
  });
}

const notAReceipt = () =>
  new ReceiptProblem("This text isn’t a receipt. A receipt starts with “eyJ” and contains two periods.");

/** Returns the receipt in a text: a compact JWS without white space. */
function receiptIn(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith("{")) return trimmed.replace(/\s+/g, "");
  try {
    const { receipt } = JSON.parse(trimmed) as { receipt?: unknown };
    if (typeof receipt === "string") return receipt;
  } catch {
    // The error below also describes invalid JSON.
  }
  throw notAReceipt();
}

function claimsOf(receipt: string): Record<string, unknown> {
  const [, payload = "", signature] = receipt.split(".");
  const bytes = fromBase64Url(payload);
  try {
    if (bytes && signature) return Object(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    // The error below also describes invalid JSON.
  }
  throw notAReceipt();
}
