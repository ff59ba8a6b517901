import { sign } from "@/lib/keys/crypto";

/**
 * Consonants that are hard to confuse and form no words (RFC 8628 section 6.1). There are 20^8
 * codes.
 */
const letters = "BCDFGHJKLMNPQRSTVWXZ";
const count = 8;

/**
 * Returns a request's user code, such as `BCDF-GHJK`. It is derived from the ID and the service's
 * secret, so that it can be shown again without being stored.
 */
export function userCodeFor(id: string): string {
  let rest = Buffer.from(sign("user-code", id), "base64url").readBigUInt64BE();
  let code = "";
  for (; code.length < count; rest /= 20n) code += letters[Number(rest % 20n)];
  return dashed(code);
}

/** Normalizes a typed code. Returns undefined if it can't be a code. */
export function parseUserCode(typed: string): string | undefined {
  const code = typed
    .normalize("NFKC")
    .replace(/[\s\p{Pd}_.]/gu, "")
    .toUpperCase();
  return new RegExp(`^[${letters}]{${count}}$`).test(code) ? dashed(code) : undefined;
}

const dashed = (code: string) => `${code.slice(0, count / 2)}-${code.slice(count / 2)}`;
