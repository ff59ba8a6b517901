import { describe, expect, test } from "vitest";
import { formatsOf } from "./accept-language-date-formats";
import { clockText } from "./dates";

const afternoon = Date.UTC(2026, 8, 5, 14, 7);
const written = (accepted: string | undefined) => {
  const formats = formatsOf(accepted);
  return [clockText(afternoon, formats).replace("\u00a0", " "), formats.firstDay];
};

describe("time format of the region in the browser's first language", () => {
  test.each([
    ["en-US,en;q=0.9", ["2:07 PM", 0]],
    ["en-GB,en;q=0.9", ["14:07", 1]],
    ["en-IN", ["2:07 PM", 0]],
    ["ja-JP,ja;q=0.9,en;q=0.8", ["14:07", 0]],
    ["ar-EG", ["2:07 PM", 6]],
    ["pt-BR", ["14:07", 0]],
    // Chrome and Firefox add American English after all other languages.
    ["de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7", ["14:07", 1]],
    ["tlh,de-DE;q=0.5", ["14:07", 1]],
    // The reader's own digits, calendar and clock settings are ignored.
    ["en-US-u-nu-arab-ca-buddhist-hc-h23", ["2:07 PM", 0]],
  ])("formats times for the languages %s", (accepted, expected) => expect(written(accepted)).toEqual(expected));

  test.each([undefined, "", "*", "x", "garbage!!,,;;q=9", "de-DE-".repeat(20_000), "\u0000"])(
    "ignores the invalid language list %j",
    (accepted) => expect(written(accepted)).toEqual(["14:07", 1]),
  );
});
