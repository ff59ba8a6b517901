import { env } from "./config/env";

/**
 * Whom to tell of a weakness of this installation, in the form of RFC 9116: whom the operator names (`SECURITY_CONTACT`), or
 * the page that says whom to tell. What it says holds for a day less than a year, counted from midnight (UTC).
 */
export function securityTxt(now = new Date()): string {
  const { publicUrl, securityContact } = env();
  const expires = new Date(Date.UTC(now.getUTCFullYear() + 1, now.getUTCMonth(), now.getUTCDate() - 1));
  return [
    `Contact: ${securityContact ?? `${publicUrl}/docs#security`}`,
    `Expires: ${expires.toISOString().slice(0, 19)}Z`,
    "Preferred-Languages: en",
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    "",
  ].join("\n");
}
