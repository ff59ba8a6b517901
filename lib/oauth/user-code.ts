import { sign } from "@/lib/keys/crypto";

/** Consonants that nobody takes for one another, and of which no word comes by chance (RFC 8628 section 6.1): 20^8 codes. */
const letters = "BCDFGHJKLMNPQRSTVWXZ";
const count = 8;

/**
 * The code that a person types for this request, like `BCDF-GHJK`. It follows from the id and the service's secret, so that
 * it can be shown again and is kept nowhere.
 */
export function userCodeFor(id: string): string {
  let rest = Buffer.from(sign("user-code", id), "base64url").readBigUInt64BE();
  let code = "";
  for (; code.length < count; rest /= 20n) code += letters[Number(rest % 20n)];
  return dashed(code);
}

/** The code that somebody typed, in its one spelling; undefined for what cannot be one. */
export function parseUserCode(typed: string): string | undefined {
  const code = typed
    .normalize("NFKC")
    .replace(/[\s\p{Pd}_.]/gu, "")
    .toUpperCase();
  return new RegExp(`^[${letters}]{${count}}$`).test(code) ? dashed(code) : undefined;
}

const dashed = (code: string) => `${code.slice(0, count / 2)}-${code.slice(count / 2)}`;
