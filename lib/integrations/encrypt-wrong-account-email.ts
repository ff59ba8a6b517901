import { seal, unseal } from "@/lib/keys/crypto";

const purpose = "other-account";

/**
 * Encrypts the email of the account that an owner chose by mistake. The URL of the page that
 * reports the mistake contains the result. Only the service can read or create it.
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
