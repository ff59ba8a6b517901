import { skeletonChar } from "@/lib/text/confusables";

const word = /[\p{L}\p{M}\p{N}]+/gu;
const ascii = /^[\x20-\x7e]*$/;
const oneAlphabet = (...scripts: string[]) =>
  new RegExp(`^[\\p{sc=Zyyy}\\p{sc=Zinh}${scripts.map((name) => `\\p{scx=${name}}`).join("")}]*$`, "u");
const latin = oneAlphabet("Latin");
/** Scripts that may be mixed within one word (UTS #39, section 5.2, "highly restrictive"). */
const together = [
  latin,
  oneAlphabet("Latin", "Han", "Hiragana", "Katakana"),
  oneAlphabet("Latin", "Han", "Bopomofo"),
  oneAlphabet("Latin", "Han", "Hangul"),
];

/**
 * Returns whether a word of the text mixes Latin letters with look-alikes, as "Νo" with a Greek
 * capital does. "Δt" also mixes scripts, but is not deceptive.
 */
export function hasMixedScripts(text: string): boolean {
  if (ascii.test(text)) return false;
  return (text.normalize("NFKC").match(word) ?? []).some(
    (each) => /\p{sc=Latin}/u.test(each) && !together.some((script) => script.test(each)) && looksLatin(each),
  );
}

const letters = /(?![\p{sc=Zyyy}\p{sc=Zinh}])[\p{L}\p{M}]/gu;

const looksLatin = (text: string) =>
  (text.match(letters) ?? []).every((letter) => latin.test(skeletonChar(letter).normalize("NFKD")));
