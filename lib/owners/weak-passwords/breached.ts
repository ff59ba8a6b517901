import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/*
 * The passwords found most often in data breaches, as NIST SP 800-63B-4, section 3.1.1.2, asks for. Nothing is sent anywhere.
 * `breached-passwords.bin` holds the first 32 bits of the SHA-256 of each, sorted, four bytes each (lib/testing/make-breached.ts):
 * 106,172 of them, so that one look-up finds a password that is not there once in 40,000 times, and a new password takes at
 * most five look-ups. It is read when somebody chooses a password, and not kept in memory.
 */

/** Letters of any case and width count as the same. */
export const foldPassword = (password: string): string => password.normalize("NFKC").toLowerCase();

/** What is kept of a password. @param folded as by foldPassword */
export const breachedHash = (folded: string): number => createHash("sha256").update(folded).digest().readUInt32BE(0);

/** Whether a password is among those, also when digits and signs stand around it, or when it is repeated. */
export function isBreached(password: string): boolean {
  const typed = foldPassword(password);
  const bare = withoutEnds(typed);
  const forms = new Set([typed, bare, unitOf(typed), unitOf(bare), withoutEnds(unitOf(bare))]);
  forms.delete("");
  const table = readFileSync(
    join(/* turbopackIgnore: true */ process.cwd(), "lib/owners/weak-passwords/breached-passwords.bin"),
  );
  return [...forms].some((form) => isIn(table, breachedHash(form)));
}

/** Without the digits and signs at both ends. */
const withoutEnds = (text: string) => text.replace(/^[^\p{L}]+/u, "").replace(/[^\p{L}]+$/u, "");

/** What is said again and again, whatever digits and signs stand between; the text itself where nothing is. */
function unitOf(text: string): string {
  const words = text.split(/[^\p{L}]+/u).filter((word) => word !== "");
  if (words.length > 1 && words.every((word) => word === words[0])) return words[0] as string;
  for (let length = 1; length <= text.length / 2; length++) {
    const unit = text.slice(0, length);
    if (text.length % length === 0 && unit.repeat(text.length / length) === text) return unit;
  }
  return text;
}

function isIn(table: Buffer, hash: number): boolean {
  let [from, to] = [0, table.length / 4];
  while (from < to) {
    const middle = (from + to) >> 1;
    const found = table.readUInt32BE(middle * 4);
    if (found === hash) return true;
    if (found < hash) from = middle + 1;
    else to = middle;
  }
  return false;
}
