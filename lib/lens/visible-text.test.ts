import fc from "fast-check";
import { expect, test } from "vitest";
import { hasOddCharacters, visibleText } from "./visible-text";

/** Writes the parts of a text, with hidden parts in brackets and look-alikes in braces. */
const shown = (text: string) =>
  visibleText(text)
    .map((part) =>
      part.kind === "plain" ? part.text : part.kind === "hidden" ? `[${part.label}]` : `{${part.text}: ${part.label}}`,
    )
    .join("");

test.each([
  ["a right-to-left override", "gpj.\u202Eexe", "gpj.[U+202E right-to-left override]exe"],
  ["an isolate", "\u2066x\u2069", "[U+2066 left-to-right isolate]x[U+2069 end of isolate]"],
  ["a zero-width space", "pay\u200Bpal", "pay[U+200B zero-width space]pal"],
  ["a zero-width non-joiner", "pay\u200Cpal", "pay[U+200C zero-width non-joiner]pal"],
  ["a soft hyphen", "pay\u00ADpal", "pay[U+00AD soft hyphen]pal"],
  ["a byte order mark", "\uFEFFPay", "[U+FEFF zero-width no-break space]Pay"],
  ["a blank Braille pattern", "Pay\u2800", "Pay[U+2800 blank Braille pattern]"],
  ["a tag character", "Pay\u{E0041}", "Pay[U+E0041 tag]"],
  ["a control character", "Pay\u0007", "Pay[U+0007 invisible]"],
  ["a private character", "Pay\uE000", "Pay[U+E000 invisible]"],
  ["a line separator", "a\u2028b", "a[U+2028 line separator]b"],
  ["a strikethrough", "1\u03360\u0336", "1[1 combining mark]0[1 combining mark]"],
  ["a pile of marks", "a\u0301\u0301\u0301\u0301", "a[4 combining marks]"],
  ["many spaces", `Pay${" ".repeat(40)}now`, "Pay[40 spaces]now"],
  ["many empty lines", `Pay${"\n".repeat(30)}now`, "Pay[30 line breaks]now"],
])("shows %s", (_, text, expected) => {
  expect(shown(text)).toBe(expected);
  expect(hasOddCharacters(text)).toBe(true);
});

test.each([
  ["a Cyrillic letter in a Latin word", "p\u0430ypal", "p{\u0430: U+0430 looks like a}ypal"],
  [
    "a word of Cyrillic look-alikes",
    "\u0440\u0430\u0443",
    "{р: U+0440 looks like p}{а: U+0430 looks like a}{у: U+0443 looks like y}",
  ],
  ["a Greek capital in an account number", "G\u039233", "G{Β: U+0392 looks like B}33"],
  ["a full-width digit", "\uFF11 €", "{１: U+FF11 looks like 1} €"],
  ["a mathematical letter", "\u{1D5E3}ay", "{𝗣: U+1D5E3 looks like P}ay"],
  ["a dot that is not a period", "1\u2024000", "1{․: U+2024 looks like .}000"],
])("marks %s", (_, text, expected) => {
  expect(shown(text)).toBe(expected);
});

test.each([
  "Pay 86.40 € to Müller & Söhne – “today”, it’s 5 × 3…",
  "Оплатить счёт хлебозавода?",
  "Πληρωμή τιμολογίου;",
  "支払いますか？",
  "دفع الفاتورة",
  "Paid 👩‍👩‍👧 🇩🇪 ❤️ 1️⃣ 👍🏽 © ™",
  "One\n\nparagraph\tand\r\nanother",
  "Preis: 1\u00A0000 €",
  "    four spaces",
  "",
])("leaves ordinary text as it is: %j", (text) => {
  expect(visibleText(text).every(({ kind }) => kind === "plain")).toBe(true);
  expect(shown(text)).toBe(text);
});

test("drops no visible character of any text", () => {
  const visible = (text: string) => text.replace(/[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/gu, "");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const kept = visibleText(text)
        .map((part) => (part.kind === "hidden" ? "" : part.text))
        .join("");
      expect(visible(kept)).toBe(visible(text));
    }),
    { numRuns: 500, seed: 3 },
  );
});
