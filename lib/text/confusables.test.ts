import { describe, expect, it } from "vitest";
import { allDiffer, skeletons } from "./confusables";

/** Whether a reader may confuse the two texts. */
const alike = (one: string, other: string) => !allDiffer([one, other]);

describe("look-alike texts", () => {
  it.each([
    ["a Greek capital", "Υes"],
    ["a Greek capital, capitals", "ΥES"],
    ["Cherokee", "Ꭹes"],
    ["Cherokee capitals", "ᎩᎬᏚ"],
    ["Lisu", "ꓬꓰꓢ"],
    ["Coptic", "Ⲩes"],
    ["Deseret", "Ye𐑈"],
    ["small capitals", "ʏᴇꜱ"],
    ["epsilon", "Yεs"],
    ["open e", "Yɛs"],
    ["a braille blank", "Yes\u2800"],
    ["an interlinear anchor", "Y\ufff9es"],
    ["an invisible musical symbol", "Yes\u{1d159}"],
    ["a Hangul filler", "Yes\u3164"],
    ["a zero width space", "Y\u200bes"],
    ["mathematical letters", "𝒀𝒆𝒔"],
    ["full width", "Ｙｅｓ"],
    ["Cyrillic", "Уеѕ"],
    ["accents", "Yés"],
    ["digits", "YE5"],
  ])("treats %s (%s) as a look-alike of Yes", (_, text) => expect(alike(text, "Yes")).toBe(true));

  it.each([
    ["No", "Νo"],
    ["NOTION", "ΝΟΤΙΟΝ"],
    ["notion", "ΝΟΤΙΟΝ"],
    ["νο", "vo"],
    ["Δοκιμή", "ΔΟΚΙΜΗ"],
    ["нет", "НЕТ"],
    ["Approve", "Аpprоvе"],
    ["modern", "modem"],
    ["say “no”", 'say "no"'.replace(/"/g, "“")],
    ["it`s 0", "it's O"],
    ["vvait", "wait"],
  ])("treats %s as a look-alike of %s", (one, other) => expect(alike(one, other)).toBe(true));

  it.each([
    ["Yes", "No"],
    ["Ja", "Nein"],
    ["Так", "Ні"],
    ["はい", "いいえ"],
    ["日本", "日木"],
    ["Ναι", "Όχι"],
    ["예", "아니요"],
    ["हाँ", "नहीं"],
    ["نعم", "لا"],
    ["👍", "👎"],
    ["Δt", "Δx"],
    ["Today", "Tomorrow"],
  ])("distinguishes %s from %s", (one, other) => expect(alike(one, other)).toBe(false));

  it("normalizes ASCII identically on the fast path and the full path", () => {
    const printable = Array.from({ length: 95 }, (_, nth) => String.fromCharCode(32 + nth));
    for (const text of [...printable, 'Illumination rn 5$ |vv| "q" `c` 100%', "MODERN_way--to go"]) {
      const short = skeletons(`x${text}x`);
      // An adjacent non-ASCII letter disables the shortcut for ASCII text.
      const long = skeletons(`x${text}xж`);
      expect([text, long.written]).toEqual([text, `${short.written}${skeletons("ж").written}`]);
      expect([text, long.folded]).toEqual([text, `${short.folded}${skeletons("ж").folded}`]);
    }
  });
});
