import { describe, expect, test } from "vitest";
import { clockText, countText, dateText, weekdayText } from "./formats";
import { dayName, formatsOf, localeOf, numberText } from "./locale";

const afternoon = Date.UTC(2026, 8, 5, 14, 7);
const written = (accepted: string | undefined) => {
  const locale = localeOf(accepted);
  const formats = formatsOf(locale);
  return {
    date: dateText(afternoon, formats),
    clock: clockText(afternoon, formats).replace("\u00a0", " "),
    count: countText(9999, formats),
    number: numberText(1_234_567, locale),
    firstDay: formats.firstDay,
  };
};

const british = { date: "5 Sept 2026", clock: "14:07", count: "9,999", number: "1,234,567", firstDay: 1 };

describe("formats dates and numbers by the region of the browser's first language", () => {
  test.each([
    ["en-US,en;q=0.9", { date: "Sep 5, 2026", clock: "2:07 PM", count: "9,999", number: "1,234,567", firstDay: 0 }],
    ["en-GB,en;q=0.9", british],
    ["en-IN", { clock: "2:07 pm", number: "12,34,567", firstDay: 0 }],
    ["ja-JP,ja;q=0.9,en;q=0.8", { clock: "14:07", count: "9,999", firstDay: 0 }],
    // CLDR has no English for Egypt: world English, with Egypt's clock, and Latin digits.
    ["ar-EG", { date: "5 Sept 2026", clock: "2:07 pm", count: "9,999", firstDay: 6 }],
    ["ar", { date: "5 Sept 2026", clock: "2:07 pm" }],
    ["pt-BR", { date: "5 Sept 2026", clock: "14:07", count: "9.999" }],
    ["fr-CA", { clock: "14:07", count: "9\u00a0999" }],
    ["es-ES", { count: "9999", number: "1.234.567" }],
  ])("%s", (accepted, expected) => expect(written(accepted)).toMatchObject(expected));

  // Chrome and Firefox list American English after every other language.
  test.each(["de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7", "de,en-US;q=0.7,en;q=0.3", "en-US;q=0.3,de-DE", "tlh,de-DE;q=0.5"])(
    "treats %s as Germany",
    (accepted) => expect(written(accepted)).toEqual({ ...british, count: "9.999", number: "1.234.567" }),
  );

  test.each([undefined, "", "*", "x", "garbage!!,,;;q=9", "de;q=0", "de;q=much", "de-DE-".repeat(20_000), "\u0000"])(
    "ignores %j",
    (accepted) => expect(written(accepted)).toEqual(british),
  );

  test("ignores requests for other digits, calendars and clocks", () =>
    expect(written("en-US-u-nu-arab-ca-buddhist-hc-h23")).toEqual(written("en-US")));
});

test("matches Intl in every region and month, before and after noon", () => {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const regions = letters.flatMap((one) => letters.map((other) => localeOf(`en-${one}${other}`)));
  // Most of the 676 regions are formatted like another one.
  const distinct = new Map(regions.map((locale) => [locale.dates, locale]));
  expect(distinct.size).toBeGreaterThan(100);
  for (const locale of distinct.values()) {
    const formats = formatsOf(locale);
    const intl = new Intl.DateTimeFormat(locale.dates, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
    const plain = (text: string) => text.replaceAll(/[\u202f\u00a0]/g, " ");
    for (let month = 0; month < 12; month++) {
      const at = Date.UTC(2026, month, 3 + month * 2, month * 2, month * 5);
      const byHand = `${dateText(at, formats)}, ${clockText(at, formats)}`;
      expect(plain(byHand), locale.dates).toBe(plain(intl.format(at)));
    }
  }
});

test("puts a day of the week before the time", () => {
  expect(weekdayText(afternoon, formatsOf(localeOf("de-DE")))).toBe("Sat 14:07");
});

test("names days in the region's order", () => {
  const [american, german] = [localeOf("en-US"), localeOf("de-DE")];
  expect(dayName("2026-11-22", "2026-11-22", american)).toBe("Today");
  expect(dayName("2026-11-21", "2026-11-22", american)).toBe("Yesterday");
  expect(dayName("2026-11-20", "2026-11-22", american)).toBe("Friday, November 20");
  expect(dayName("2025-11-20", "2026-11-22", american)).toBe("Thursday, November 20, 2025");
  expect(dayName("2026-11-20", "2026-11-22", german)).toBe("Friday, 20 November");
});

test("creates formats once", () => {
  expect(formatsOf(localeOf("de-AT"))).toBe(formatsOf(localeOf("de-AT,en;q=0.5")));
});
