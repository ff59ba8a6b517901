import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/*
 * NIST SP 800-63B-4 (section 3.1.1.2) requires a check against breached passwords, and no password
 * may be sent anywhere for it. `breached-passwords.bin` therefore contains the first 32 bits of
 * each breached password's SHA-256, sorted. With 106,172 passwords, one lookup in 40,000 is a false
 * positive. A new password needs at most five lookups.
 */

/** Normalizes a password, so that case and width do not matter. */
export const foldPassword = (password: string): string => password.normalize("NFKC").toLowerCase();

/**
 * Returns the number that the list stores for a password.
 * @param folded the result of foldPassword
 */
export const breachedHash = (folded: string): number => createHash("sha256").update(folded).digest().readUInt32BE(0);

/**
 * Whether the list contains the password, its repeated part, or the part between digits and symbols
 * at its ends.
 */
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

/** Strips digits and symbols from both ends. */
const withoutEnds = (text: string) => text.replace(/^[^\p{L}]+/u, "").replace(/[^\p{L}]+$/u, "");

/**
 * Returns the repeated part of a text, ignoring digits and symbols in between. Without a
 * repetition, returns the whole text.
 */
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
