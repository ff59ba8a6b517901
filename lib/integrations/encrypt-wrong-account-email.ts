import { seal, unseal } from "@/lib/keys/crypto";

const purpose = "other-account";

/**
 * Encrypts the email of the wrong account after a reconnection, for the redirect to the page with
 * the message. Only that page can decrypt it, and no one else can forge it.
 */
export const sealMismatch = ({ integrationId, email }: { integrationId: string; email: string }): string =>
  seal(purpose, email, integrationId).toString("base64url");

/**
 * Decrypts the email of the wrong account.
 * @returns undefined for a value that was not made for this account
 */
export function openMismatch(integrationId: string, sealed: unknown): string | undefined {
  if (typeof sealed !== "string") return undefined;
  try {
    return unseal(purpose, Buffer.from(sealed, "base64url"), integrationId);
  } catch {
    return undefined;
  }
}
