import { expect, test } from "vitest";
import { british } from "@/lib/text/formats";
import { absoluteTime, calendarDate, shortTime } from "./relative-time";

test("formats times as the platform does in the local time zone", () => {
  const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });
  const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
  for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2028, 0, 1); at += 86_400_000 + 3_725_000) {
    expect(calendarDate(at, british)).toBe(date.format(at));
    expect(absoluteTime(at, british)).toBe(moment.format(at));
  }
});

test("writes a time as people say it", () => {
  const at = (month: number, date: number, year = 2026) => new Date(year, month - 1, date, 9, 5).getTime();
  const now = at(11, 24);
  const american = { ...british, date: "M d, y", clock: "h:mm a", halves: ["AM", "PM"] };
  const said = [at(11, 24), at(11, 23), at(11, 25), at(11, 2), at(11, 24, 2027)].map((time) => [
    shortTime(time, now, british),
    shortTime(time, now, american),
  ]);
  expect(said).toEqual([
    ["09:05", "9:05 AM"],
    ["yesterday 09:05", "yesterday 9:05 AM"],
    ["tomorrow 09:05", "tomorrow 9:05 AM"],
    ["2 Nov 09:05", "Nov 2 9:05 AM"],
    ["24 Nov 2027 09:05", "Nov 24, 2027 9:05 AM"],
  ]);
});
