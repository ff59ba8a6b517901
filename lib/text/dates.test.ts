import { expect, test } from "vitest";
import { clockIn, clockText, dayName, defaultFormats, momentIn, weekdayText } from "./dates";

test("formats midnight and noon in 12-hour and 24-hour time", () => {
  const times = [0, 12].map((hour) => Date.UTC(2026, 8, 5, hour, 5, 9));
  expect(times.map((at) => clockText(at, { hour12: true, firstDay: 0 }))).toEqual(["12:05\u00a0AM", "12:05\u00a0PM"]);
  expect(times.map((at) => clockText(at, { hour12: false, firstDay: 0 }))).toEqual(["00:05", "12:05"]);
  expect(clockText(times[0]!, { hour12: true, firstDay: 0 }, { seconds: true })).toBe("12:05:09\u00a0AM");
});

test("formats a weekday before the time", () => {
  expect(weekdayText(Date.UTC(2026, 8, 5, 14, 7), defaultFormats)).toBe("Sat 14:07");
});

test("includes the year only in dates from other years", () => {
  expect(dayName("2026-11-22", "2026-11-22")).toBe("Today");
  expect(dayName("2026-11-21", "2026-11-22")).toBe("Yesterday");
  expect(dayName("2026-11-20", "2026-11-22")).toBe("Friday, November 20");
  expect(dayName("2025-11-20", "2026-11-22")).toBe("Thursday, November 20, 2025");
});

test("formats days in the owner's time zone", () => {
  const now = Date.UTC(2026, 10, 20, 23, 30);
  const at = (timeZone: string | undefined, time: number) => momentIn(time, { now, timeZone });
  expect(at("UTC", now - 3_600_000)).toBe("22:30");
  expect(at("Asia/Tokyo", now - 9 * 3_600_000)).toBe("yesterday 23:30");
  expect(at("Asia/Tokyo", now + 3_600_000)).toBe("09:30");
  expect(at("UTC", Date.UTC(2025, 11, 31, 8, 0))).toBe("Dec 31, 2025, 08:00");
  expect(at(undefined, now + 3_600_000)).toBe("tomorrow 00:30 UTC");
  expect(clockIn(now, { timeZone: undefined })).toBe("23:30 UTC");
});
