import { skeletonChar } from "@/lib/text/confusables";

/*
 * A text can hide or imitate characters: bidirectional controls reorder it, zero-width characters
 * split words, and a Cyrillic letter passes for a Latin one. The lens shows such characters by their
 * code. Ordinary text of any language stays as it is.
 */

/**
 * A part of a text. A `hidden` part has only its label as a visible form. An `alike` part is a
 * character that looks like others, which its label names.
 */
export type TextPart =
  | { kind: "plain"; text: string }
  | { kind: "hidden"; label: string }
  | { kind: "alike"; text: string; label: string };

const names: Record<number, string> = {
  173: "soft hyphen",
  1564: "Arabic letter mark",
  8203: "zero-width space",
  8204: "zero-width non-joiner",
  8205: "zero-width joiner",
  8206: "left-to-right mark",
  8207: "right-to-left mark",
  8232: "line separator",
  8233: "paragraph separator",
  8234: "left-to-right embedding",
  8235: "right-to-left embedding",
  8236: "end of direction",
  8237: "left-to-right override",
  8238: "right-to-left override",
  8288: "word joiner",
  8294: "left-to-right isolate",
  8295: "right-to-left isolate",
  8296: "first-strong isolate",
  8297: "end of isolate",
  10240: "blank Braille pattern",
  12644: "Hangul filler",
  65279: "zero-width no-break space",
};

/** An emoji, whose joiners and variation selectors are part of its picture. */
const emoji = String.raw`\p{RI}\p{RI}|[0-9#*]\ufe0f\u20e3|\p{Extended_Pictographic}(?:\ufe0f|\p{EMod})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{EMod})?)*`;
/** White space that is long enough to push text out of sight. */
const gap = String.raw`[^\S\n]{16,}|\n(?:[^\S\n]*\n){3,}`;
/** Marks that strike through or cover the character before them, and piles of marks. */
const marks = String.raw`[\u0334-\u0338\u20d2-\u20e6]+|[\p{Mn}\p{Me}]{4,}`;
const invisible = String.raw`(?![\n\t]|\r\n)[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\u{1d159}]`;
const token = new RegExp(
  `(?<emoji>${emoji})|(?<gap>${gap})|(?<marks>${marks})|(?<invisible>${invisible})|(?<word>[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}]+?(?=${emoji}|${marks}|${invisible}|\\s|$))`,
  "gu",
);

/** Returns the parts of a text, in order. */
export function visibleText(text: string): TextPart[] {
  const parts: TextPart[] = [];
  const add = (part: TextPart) => {
    const last = parts.at(-1);
    if (part.kind === "plain" && last?.kind === "plain") last.text += part.text;
    else if (part.kind !== "plain" || part.text !== "") parts.push(part);
  };
  let end = 0;
  for (const { 0: found, index, groups = {} } of text.matchAll(token)) {
    add({ kind: "plain", text: text.slice(end, index) });
    end = index + found.length;
    if (groups.word) for (const part of wordParts(found)) add(part);
    else add(groups.emoji ? { kind: "plain", text: found } : { kind: "hidden", label: labelOf(found, groups) });
  }
  add({ kind: "plain", text: text.slice(end) });
  return parts;
}

/** Returns whether a text has characters that are invisible or look like others. */
export const hasOddCharacters = (text: string): boolean => visibleText(text).some(({ kind }) => kind !== "plain");

function labelOf(found: string, groups: Record<string, string | undefined>): string {
  if (groups.gap)
    return found.includes("\n") ? `${found.split("\n").length - 1} line breaks` : `${found.length} spaces`;
  if (groups.marks) return `${found.length} combining ${found.length === 1 ? "mark" : "marks"}`;
  const point = found.codePointAt(0) ?? 0;
  return `${codeOf(found)} ${names[point] ?? (point >= 0xe0000 && point < 0xe0080 ? "tag" : "invisible")}`;
}

const codeOf = (character: string) => `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;

/** Typographic signs that ordinary text contains. */
const typographic = /[‘’“”„«»‹›‐‑–—…·•×]/u;
const isLetter = /\p{L}/u;
/** Full-width letters and digits, and letters and digits in mathematical fonts. */
const styled = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7ff}]/u;
/** Signs that look like the separators of numbers and addresses. */
const separators = new Map(
  Object.entries({ "․": ".", "‧": ".", "‚": ",", "٫": ",", "⁄": "/", "∕": "/", "꞉": ":", "։": ":" }),
);

/**
 * Marks a word's look-alikes. A word in another alphabet has some by chance, so its letters count
 * only if the word also contains Latin letters or digits, or if every letter is a look-alike.
 */
function wordParts(word: string): TextPart[] {
  if (/^[\x21-\x7e]*$/.test(word)) return [{ kind: "plain", text: word }];
  const characters = [...word];
  const looks = characters.map(lookOf);
  const isMixed = /[A-Za-z0-9]/.test(word);
  const isAlike = characters.every((character, index) => !isLetter.test(character) || looks[index] !== undefined);
  return characters.map((text, index) => {
    const look = looks[index];
    return look !== undefined && (isMixed || isAlike || !isLetter.test(text))
      ? { kind: "alike", text, label: `${codeOf(text)} looks like ${look}` }
      : { kind: "plain", text };
  });
}

/** Returns the ASCII text that a character looks like, or undefined if it looks like none. */
function lookOf(character: string): string | undefined {
  if (character <= "\x7f" || typographic.test(character)) return undefined;
  const look = styled.test(character)
    ? character.normalize("NFKC")
    : (separators.get(character) ?? skeletonChar(character));
  return /^[\x21-\x7e]+$/.test(look) ? look : undefined;
}
