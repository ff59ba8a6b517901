import { seal, unseal } from "@/lib/keys/crypto";

const purpose = "other-account";

/**
 * The address of an account that came back in place of the one to be connected again, for the way through the browser to the
 * page that says so: readable there only, and nobody else can have it say anything.
 */
export const sealMismatch = ({ integrationId, email }: { integrationId: string; email: string }): string =>
  seal(purpose, email, integrationId).toString("base64url");

/** @returns undefined for what we did not make for this account */
export function openMismatch(integrationId: string, sealed: unknown): string | undefined {
  if (typeof sealed !== "string") return undefined;
  try {
    return unseal(purpose, Buffer.from(sealed, "base64url"), integrationId);
  } catch {
    return undefined;
  }
}
