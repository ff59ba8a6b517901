import { skeletons } from "@/lib/text/confusables";

/*
 * Owners decide by an app's name, so it must not resemble another app's or the service's own. These
 * rules follow Unicode Technical Standard 39, sections 4 and 5.2, with additional look-alikes.
 */

/**
 * Allowed scripts. A name uses only one of them, or the scripts of one Chinese, Japanese or Korean
 * entry in `together`. Any name may have digits, spaces and punctuation.
 */
const scripts = [
  ...["Latin", "Cyrillic", "Greek", "Armenian", "Georgian", "Hebrew", "Arabic", "Devanagari", "Bengali", "Gurmukhi"],
  ...["Gujarati", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Thai", "Lao", "Khmer", "Myanmar", "Ethiopic"],
].map((script) => [script]);
const together = [...scripts, ["Han", "Hiragana", "Katakana", "Bopomofo"], ["Han", "Hangul"]];
const oneScript = together.map(
  (names) => new RegExp(`^[\\p{sc=Zyyy}\\p{sc=Zinh}${names.map((name) => `\\p{sc=${name}}`).join("")}]*$`, "u"),
);

/**
 * Characters of a name: letters, marks, digits and punctuation of any script, and ASCII. Excludes
 * pictographs, which could pass for seals.
 */
const drawn = /^[\p{L}\p{M}\p{Nd}\p{P}\x20-\x7e]+$/u;

const reservedAnywhere = ["countersign"];
const reservedWords = ["official", "security", "support", "admin", "administrator", "system", "verified"];

/** Returns why a name is invalid, or undefined. */
export function nameProblem(name: string): string | undefined {
  const problem = lettersProblem(name, 60);
  if (problem) return problem;
  if (!inOneScript(name)) return "Must not mix alphabets";
  if (usesOurName(name)) return "Must not use the name of this service";
  const words = name.split(/(?<=\p{Ll})(?=\p{Lu})|[^\p{L}\p{M}\p{N}]+/u);
  const reserved = reservedWords.find((word) => words.some((each) => lookAlike(each, word)));
  return reserved && `Must not use the word “${reserved}”`;
}

/**
 * Returns why an app's sentence about itself is invalid, or undefined. The sentence appears in
 * quotes under the app's name. It may contain reserved words, but must not impersonate the service.
 */
export function sentenceProblem(sentence: string, max: number): string | undefined {
  const problem = lettersProblem(sentence, max);
  if (problem) return problem;
  if (!sentence.split(/[^\p{L}\p{M}\p{N}]+/u).every(inOneScript)) return "Must not mix alphabets in a word";
  return usesOurName(sentence) ? "Must not use the name of this service" : undefined;
}

function lettersProblem(text: string, max: number): string | undefined {
  const length = [...text].length;
  if (length < 1 || length > max) return `Must be 1 to ${max} characters`;
  if (!text.isWellFormed() || text !== text.normalize("NFKC"))
    return "Must not use special forms of characters, like full-width letters (Unicode NFKC)";
  if (!drawn.test(text) || /\p{Default_Ignorable_Code_Point}|\p{M}{3}/u.test(text)) {
    return "Must contain only letters, digits, spaces and punctuation, and no invisible characters";
  }
  if (text !== text.trim() || text.includes("  "))
    return "Must not start or end with a space, or contain two spaces in a row";
  if (!/[\p{L}\p{Nd}]/u.test(text)) return "Must contain a letter or digit";
  return undefined;
}

const inOneScript = (text: string) => oneScript.some((script) => script.test(text));

const usesOurName = (text: string) =>
  reservedAnywhere.some((word) =>
    Object.values(nameSkeletons(text)).some((skeleton) => skeleton.includes(nameSkeletons(word).nameSkeleton)),
  );

/**
 * Folds a name so that names a hurried reader would confuse become equal. Applies `skeletons` and
 * more look-alikes, keeps only letters and digits, and merges pairs that look like one letter.
 * Prefers false matches: "Bi11" equals "Bill", and i equals l because a capital I looks like l.
 * @returns the folded name as columns of an app's row
 */
export function nameSkeletons(name: string): { nameSkeleton: string; nameFolded: string } {
  const { written, folded } = skeletons(name);
  return { nameSkeleton: letterByLetter(written), nameFolded: letterByLetter(folded) };
}

function letterByLetter(skeleton: string): string {
  const folded = Array.from(skeleton, (character) => lookAlikes.get(character) ?? character).join("");
  const letters = folded.replace(/[^\p{L}\p{N}]|\p{Lm}/gu, "");
  return letters.replace(/rn/g, "m").replace(/vv/g, "w").replace(/cl/g, "d") || folded;
}

/** Returns whether a hurried reader would mistake one name for the other. */
export function lookAlike(first: string, second: string): boolean {
  const [a, b] = [nameSkeletons(first), nameSkeletons(second)];
  return a.nameSkeleton === b.nameSkeleton || a.nameFolded === b.nameFolded;
}

/** Look-alikes that `skeletons` lacks. Each letter is followed by its look-alikes. */
const lookAlikes = new Map(
  "e3єҽ sʂ bьƅ z2ζᴢ g9ց aɑ cϲ fƒ hհħ jϳ lɩӏɪ nпո oօσ qգ rг t7 uս vѵ wш yүγ"
    .split(" ")
    .flatMap(([letter = "", ...alike]) => alike.map((character) => [character, letter] as const)),
);
