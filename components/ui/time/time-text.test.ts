import { afterEach, expect, test, vi } from "vitest";
import { defaultFormats } from "@/lib/text/dates";
import { momentHere, momentInWords, relativeTime } from "./time-text";

afterEach(() => vi.useRealTimers());

test("formats times relative to now in the local time zone", () => {
  const here = (...at: [number, number, number, number, number]) => new Date(...at).getTime();
  vi.useFakeTimers({ now: here(2026, 10, 24, 12, 0), toFake: ["Date"] });
  const times = [
    here(2026, 10, 24, 6, 8),
    here(2026, 10, 23, 18, 0),
    here(2026, 10, 25, 0, 5),
    here(2026, 0, 3, 9, 30),
    here(2025, 10, 24, 9, 30),
  ];
  expect(times.map((at) => momentHere(at, defaultFormats))).toEqual([
    "06:08",
    "yesterday 18:00",
    "tomorrow 00:05",
    "Jan 3, 09:30",
    "Nov 24, 2025, 09:30",
  ]);
  expect(times.map((at) => momentInWords(at, defaultFormats))).toEqual([
    "at 06:08",
    "yesterday 18:00",
    "tomorrow 00:05",
    "on Jan 3, 09:30",
    "on Nov 24, 2025, 09:30",
  ]);
  expect(times.map((at) => relativeTime(at, Date.now()))).toEqual([
    "5 h ago",
    "18 h ago",
    "in 12 h",
    "Jan 3",
    "Nov 24, 2025",
  ]);
});
