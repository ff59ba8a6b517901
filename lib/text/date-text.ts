import { british, clockText, dateText, type Formats } from "./formats";
import { dayOf, wallClock } from "./local-time";

/*
 * Emails and pages without scripts need times as text in the owner's time zone (an IANA name); UTC
 * is named if the zone is unknown. Input is epoch milliseconds. Emails have no known locale, so
 * months are spelled out and clocks have 24 hours.
 */
type Zone = { timeZone: string | undefined; formats?: Formats };

/** "12:04", or "12:04 UTC". */
export const clockTime = (time: number, { timeZone, formats = british }: Zone): string =>
  clockText(wallClock(time, timeZone ?? "UTC"), formats) + (timeZone === undefined ? " UTC" : "");

/** The same with the day, unless it is today: "tomorrow 12:04", "24 Nov 2026, 12:04". */
export function dateTimeText(moment: number, { now, timeZone, formats = british }: Zone & { now: number }): string {
  const [day, today] = [moment, now].map((it) => dayOf(it, timeZone ?? "UTC")) as [string, string];
  const time = clockTime(moment, { timeZone, formats });
  if (day === today) return time;
  if (Date.parse(day) - Date.parse(today) === 86_400_000) return `tomorrow ${time}`;
  return `${dateText(wallClock(moment, timeZone ?? "UTC"), formats)}, ${time}`;
}

const inWords = new Intl.RelativeTimeFormat("en");

/** "in 2 hours", never longer than the actual time. */
export function relativeText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "in less than a minute";
  if (minutes < 60) return inWords.format(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? inWords.format(hours, "hour") : inWords.format(Math.floor(hours / 24), "day");
}
