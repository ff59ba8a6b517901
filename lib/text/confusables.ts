import { table } from "./confusables-table";

/**
 * Look-alikes that Unicode's table does not have, and ASCII's own, each with the letter it is taken for here: small letters
 * that are drawn as capitals, digits and signs for letters.
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
/** All but ASCII that stands for itself. */
const notPlain = /[^\x20a-zA-HJ-Z]/gu;
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Mn}\p{Me}\u2800\u{1d159}]/gu;

let alike: Map<string, string> | undefined;

/** The table, read when the first text comes that is not ASCII. */
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

/** What a character looks like by Unicode's table alone. */
export const prototype = (character: string): string => theirs().get(character) ?? character;

/**
 * A text folded so that texts that look alike come out equal (UTS #39, section 4, and more: compatibility forms, case,
 * accents, invisible characters, white space and look-alikes of our own are taken away). Look-alikes are taken before case,
 * since Ν looks like N and its small letter ν like v, and after it, so that a word is alike in either case: two texts look
 * alike where they agree in `written` or in `folded`. Only for comparing; never shown.
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

/** What each character looks like, and what that looks like to us. */
const drawn = (text: string) =>
  text
    .replace(notPlain, (character) => ours.get(character) ?? prototype(character))
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
