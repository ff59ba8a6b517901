import { expect, it } from "vitest";
import { UsageError } from "./command";
import { parseTime } from "./parse-time";

it.each([
  ["2026-11-27T09:30:00Z", "2026-11-27T09:30:00.000Z"],
  ["2026-11-27T09:30:00.250+02:00", "2026-11-27T07:30:00.250Z"],
  ["2026-11-27", "2026-11-27T00:00:00.000Z"],
  ["1795771800", "2026-11-27T09:30:00.000Z"],
  ["1795771800250", "2026-11-27T09:30:00.250Z"],
  ["0", "1970-01-01T00:00:00.000Z"],
])("reads the time %s", (text, time) => {
  expect(parseTime("since", text).toISOString()).toBe(time);
});

it.each(["", "yesterday", "2026-11-27T09:30:00", "2026-02-30", "2026-13-01T00:00:00Z", "-5", "1.5", "1e9", " 0"])(
  "rejects the time %j",
  (text) => {
    expect(() => parseTime("since", text)).toThrow(UsageError);
    expect(() => parseTime("since", text)).toThrow("--since must be a time with a time zone");
  },
);
