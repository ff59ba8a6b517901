import { expect, test } from "vitest";
import { british } from "@/lib/text/formats";
import { absoluteTime, calendarDate } from "./relative-time";

test("formats times as the platform does in the local time zone", () => {
  const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });
  const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
  for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2028, 0, 1); at += 86_400_000 + 3_725_000) {
    expect(calendarDate(at, british)).toBe(date.format(at));
    expect(absoluteTime(at, british)).toBe(moment.format(at));
  }
});
