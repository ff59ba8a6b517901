/**
 * Characters that read as a Latin one. Not the whole of Unicode's table (UTS #39): the Cyrillic, Greek and digit
 * look-alikes that are used to deceive in practice.
 */
// biome-ignore format: the pairs read best side by side
const lookAlikes: Record<string, string> = {
  "0": "o", "1": "l", "|": "l", "!": "l", "5": "s", "8": "b", $: "s", "@": "a",
  а: "a", в: "b", е: "e", к: "k", м: "m", н: "h", о: "o", р: "p", с: "c", т: "t", у: "y", х: "x", ѕ: "s", і: "l", ј: "j",
  ԁ: "d", ԛ: "q", ԝ: "w", һ: "h", ɡ: "g", ı: "l", ǀ: "l", ł: "l", ø: "o", đ: "d",
  α: "a", β: "b", ε: "e", η: "n", ι: "l", κ: "k", μ: "u", ν: "v", ο: "o", ρ: "p", τ: "t", υ: "u", χ: "x", ω: "w",
};

const lookAlike = new RegExp(
  Object.keys(lookAlikes)
    .map((char) => (/[$|!@]/.test(char) ? `\\${char}` : char))
    .join("|"),
  "g",
);
const ascii = /^[\x20-\x7e]*$/;
const ignorable = /[\p{Default_Ignorable_Code_Point}\p{Mn}\p{Me}]/gu;

/**
 * A text folded so that two texts that look alike come out equal: compatibility forms, case, accents, invisible
 * characters, white space and look-alike letters are taken away. Only for comparing; never shown.
 */
export function skeleton(text: string): string {
  const lower = text.toLowerCase();
  const folded = ascii.test(lower)
    ? lower
    : text.normalize("NFKD").toLowerCase().normalize("NFKD").replace(ignorable, "");
  return folded
    .replace(lookAlike, (char) => lookAlikes[char] ?? char)
    .replaceAll("i", "l")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replace(/[\s\p{Pd}_]+/gu, " ")
    .trim();
}
