import { clock } from "@/lib/clock";
import { env } from "../config/env";

/**
 * Returns this installation's security.txt (RFC 9116). It says where to report vulnerabilities: to
 * the operator's `SECURITY_CONTACT`, or as the documentation explains. It expires a year minus a
 * day after the start of today (UTC).
 */
export function securityTxt(now = new Date(clock.now())): string {
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
