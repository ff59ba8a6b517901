import fc from "fast-check";
import { expect, test } from "vitest";
import { dayOf, startOfDay } from "./local-time";

const at = (iso: string) => Date.parse(iso);

test("returns the day in the given time zone", () => {
  expect(dayOf(at("2026-11-20T23:30:00Z"), "UTC")).toBe("2026-11-20");
  expect(dayOf(at("2026-11-20T23:30:00Z"), "Asia/Tokyo")).toBe("2026-11-21");
  expect(dayOf(at("2026-11-20T02:00:00Z"), "America/New_York")).toBe("2026-11-19");
});

test("returns the start of a day in the given time zone", () => {
  expect(startOfDay("2026-11-20", "UTC")).toBe(at("2026-11-20T00:00:00Z"));
  expect(startOfDay("2026-11-20", "Asia/Kolkata")).toBe(at("2026-11-19T18:30:00Z"));
  expect(startOfDay("2026-03-29", "Europe/Berlin")).toBe(at("2026-03-28T23:00:00Z"));
  expect(startOfDay("2026-03-29", "Europe/Berlin", 1)).toBe(at("2026-03-29T22:00:00Z"));
  expect(startOfDay("2026-10-25", "Europe/Berlin", 1)).toBe(at("2026-10-25T23:00:00Z"));
  // Clocks skip midnight, so the day begins at one.
  expect(startOfDay("2026-09-06", "America/Santiago")).toBe(at("2026-09-06T04:00:00Z"));
  expect(dayOf(startOfDay("2026-09-06", "America/Santiago"), "America/Santiago")).toBe("2026-09-06");
});

test("returns the first moment of a local day in every time zone", () => {
  const zones = Intl.supportedValuesOf("timeZone");
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.integer({ min: 10_000, max: 22_000 }), (zone, days) => {
      const day = new Date(days * 86_400_000).toISOString().slice(0, 10);
      const start = startOfDay(day, zone);
      // Samoa and its neighbors once skipped a day.
      if (dayOf(start, zone) !== day) return dayOf(start, zone) > day;
      return dayOf(start - 1, zone) < day;
    }),
    { numRuns: 2000 },
  );
});
