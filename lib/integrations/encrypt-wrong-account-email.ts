import { seal, unseal } from "@/lib/keys/crypto";

const purpose = "other-account";

/**
 * Encrypts the email address of the account that an owner chose by mistake, for the URL of the page
 * that reports the mistake. Only the service can create or read the result.
 */
export const sealMismatch = ({ integrationId, email }: { integrationId: string; email: string }): string =>
  seal(purpose, email, integrationId).toString("base64url");

/**
 * Decrypts the email address of the wrong account.
 * @returns undefined if the value was not created for this account
 */
export function openMismatch(integrationId: string, sealed: unknown): string | undefined {
  if (typeof sealed !== "string") return undefined;
  try {
    return unseal(purpose, Buffer.from(sealed, "base64url"), integrationId);
  } catch {
    return undefined;
  }
}
