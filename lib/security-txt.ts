import { env } from "./config/env";

/**
 * Returns the contact for reporting vulnerabilities of this installation, in the form of RFC 9116.
 * This is the operator's contact (`SECURITY_CONTACT`), or the page that explains how to report.
 * Expires a day less than a year after midnight (UTC).
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
