import { expect, test } from "vitest";
import { defaultFormats } from "./dates";
import { localHour, localWeekday } from "./local-time";
import { snoozeOffers, snoozeUntil } from "./snooze-times";

const at = (text: string) => Date.parse(text);
const iso = (ms: number) => new Date(ms).toISOString();

test("converts a local hour to UTC", () => {
  const now = at("2026-11-20T23:30:00Z");
  expect(iso(localHour(now, "UTC"))).toBe("2026-11-20T00:00:00.000Z");
  // In Tokyo it is already the next morning. In New York it is still afternoon.
  expect(iso(localHour(now, "Asia/Tokyo"))).toBe("2026-11-20T15:00:00.000Z");
  expect(iso(localHour(now, "America/New_York", { hour: 8, days: 1 }))).toBe("2026-11-21T13:00:00.000Z");
  expect(localWeekday(now, "UTC")).toBe(5);
  expect(localWeekday(now, "Asia/Tokyo")).toBe(6);
});

test("converts local hours on days when the clocks change", () => {
  // Clocks in Berlin move forward on 29 March 2026 at 2:00, and back on 25 October at 3:00.
  expect(iso(localHour(at("2026-03-28T12:00:00Z"), "Europe/Berlin", { days: 1, hour: 8 }))).toBe(
    "2026-03-29T06:00:00.000Z",
  );
  expect(iso(localHour(at("2026-03-28T12:00:00Z"), "Europe/Berlin", { days: 1, hour: 2 }))).toBe(
    "2026-03-29T01:00:00.000Z",
  );
  expect(iso(localHour(at("2026-10-25T12:00:00Z"), "Europe/Berlin", { hour: 2 }))).toBe("2026-10-25T00:00:00.000Z");
  expect(iso(localHour(at("2026-10-25T12:00:00Z"), "Europe/Berlin", { hour: 0 }))).toBe("2026-10-24T22:00:00.000Z");
  expect(iso(localHour(at("2026-10-25T12:00:00Z"), "Europe/Berlin", { hour: 8 }))).toBe("2026-10-25T07:00:00.000Z");
});

test("ends a snooze at the owner's local time", () => {
  const friday = at("2026-11-20T12:00:00Z");
  const until = (choice: Parameters<typeof snoozeUntil>[0], now = friday, zone = "UTC") =>
    iso(snoozeUntil(choice, zone, now));
  expect(until("hour")).toBe("2026-11-20T13:00:00.000Z");
  expect(until("evening")).toBe("2026-11-20T18:00:00.000Z");
  expect(until("tomorrow")).toBe("2026-11-21T08:00:00.000Z");
  expect(until("week")).toBe("2026-11-23T08:00:00.000Z");
  // In the evening, "this evening" means tomorrow's. On a Monday, "next Monday" is a week away.
  expect(until("evening", at("2026-11-20T18:00:00Z"))).toBe("2026-11-21T18:00:00.000Z");
  expect(until("week", at("2026-11-23T07:00:00Z"))).toBe("2026-11-30T08:00:00.000Z");
  expect(until("evening", friday, "Asia/Kolkata")).toBe("2026-11-20T12:30:00.000Z");
});

test("shows the end time of each snooze option", () => {
  expect(snoozeOffers("Europe/Berlin", at("2026-11-20T12:00:00Z"), defaultFormats)).toMatchObject([
    { choice: "hour", label: "In 1 hour", time: "Fri 14:00" },
    { choice: "evening", label: "This evening", time: "Fri 18:00" },
    { choice: "tomorrow", label: "Tomorrow morning", time: "Sat 08:00" },
    { choice: "week", label: "Next week", time: "Mon 08:00" },
  ]);
  expect(snoozeOffers("UTC", at("2026-11-20T19:00:00Z"), defaultFormats)[2]).toMatchObject({
    label: "Tomorrow evening",
  });
});
