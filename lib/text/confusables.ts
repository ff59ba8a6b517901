import { table } from "./confusables-table";

/*
 * Look-alike characters could make one name pass for another, so names are compared in a folded
 * form. `lib/testing/make-confusables-table.ts` generates the Unicode table next to this file. A
 * new table needs a migration that sets `app.name_folded` to null, so that `backfillNameFolds`
 * folds all names again.
 */

/**
 * Look-alikes that Unicode's table lacks, by the letter that they resemble. Some are within ASCII:
 * lowercase letters that resemble capitals, and digits and signs that resemble letters.
 */
const ours = new Map(
  Object.entries({
    o: "0øωꞷ",
    l: "1|!IıłǀɩιӏІ",
    s: "5$ꜱ",
    b: "8βвʙ",
    a: "@ɑαᴀ",
    e: "εɛꞓєᴇ",
    k: "κкĸᴋ",
    m: "мʍᴍm",
    n: "ηɴ",
    h: "нʜ",
    t: "тτᴛ",
    y: "у",
    u: "μυᴜ",
    d: "đᴅ",
    w: "ѡᴡ",
    c: "ᴄ",
    f: "ꜰ",
    g: "ɡɢ",
    j: "ᴊ",
    p: "ᴘ",
    r: "ʀ",
    v: "ᴠ",
    z: "ᴢ",
    x: "χꭓ",
    "'": "`",
    "''": '"',
    "%": "%",
  }).flatMap(([letter, alike]) => Array.from(alike, (character) => [character, letter] as const)),
);

const ascii = /^[\x20-\x7e]*$/;
const asciiAlike = /[01|!I5$8@`"]/g;
/** Matches any character except spaces and the ASCII letters that look like no other. */
const notPlain = /[^\x20a-zA-HJ-Z]/gu;
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Mn}\p{Me}\u2800\u{1d159}]/gu;

let alike: Map<string, string> | undefined;

/** Returns Unicode's table, which is parsed when the first non-ASCII text arrives. */
function theirs(): Map<string, string> {
  if (alike) return alike;
  alike = new Map();
  let from = 0;
  for (const entry of table.trim().split(/\s+/)) {
    const [step = "", to = ""] = entry.split(":");
    from += Number.parseInt(step, 36);
    const looks = to.split(".").map((code) => Number.parseInt(code, 36));
    alike.set(String.fromCodePoint(from), String.fromCodePoint(...looks));
  }
  return alike;
}

/** Returns the character that Unicode's table gives as a look-alike, or the character itself. */
export const skeletonChar = (character: string): string => theirs().get(character) ?? character;

/**
 * Folds a text for comparison, so that look-alikes are equal (UTS #39, section 4). Also ignores
 * compatibility forms, case, accents, invisible characters and white space. Look-alikes are folded
 * in the text as written and in lowercase, because Ν looks like N but its lowercase form ν looks
 * like v. Two texts look alike if they have the same `written` or the same `folded`.
 */
export function skeletons(text: string): { written: string; folded: string } {
  const plain = ascii.test(text) ? text : text.normalize("NFKD").replace(invisible, "");
  if (!ascii.test(plain)) return { written: shape(plain), folded: shape(plain.toLowerCase()) };
  const both = shape(plain);
  return { written: both, folded: both };
}

/** Whether no two of the texts look alike. */
export function allDiffer(texts: string[]): boolean {
  const all = texts.map(skeletons);
  const differ = (which: "written" | "folded") => new Set(all.map((each) => each[which])).size === all.length;
  return differ("written") && (all.every(({ written, folded }) => written === folded) || differ("folded"));
}

function shape(plain: string): string {
  if (ascii.test(plain)) return tidy(plain.replace(asciiAlike, (character) => ours.get(character) ?? "").toLowerCase());
  const once = drawn(plain);
  return ascii.test(once) ? shape(once) : tidy(drawn(once.toLowerCase()));
}

/**
 * Replaces each character with its look-alike in our list or otherwise in Unicode's table. Applies
 * our list again after normalization.
 */
const drawn = (text: string) =>
  text
    .replace(notPlain, (character) => ours.get(character) ?? skeletonChar(character))
    .normalize("NFKD")
    .replace(invisible, "")
    .replace(notPlain, (character) => ours.get(character) ?? character);

const tidy = (text: string) =>
  text
    .replaceAll("i", "l")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replace(/[\s\p{Pd}_]+/gu, " ")
    .trim();

/** Normalizes an ID so that IDs that a person, model or program could confuse become equal. */
export const foldedId = (id: string) =>
  (/^[!-~]*$/.test(id) ? id : id.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "")).toLowerCase();
