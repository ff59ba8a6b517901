import { afterEach, expect, it } from "vitest";
import { readSettings } from "@/lib/config/env";
import { retryAfterOf } from "@/lib/net/retry-after";
import { configure } from "@/lib/testing/change-settings";
import { nextAttemptIn } from "./retry-schedule";

configure({
  DATABASE_URL: "postgresql://nobody@localhost/none",
  SECRET: "only-for-tests-0123456789abcdef0123456789abcdef",
});

afterEach(() => {
  configure({ WEBHOOK_SCHEDULE: undefined });
});

it("schedules ten delivery attempts over 75 hours and 35 minutes", () => {
  const pauses = Array.from({ length: 10 }, (_, tried) => nextAttemptIn(tried, 0, 0) ?? Number.NaN);
  expect(pauses.slice(0, 4)).toEqual([0, 5, 300, 1800]);
  expect(pauses.reduce((sum, pause) => sum + pause)).toBe((75 * 60 + 35) * 60 + 5);
  expect(nextAttemptIn(10)).toBeUndefined();
});

it("adds a random delay to each delivery attempt", () => {
  for (let round = 0; round < 100; round++) {
    const pause = nextAttemptIn(2) ?? Number.NaN;
    expect(pause).toBeGreaterThanOrEqual(300);
    expect(pause).toBeLessThanOrEqual(330);
  }
});

it("honors Retry-After for at most a day", () => {
  expect(nextAttemptIn(1, 120, 0)).toBe(120);
  expect(nextAttemptIn(2, 1, 0)).toBe(300);
  expect(nextAttemptIn(1, 10_000_000, 0)).toBe(86_400);
  expect(nextAttemptIn(10, 120)).toBeUndefined();
});

it.each([
  ["120", 120],
  [" 7 ", 7],
  ["0", 0],
  ["Sun, 22 Nov 2026 00:01:00 GMT", 60],
  ["Sat, 21 Nov 2026 00:00:00 GMT", 0],
  ["soon", undefined],
  ["-5", undefined],
  ["", undefined],
  [undefined, undefined],
])("parses the Retry-After value %j", (said, seconds) => {
  const now = Date.parse("2026-11-22T00:00:00Z");
  if (said === "-5") expect(retryAfterOf(said, now) ?? 0).toBe(0);
  else expect(retryAfterOf(said, now)).toBe(seconds);
});

it("reads the retry schedule from the settings", () => {
  configure({ WEBHOOK_SCHEDULE: "0, 1,2" });
  expect([0, 1, 2, 3].map((tried) => nextAttemptIn(tried, 0, 0))).toEqual([0, 1, 2, undefined]);
  for (const wrong of ["1,", "a", "1.5", "-1", "1;2", Array(21).fill(1).join()])
    expect(() => readSettings({ NODE_ENV: "test", WEBHOOK_SCHEDULE: wrong })).toThrow(
      "WEBHOOK_SCHEDULE must be a comma-separated list of 1 to 20",
    );
});
