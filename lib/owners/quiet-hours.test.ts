import { expect, test } from "vitest";
import { heldUntil, quietAt } from "./quiet-hours";

const everyDay = [0, 1, 2, 3, 4, 5, 6];
const at = (time: string) => Date.parse(time);
const berlin = (from: number, until: number, quietDays = everyDay) => ({
  quiet: { from: from * 60, until: until * 60 },
  quietDays,
  timeZone: "Europe/Berlin",
});
const told = (hours: { since: number; until: number } | undefined) =>
  hours && [hours.since, hours.until].map((time) => new Date(time).toISOString().slice(0, 16));

test("treats quiet hours that have no times or no days as off", () => {
  expect(quietAt({ ...berlin(22, 7), quiet: null }, at("2026-06-10T23:00Z"))).toBeUndefined();
  expect(quietAt(berlin(22, 7, []), at("2026-06-10T23:00Z"))).toBeUndefined();
});

test("includes the start time and excludes the end time of quiet hours", () => {
  const night = berlin(22, 7);
  const whole = ["2026-06-10T20:00", "2026-06-11T05:00"];
  expect(quietAt(night, at("2026-06-10T19:59:59Z"))).toBeUndefined();
  expect(told(quietAt(night, at("2026-06-10T20:00Z")))).toEqual(whole);
  expect(told(quietAt(night, at("2026-06-11T00:30Z")))).toEqual(whole);
  expect(told(quietAt(night, at("2026-06-11T04:59:59.999Z")))).toEqual(whole);
  expect(quietAt(night, at("2026-06-11T05:00Z"))).toBeUndefined();
});

test("applies quiet hours that start and end on one day", () => {
  expect(told(quietAt(berlin(13, 15), at("2026-01-10T12:30Z")))).toEqual(["2026-01-10T12:00", "2026-01-10T14:00"]);
  expect(quietAt(berlin(13, 15), at("2026-01-10T14:00Z"))).toBeUndefined();
  const late = { ...berlin(0, 0), quiet: { from: 1439, until: 0 } };
  expect(told(quietAt(late, at("2026-01-10T22:59:30Z")))).toEqual(["2026-01-10T22:59", "2026-01-10T23:00"]);
});

test("extends Friday's quiet hours into Saturday", () => {
  const friday = berlin(22, 7, [5]);
  expect(told(quietAt(friday, at("2026-06-13T03:00Z")))).toEqual(["2026-06-12T20:00", "2026-06-13T05:00"]);
  expect(quietAt(friday, at("2026-06-13T21:00Z"))).toBeUndefined();
  expect(quietAt(friday, at("2026-06-12T03:00Z"))).toBeUndefined();
});

test("determines the day of quiet hours in the owner's time zone", () => {
  const monday = { quiet: { from: 0, until: 360 }, quietDays: [1], timeZone: "Pacific/Auckland" };
  expect(told(quietAt(monday, at("2026-06-14T13:00Z")))).toEqual(["2026-06-14T12:00", "2026-06-14T18:00"]);
  expect(quietAt(monday, at("2026-06-15T13:00Z"))).toBeUndefined();
  const west = { ...monday, timeZone: "Pacific/Honolulu" };
  expect(told(quietAt(west, at("2026-06-15T15:00Z")))).toEqual(["2026-06-15T10:00", "2026-06-15T16:00"]);
  const half = { ...monday, timeZone: "Asia/Kathmandu" };
  expect(told(quietAt(half, at("2026-06-14T18:15Z")))).toEqual(["2026-06-14T18:15", "2026-06-15T00:15"]);
});

test("shortens or lengthens quiet hours when the clocks change", () => {
  expect(told(quietAt(berlin(22, 7), at("2026-03-29T00:30Z")))).toEqual(["2026-03-28T21:00", "2026-03-29T05:00"]);
  expect(told(quietAt(berlin(22, 7), at("2026-10-25T00:30Z")))).toEqual(["2026-10-24T20:00", "2026-10-25T06:00"]);
  const south = { ...berlin(22, 7), timeZone: "Australia/Lord_Howe" };
  expect(told(quietAt(south, at("2026-10-03T14:00Z")))).toEqual(["2026-10-03T11:30", "2026-10-03T20:00"]);
});

test("moves the end of quiet hours past an hour that a clock change skips", () => {
  const early = { ...berlin(22, 0), quiet: { from: 22 * 60, until: 150 } };
  expect(told(quietAt(early, at("2026-03-29T01:15Z")))).toEqual(["2026-03-28T21:00", "2026-03-29T01:30"]);
  expect(quietAt(early, at("2026-03-29T01:30Z"))).toBeUndefined();
});

test("ends quiet hours at the second occurrence of an hour that repeats", () => {
  const early = { ...berlin(22, 0), quiet: { from: 22 * 60, until: 150 } };
  const whole = ["2026-10-24T20:00", "2026-10-25T01:30"];
  expect(told(quietAt(early, at("2026-10-25T00:31Z")))).toEqual(whole);
  expect(told(quietAt(early, at("2026-10-25T01:29Z")))).toEqual(whole);
  expect(quietAt(early, at("2026-10-25T01:30Z"))).toBeUndefined();
});

test("merges adjacent quiet hours", () => {
  const weekend = berlin(8, 8, [6, 0]);
  expect(told(quietAt(weekend, at("2026-06-13T12:00Z")))).toEqual(["2026-06-13T06:00", "2026-06-15T06:00"]);
  expect(told(quietAt(weekend, at("2026-06-15T03:00Z")))).toEqual(["2026-06-13T06:00", "2026-06-15T06:00"]);
  const always = quietAt(berlin(8, 8), at("2026-06-13T12:00Z"));
  expect(always?.since).toBe(0);
  expect(new Date(always?.until ?? Number.NaN).getUTCFullYear()).toBe(275760);
});

test("applies quiet hours by the local clock throughout the year", () => {
  for (const timeZone of ["Europe/Berlin", "America/New_York", "UTC", "Asia/Tokyo"]) {
    const settings = { quiet: { from: 1290, until: 405 }, quietDays: everyDay, timeZone };
    const clock = new Intl.DateTimeFormat("en-US", { timeZone, hourCycle: "h23", hour: "numeric", minute: "numeric" });
    for (let moment = at("2026-01-01T00:00Z"); moment < at("2027-01-01T00:00Z"); moment += 601 * 60_000) {
      const [hour = 0, minute = 0] = clock.format(moment).split(":").map(Number);
      const shown = hour * 60 + minute;
      expect(quietAt(settings, moment) !== undefined, new Date(moment).toISOString()).toBe(
        shown >= 1290 || shown < 405,
      );
    }
  }
});

test("allows urgent notifications during quiet hours only if quietBreakthrough is on", () => {
  const night = berlin(22, 7);
  const moment = at("2026-06-11T00:30Z");
  const end = at("2026-06-11T05:00Z");
  expect(heldUntil({ ...night, quietBreakthrough: true }, moment)).toBe(end);
  expect(heldUntil({ ...night, quietBreakthrough: true }, moment, { urgent: true })).toBeUndefined();
  expect(heldUntil({ ...night, quietBreakthrough: false }, moment, { urgent: true })).toBe(end);
  expect(heldUntil({ ...night, quietBreakthrough: false }, at("2026-06-11T12:00Z"))).toBeUndefined();
});
