/*
 * A long password is easy to guess if it consists of a few common pieces. Each piece therefore
 * counts as one character, and enough characters must remain.
 */

/**
 * Common pieces of passwords, in lowercase. A piece comes before any shorter piece that it starts
 * with.
 */
const pieces = `
  password passwort passphrase passwd pass contrasena motdepasse qwertyuiop qwertzuiop qwerty qwertz azerty
  asdfghjkl asdf zxcvbnm zxcv 1q2w3e4r5t 1q2w3e4r q1w2e3r4 1qaz2wsx iloveyou letmein welcome willkommen
  administrator admin root login user guest test changeme default secret geheim master superman batman pokemon
  starwars football baseball soccer hockey princess sunshine monkey dragon shadow flower michael jennifer
  charlie summer winter spring autumn hello countersign correcthorsebatterystaple`;
const common = new RegExp(pieces.trim().replace(/\s+/g, "|"), "g");

/** Common substitutions of letters. */
const written = new Map("0o 1i 3e 4a 5s 7t @a $s".split(" ").map(([sign, letter]) => [sign, letter]));

/** The minimum number of characters that must remain for a password that is hard to guess. */
const fewest = 8;

/** Whether a password consists mainly of common pieces, keyboard rows and repetitions. */
export function isGuessable(password: string): boolean {
  const plain = password.toLowerCase().replace(/[\s._-]/g, "");
  const spelt = plain.replace(/[013457@$]/g, (sign) => written.get(sign) ?? sign);
  return [plain, spelt].some((text) => [...withoutRuns(withoutRepeats(text.replace(common, "\0")))].length < fewest);
}

/** Reduces a repetition to one occurrence: "aaaa" to "a", "abcabc" to "abc". */
const withoutRepeats = (text: string) => text.replace(/(.+?)\1+/gsu, "$1");

/**
 * Reduces an ascending or descending sequence of letters or digits to two characters: "1234" to
 * "12", "fedcba" to "fe".
 */
function withoutRuns(text: string): string {
  const step = (index: number) => text.charCodeAt(index) - text.charCodeAt(index - 1);
  return Array.from(text, (_, index) => index)
    .filter((index) => index < 2 || Math.abs(step(index)) !== 1 || step(index) !== step(index - 1))
    .map((index) => text[index])
    .join("");
}
