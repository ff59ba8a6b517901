import { expect, test } from "vitest";
import { absoluteTime, calendarDate } from "./relative-time";

test("dates and times read as the English (United Kingdom) formats of the platform write them", () => {
  const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });
  const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
  for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2028, 0, 1); at += 86_400_000 + 3_725_000) {
    expect(calendarDate(at)).toBe(date.format(at));
    expect(absoluteTime(at)).toBe(moment.format(at));
  }
});
