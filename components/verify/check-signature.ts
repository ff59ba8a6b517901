import { fromBase64Url } from "@/lib/client/base64";
import { VerificationError } from "@/lib/client/errors";
import type { VerifiedReceipt } from "@/lib/client/receipts";
import { verifySignedAnswer } from "@/lib/client/signed-answers";
import type { OwnerKeys, Resolution } from "@/lib/client/types";
import { ReceiptProblem } from "./check-receipt";

/** What a passkey's signature of an answer proves. */
export type PasskeyProof = {
  credentialId: string;
  /** Whether the passkey can be synced to other devices. */
  synced: boolean;
  /** When the service offered the statement for signing, in epoch milliseconds. */
  offeredAt: number;
  /** When the owner added the passkey, in epoch milliseconds. */
  since: number;
  /** The origin of the page on which the owner signed. */
  origin: string;
};

/**
 * Checks the passkey's signature in a receipt.
 * @param text the owner's keys, as the app stored them from GET /api/owner/keys
 * @throws {ReceiptProblem}
 */
export async function checkSignature(receipt: VerifiedReceipt, text: string): Promise<PasskeyProof> {
  const { keys, owner, rpId, origins } = keysIn(text);
  if (owner !== receipt.owner) throw new ReceiptProblem("These keys belong to another owner.");
  const { resolution } = receipt;
  const checks = { issuer: receipt.iss, owner, app: receipt.aud, approvalId: receipt.sub, keys, rpId, origins };
  try {
    const { credentialId, synced, offeredAt } = await verifySignedAnswer(resolution, {
      ...checks,
      contentHash: receipt.contentHash,
      // The page shows when the passkey was added, because it doesn't know when the app asked.
      acceptNewKeys: true,
    });
    const since = keys.find((key) => key.credentialId === credentialId)?.since ?? 0;
    return { credentialId, synced, offeredAt, since, origin: originOf(resolution) };
  } catch (error) {
    if (error instanceof VerificationError)
      throw new ReceiptProblem(`The passkey’s signature is not valid. ${error.message}.`);
    throw new ReceiptProblem("This browser can’t check this passkey’s signature. Use a current browser.");
  }
}

/** Returns the origin in the client data of a verified signature. */
const originOf = ({ signature }: Resolution): string => {
  const text = new TextDecoder().decode(fromBase64Url(signature?.clientDataJSON ?? ""));
  return (JSON.parse(text) as { origin: string }).origin;
};

function keysIn(text: string): OwnerKeys {
  try {
    const given = JSON.parse(text) as Partial<OwnerKeys>;
    if (Array.isArray(given.keys) && given.owner && given.rpId && Array.isArray(given.origins))
      return given as OwnerKeys;
  } catch {
    // The error below also describes invalid JSON.
  }
  throw new ReceiptProblem(
    "This text doesn’t contain the owner’s keys. Paste the whole JSON from GET /api/owner/keys.",
  );
}
